/**
 * Colour pictures to tightly packed rgb8. Raw encodings go by their name alone; JPEG and PNG through sharp
 * with strict decoding, so a cut file is refused instead of ending grey. The endianness flag does not
 * concern 8-bit data.
 */
import sharp from 'sharp';
import type { CompressedImage, RawImage } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { ColorImage } from './RgbdFrame.js';
import { checkImageSize, checkSides, MAX_PIXELS, type ImageSizeCause } from './checkImageSize.js';

export type ColorCause = ImageSizeCause | 'unknown_encoding' | 'malformed_image';

/** Where red, green and blue sit inside one pixel. */
interface PixelLayout {
  readonly bytes: number;
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

const LAYOUTS: Readonly<Record<string, PixelLayout>> = {
  rgb8: { bytes: 3, red: 0, green: 1, blue: 2 },
  bgr8: { bytes: 3, red: 2, green: 1, blue: 0 },
  rgba8: { bytes: 4, red: 0, green: 1, blue: 2 },
  bgra8: { bytes: 4, red: 2, green: 1, blue: 0 },
  mono8: { bytes: 1, red: 0, green: 0, blue: 0 },
  '8UC1': { bytes: 1, red: 0, green: 0, blue: 0 },
  '8UC3': { bytes: 3, red: 2, green: 1, blue: 0 },
};

/** A copy: the result does not share memory with the message. */
export async function decodeColor(
  image: RawImage | CompressedImage,
): Promise<Result<ColorImage, ColorCause>> {
  return 'encoding' in image ? decodeRawColor(image) : decodeCompressedColor(image);
}

export function decodeRawColor(image: RawImage): Result<ColorImage, ColorCause> {
  const layout = Object.hasOwn(LAYOUTS, image.encoding) ? LAYOUTS[image.encoding] : undefined;
  if (!layout) {
    const known = Object.keys(LAYOUTS).join(' ');
    return failure('unknown_encoding', `colour encoding "${image.encoding}"; known are ${known}`);
  }
  const badSize = checkImageSize(image, layout.bytes);
  if (badSize) return badSize;
  return success({ width: image.width, height: image.height, data: packRgb(image, layout) });
}

function packRgb({ width, height, step, data }: RawImage, layout: PixelLayout): Uint8Array {
  const { bytes, red, green, blue } = layout;
  const rgb = new Uint8Array(width * height * 3);
  const inOrder = bytes === 3 && red === 0;
  let to = 0;
  for (let row = 0; row < height; row++) {
    const start = row * step;
    if (inOrder) {
      rgb.set(data.subarray(start, start + width * 3), to);
      to += width * 3;
      continue;
    }
    const end = start + width * bytes;
    for (let from = start; from < end; from += bytes) {
      rgb[to] = data[from + red];
      rgb[to + 1] = data[from + green];
      rgb[to + 2] = data[from + blue];
      to += 3;
    }
  }
  return rgb;
}

async function decodeCompressedColor(image: CompressedImage): Promise<Result<ColorImage, ColorCause>> {
  if (!isJpegOrPng(image.data)) {
    const found = Buffer.from(image.data.subarray(0, 8)).toString('hex');
    return failure('malformed_image', `neither JPEG nor PNG: ${image.data.length} bytes beginning ${found}`);
  }
  try {
    const decoder = sharp(image.data, { failOn: 'warning', limitInputPixels: MAX_PIXELS });
    // Grey and CMYK come out as three channels too; alpha is dropped.
    const { data, info } = await decoder
      .removeAlpha()
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    const badSides = checkSides(info.width, info.height);
    if (badSides) return badSides;
    if (info.channels !== 3) return failure('malformed_image', `${info.channels} channels after decoding`);
    const rgb = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
    return success({ width: info.width, height: info.height, data: rgb });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failure(
      'malformed_image',
      `${image.format || 'compressed'} of ${image.data.length} bytes: ${reason}`,
    );
  }
}

/** By the bytes themselves: the format text is free-form, and sharp would also read SVG, which runs code paths nobody wants here. */
export function isJpegOrPng(data: Uint8Array): boolean {
  const jpeg = data[0] === 0xff && data[1] === 0xd8 && data[2] === 0xff;
  return jpeg || isPng(data);
}

export function isPng(data: Uint8Array): boolean {
  return [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, index) => data[index] === byte);
}
