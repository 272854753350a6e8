/**
 * Depth pictures to metres. The encoding alone decides the unit (16UC1 and mono16 are millimetres, 32FC1
 * metres, REP 118); nothing is ever rescaled by guess. Zero, negative, NaN and infinite readings become NaN:
 * "no measurement". The range of trust is the perceiver's parameter, not applied here.
 */
import type { CompressedImage, RawImage } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { DepthImage } from './RgbdFrame.js';
import { checkImageSize, type ImageSizeCause } from './checkImageSize.js';
import { decodeCompressedDepth } from './decodeCompressedDepth.js';
import { metresFromMillimetres } from './metresFromMillimetres.js';
import { packRows } from './packRows.js';

export type DepthCause = ImageSizeCause | 'unknown_encoding' | 'malformed_image' | 'lossy_codec_on_depth';

/** A copy: the result does not share memory with the message. */
export async function decodeDepth(
  image: RawImage | CompressedImage,
): Promise<Result<DepthImage, DepthCause>> {
  return 'encoding' in image ? decodeRawDepth(image) : decodeCompressedDepth(image);
}

export function decodeRawDepth(image: RawImage): Result<DepthImage, DepthCause> {
  switch (image.encoding) {
    case '16UC1':
    case 'mono16':
      return checkImageSize(image, 2) ?? success(fromRows(image, 2, metresFromWords));
    case '32FC1':
      return checkImageSize(image, 4) ?? success(fromRows(image, 4, metresFromFloats));
    default:
      return failure('unknown_encoding', `depth encoding "${image.encoding}"; known are 16UC1 mono16 32FC1`);
  }
}

type RowsToMetres = (packed: Uint8Array, depthM: Float32Array) => void;

function fromRows(image: RawImage, bytesPerPixel: number, toMetres: RowsToMetres): DepthImage {
  const { width, height } = image;
  const depthM = new Float32Array(width * height);
  toMetres(packRows(image, bytesPerPixel), depthM);
  return { width, height, depthM };
}

function metresFromWords(packed: Uint8Array, depthM: Float32Array): void {
  metresFromMillimetres(new Uint16Array(packed.buffer, packed.byteOffset, depthM.length), depthM);
}

function metresFromFloats(packed: Uint8Array, depthM: Float32Array): void {
  const metres = new Float32Array(packed.buffer, packed.byteOffset, depthM.length);
  for (let index = 0; index < depthM.length; index++) {
    const value = metres[index];
    depthM[index] = value;
    if (!(value > 0 && value < Infinity)) depthM[index] = NaN;
  }
}
