import sharp from 'sharp';
import type { Crop } from './cropOf.js';

const MAX_SIDE_PX = 640;
const QUALITIES = [85, 70, 55, 40];

/** A crop as JPEG, at most 640 pixels wide or high and (by quality, then by size) at most `maxBytes`. */
export async function encodeView({ pixels, width, height }: Crop, maxBytes: number): Promise<Uint8Array> {
  const scale = Math.min(1, MAX_SIDE_PX / Math.max(width, height));
  let jpeg = await encode(pixels, width, height, scale, QUALITIES[0]);
  for (const quality of QUALITIES.slice(1)) {
    if (jpeg.length <= maxBytes) break;
    jpeg = await encode(pixels, width, height, scale, quality);
  }
  for (
    let smaller = scale / 2;
    jpeg.length > maxBytes && smaller * Math.max(width, height) >= 16;
    smaller /= 2
  ) {
    jpeg = await encode(pixels, width, height, smaller, QUALITIES[QUALITIES.length - 1]);
  }
  return jpeg;
}

async function encode(
  pixels: Uint8Array,
  width: number,
  height: number,
  scale: number,
  quality: number,
): Promise<Uint8Array> {
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  const sized =
    scale < 1
      ? picture.resize(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)))
      : picture;
  // The usual Huffman tables: better ones save 2 % of the bytes and take longer than all else.
  const jpeg = await sized.jpeg({ quality, optimiseCoding: false }).toBuffer();
  // An owned copy: the library's buffers may come from a pool, and what is kept is later published.
  return new Uint8Array(jpeg);
}
