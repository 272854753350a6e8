/**
 * The `compressedDepth` transport: 12 bytes of header (int32 kind, float32 A, float32 B, little-endian), then
 * a 16-bit grey PNG or RVL. 16UC1 holds millimetres; 32FC1 holds codes v of inverse depth, A / (v − B) metres.
 * A plain `compressed` JPEG on a depth topic is refused: it holds 8 bits and smears edges. A plain PNG whose
 * format names a millimetre encoding loses nothing and is taken.
 */
import sharp from 'sharp';
import type { CompressedImage } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { DepthImage } from './RgbdFrame.js';
import { checkSides, MAX_PIXELS, type ImageSizeCause } from './checkImageSize.js';
import { isPng } from './decodeColor.js';
import { decodeRvl } from './decodeRvl.js';

type Cause = ImageSizeCause | 'unknown_encoding' | 'malformed_image' | 'lossy_codec_on_depth';

const HEADER_BYTES = 12;
const ENCODINGS: readonly string[] = ['16UC1', 'mono16', '32FC1'];

/** 16-bit codes, row-major, before they become metres. */
interface Codes {
  readonly width: number;
  readonly height: number;
  readonly values: Uint16Array;
}

export async function decodeCompressedDepth(image: CompressedImage): Promise<Result<DepthImage, Cause>> {
  const { encoding, transport, codec } = parseFormat(image.format);
  if (transport === 'png' && encoding !== '32FC1' && ENCODINGS.includes(encoding)) {
    const codes = await decodePng16(image.data, 0);
    return codes.ok ? success(fromMillimetres(codes.value)) : codes;
  }
  if (transport !== 'compressedDepth') {
    const detail = `lossy codec on a depth topic (format "${image.format}"); use compressedDepth`;
    return failure('lossy_codec_on_depth', detail);
  }
  if (!ENCODINGS.includes(encoding) || !['png', 'rvl', ''].includes(codec)) {
    return failure('unknown_encoding', `compressedDepth format "${image.format}"`);
  }
  const { data } = image;
  if (data.byteLength <= HEADER_BYTES) {
    return failure('malformed_image', `compressedDepth of ${data.byteLength} bytes, shorter than its header`);
  }
  const payload = data.subarray(HEADER_BYTES);
  const codes = codec === 'rvl' ? decodeRvl(payload) : await decodePng16(payload, HEADER_BYTES);
  if (!codes.ok) return codes;
  if (encoding !== '32FC1') return success(fromMillimetres(codes.value));
  const header = new DataView(data.buffer, data.byteOffset, HEADER_BYTES);
  return success(fromInverse(codes.value, header.getFloat32(4, true), header.getFloat32(8, true)));
}

/** `16UC1; compressedDepth png`, with any spacing; recordings before 2020 name no codec and mean png. */
function parseFormat(format: string): { encoding: string; transport: string; codec: string } {
  const [encoding = '', rest = ''] = format.split(';').map((part) => part.trim());
  const [transport = '', codec = ''] = rest.split(/\s+/);
  return { encoding, transport, codec };
}

/** The one call of sharp that keeps all 16 bits; without both steps the values are narrowed silently. */
async function decodePng16(payload: Uint8Array, headerBytes: number): Promise<Result<Codes, Cause>> {
  if (!isPng(payload)) {
    return failure('malformed_image', `no PNG after the ${headerBytes} bytes of the compressedDepth header`);
  }
  try {
    const decoder = sharp(payload, { failOn: 'warning', limitInputPixels: MAX_PIXELS });
    const { data, info } = await decoder
      .toColourspace('grey16')
      .raw({ depth: 'ushort' })
      .toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    const badSides = checkSides(width, height);
    if (badSides) return badSides;
    if (channels !== 1 || data.byteLength !== width * height * 2) {
      return failure(
        'malformed_image',
        `depth PNG decodes to ${channels} channels, ${data.byteLength} bytes`,
      );
    }
    // 16-bit views need an even offset.
    const bytes = data.byteOffset % 2 === 0 ? data : Uint8Array.from(data);
    return success({
      width,
      height,
      values: new Uint16Array(bytes.buffer, bytes.byteOffset, width * height),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure('malformed_image', `depth PNG of ${payload.length} bytes: ${reason}`);
  }
}

function fromMillimetres({ width, height, values }: Codes): DepthImage {
  return { width, height, depthMm: values };
}

/** @param a, b of the header, for codes of inverse depth */
function fromInverse({ width, height, values }: Codes, a: number, b: number): DepthImage {
  const depthM = new Float32Array(values.length);
  for (let index = 0; index < values.length; index++) {
    const code = values[index];
    const metres = a / (code - b);
    depthM[index] = code !== 0 && metres > 0 && metres < Infinity ? metres : NaN;
  }
  return { width, height, depthM };
}
