/**
 * Images of instance numbers to silhouettes: each pixel holds the number of the thing that it shows, 0 (or less) for
 * none. Unsigned bytes and 16 bits, and signed 32 bits as simulators have them; colours are never taken for numbers.
 */
import type { RawImage } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { DetectionMask } from './Detection.js';
import { checkImageSize, type ImageSizeCause } from './checkImageSize.js';
import { packRows } from './packRows.js';

export type InstancesCause = ImageSizeCause | 'unknown_encoding' | 'size_unlike_picture';

/** The pixels of one number. */
export interface Instance {
  readonly number: number;
  readonly u0: number;
  readonly v0: number;
  /** One beyond the last. */
  readonly u1: number;
  readonly v1: number;
  readonly pixels: number;
}

export interface InstanceImage {
  /** By number. */
  readonly instances: ReadonlyMap<number, Instance>;
  readonly maskOf: (instance: Instance) => DetectionMask;
}

type Numbers = Uint8Array | Uint16Array | Int32Array;

/** Fails also when the image is not of the picture's size: pixels could then not be told from one another. */
export function decodeInstances(
  image: RawImage,
  picture: { readonly width: number; readonly height: number },
): Result<InstanceImage, InstancesCause> {
  const bytesPerPixel = BYTES_PER_PIXEL[image.encoding];
  if (bytesPerPixel === undefined) {
    const known = Object.keys(BYTES_PER_PIXEL).join(' ');
    return failure('unknown_encoding', `instance encoding "${image.encoding}"; known are ${known}`);
  }
  const badSize = checkImageSize(image, bytesPerPixel);
  if (badSize) return badSize;
  const { width, height } = image;
  if (width !== picture.width || height !== picture.height) {
    const detail = `instances of ${width}x${height} for a colour picture of ${picture.width}x${picture.height}`;
    return failure('size_unlike_picture', detail);
  }
  const numbers = numbersOf(packRows(image, bytesPerPixel), bytesPerPixel);
  return success({
    instances: findInstances(numbers, width),
    maskOf: (instance) => cutMask(numbers, width, instance),
  });
}

const BYTES_PER_PIXEL: Readonly<Record<string, number | undefined>> = {
  mono8: 1,
  '8UC1': 1,
  mono16: 2,
  '16UC1': 2,
  '32SC1': 4,
};

function numbersOf({ buffer, byteOffset, byteLength }: Uint8Array, bytesPerPixel: number): Numbers {
  const count = byteLength / bytesPerPixel;
  if (bytesPerPixel === 1) return new Uint8Array(buffer, byteOffset, count);
  return bytesPerPixel === 2
    ? new Uint16Array(buffer, byteOffset, count)
    : new Int32Array(buffer, byteOffset, count);
}

/** Run by run: neighbours mostly show the same thing, and a map is asked only where they do not. */
function findInstances(numbers: Numbers, width: number): Map<number, Instance> {
  const found = new Map<number, { -readonly [Key in keyof Instance]: Instance[Key] }>();
  for (let i = 0; i < numbers.length;) {
    const number = numbers[i];
    const v = Math.floor(i / width);
    const rowEnd = (v + 1) * width;
    let end = i + 1;
    while (end < rowEnd && numbers[end] === number) end++;
    if (number > 0) {
      const u0 = i - v * width;
      const run = { number, u0, v0: v, u1: u0 + end - i, v1: v + 1, pixels: end - i };
      const known = found.get(number);
      if (known === undefined) found.set(number, run);
      else {
        known.u0 = Math.min(known.u0, run.u0);
        known.u1 = Math.max(known.u1, run.u1);
        known.v1 = run.v1;
        known.pixels += run.pixels;
      }
    }
    i = end;
  }
  return found;
}

function cutMask(
  numbers: Numbers,
  pictureWidth: number,
  { number, u0, v0, u1, v1 }: Instance,
): DetectionMask {
  const [width, height] = [u1 - u0, v1 - v0];
  const data = new Uint8Array(width * height);
  for (let v = 0; v < height; v++) {
    const row = (v0 + v) * pictureWidth + u0;
    for (let u = 0; u < width; u++) if (numbers[row + u] === number) data[v * width + u] = 1;
  }
  return { u0, v0, width, height, data };
}
