/**
 * Depth pictures. The encoding alone decides the unit (16UC1 and mono16 are millimetres, 32FC1 metres, REP 118);
 * nothing is ever rescaled by guess. Of metres, zero, negative, NaN and infinite readings become NaN, "no
 * measurement", as 0 is among millimetres. The range of trust is the perceiver's parameter, not applied here.
 */
import type { CompressedImage, RawImage } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { DepthImage } from './RgbdFrame.js';
import { checkImageSize, type ImageSizeCause } from './checkImageSize.js';
import { decodeCompressedDepth } from './decodeCompressedDepth.js';
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
      return checkImageSize(image, 2) ?? success(depthFromWords(image));
    case '32FC1':
      return checkImageSize(image, 4) ?? success(depthFromFloats(image));
    default:
      return failure('unknown_encoding', `depth encoding "${image.encoding}"; known are 16UC1 mono16 32FC1`);
  }
}

function depthFromWords(image: RawImage): DepthImage {
  const { width, height } = image;
  const packed = packRows(image, 2);
  return {
    width,
    height,
    depthMm: new Uint16Array(packed.buffer, packed.byteOffset, width * height).slice(),
  };
}

function depthFromFloats(image: RawImage): DepthImage {
  const { width, height } = image;
  const packed = packRows(image, 4);
  const depthM = new Float32Array(packed.buffer, packed.byteOffset, width * height).slice();
  for (let index = 0; index < depthM.length; index++) {
    const value = depthM[index];
    if (!(value > 0 && value < Infinity)) depthM[index] = NaN;
  }
  return { width, height, depthM };
}
