import { failure, type Failure } from '../math/Result.js';
import type { RawImage } from '../input/messages.js';

export type ImageSizeCause = 'zero_size_image' | 'image_too_large' | 'wrong_data_length';

/**
 * More pixels than any camera of this kind gives; a header claiming more is a broken message, and memory
 * for it must not be asked for. 64 Mpx is four times 4K; doubled it would let a bad header cost 1.5 GB.
 */
export const MAX_PIXELS = 64 * 1024 * 1024;

/** Undefined when the picture's sides are usable, before anything is allocated for it. */
export function checkSides(width: number, height: number): Failure<ImageSizeCause> | undefined {
  if (!(width > 0 && height > 0)) return failure('zero_size_image', `image of ${width}x${height}`);
  if (width * height > MAX_PIXELS) {
    return failure('image_too_large', `image of ${width}x${height}, more than ${MAX_PIXELS} pixels`);
  }
  return undefined;
}

/**
 * Undefined when every pixel lies inside the data. The last row may lack its padding, as some drivers cut
 * it off; bytes beyond the last row are ignored.
 */
export function checkImageSize(image: RawImage, bytesPerPixel: number): Failure<ImageSizeCause> | undefined {
  const { width, height, step, data } = image;
  const badSides = checkSides(width, height);
  if (badSides) return badSides;
  const rowBytes = width * bytesPerPixel;
  const needed = step * (height - 1) + rowBytes;
  if (step >= rowBytes && data.byteLength >= needed) return undefined;
  const figures = `${width}x${height} ${image.encoding} with step ${step} needs ${Math.max(needed, rowBytes * height)}`;
  return failure(
    'wrong_data_length',
    `${figures} bytes and a step of at least ${rowBytes}, has ${data.byteLength}`,
  );
}
