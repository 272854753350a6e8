import type { RawImage } from '../input/messages.js';

/**
 * The pixels without row padding, little-endian, at an aligned offset: the message's own bytes when they
 * already are so, else a copy. Typed views of 16 and 32 bits need the alignment.
 */
export function packRows(
  { width, height, step, data, isBigEndian }: RawImage,
  bytesPerPixel: number,
): Uint8Array {
  const rowBytes = width * bytesPerPixel;
  const aligned = data.byteOffset % bytesPerPixel === 0;
  if (step === rowBytes && aligned && !isBigEndian) return data.subarray(0, rowBytes * height);
  const packed = new Uint8Array(rowBytes * height);
  for (let row = 0; row < height; row++) {
    packed.set(data.subarray(row * step, row * step + rowBytes), row * rowBytes);
  }
  if (isBigEndian) {
    const bytes = Buffer.from(packed.buffer);
    if (bytesPerPixel === 2) bytes.swap16();
    else if (bytesPerPixel === 4) bytes.swap32();
  }
  return packed;
}
