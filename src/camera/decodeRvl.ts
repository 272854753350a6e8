/**
 * RVL (Wilson, "Fast lossless depth image compression", 2017), as compressedDepth carries it: uint32 columns,
 * uint32 rows, then for the whole picture alternately the length of a run of zeros, the length of a run of
 * values, and the values as zigzag differences. Every number is written in nibbles of three bits and a
 * "more follows" bit, eight nibbles to a 32-bit little-endian word, highest first.
 */
import { failure, success, type Result } from '../math/Result.js';
import { checkSides, type ImageSizeCause } from './checkImageSize.js';

const SIDES_BYTES = 8;

/**
 * More pixels per byte than this means broken sides, as other decoders hold too. A covered camera's picture is
 * all zeros, though, and takes only a few bytes: sizes up to 1080p (4 MB) need no bytes to show for.
 */
const MAX_PIXELS_PER_BYTE = 5;
const FREE_PIXELS = 1920 * 1088;

interface Codes {
  readonly width: number;
  readonly height: number;
  readonly values: Uint16Array;
}

export function decodeRvl(payload: Uint8Array): Result<Codes, ImageSizeCause | 'malformed_image'> {
  if (payload.byteLength < SIDES_BYTES) {
    return failure('malformed_image', `RVL of ${payload.byteLength} bytes, shorter than its picture size`);
  }
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const width = view.getUint32(0, true);
  const height = view.getUint32(4, true);
  const badSides = checkSides(width, height);
  if (badSides) return badSides;
  const pixels = width * height;
  if (pixels > Math.max(FREE_PIXELS, payload.byteLength * MAX_PIXELS_PER_BYTE)) {
    return failure('malformed_image', `RVL of ${payload.byteLength} bytes claims ${width}x${height} pixels`);
  }
  const values = new Uint16Array(pixels);
  const problem = fillFromRuns(values, new NibbleReader(view, SIDES_BYTES));
  return problem === undefined ? success({ width, height, values }) : failure('malformed_image', problem);
}

/** Returns what is wrong, or undefined when the runs fill the picture exactly. */
function fillFromRuns(values: Uint16Array, nibbles: NibbleReader): string | undefined {
  let index = 0;
  let previous = 0;
  while (index < values.length) {
    index += nibbles.readNumber();
    const count = nibbles.readNumber();
    if (nibbles.isExhausted) return `RVL ends at pixel ${index} of ${values.length}`;
    if (index + count > values.length) return `RVL run beyond pixel ${values.length}`;
    for (const end = index + count; index < end; index++) {
      const zigzag = nibbles.readNumber();
      previous += (zigzag >>> 1) ^ -(zigzag & 1);
      values[index] = previous;
    }
    if (nibbles.isExhausted) return `RVL ends at pixel ${index} of ${values.length}`;
  }
  return undefined;
}

class NibbleReader {
  readonly #view: DataView;
  #offset: number;
  #word = 0;
  #left = 0;
  #exhausted = false;

  constructor(view: DataView, offset: number) {
    this.#view = view;
    this.#offset = offset;
  }

  /** A number was asked for beyond the end; everything read since is void. */
  get isExhausted(): boolean {
    return this.#exhausted;
  }

  readNumber(): number {
    let value = 0;
    // A 32-bit number takes at most eleven groups of three bits.
    for (let shift = 0; shift < 33; shift += 3) {
      const nibble = this.#readNibble();
      value |= (nibble & 7) << shift;
      if ((nibble & 8) === 0) break;
    }
    return value >>> 0;
  }

  #readNibble(): number {
    if (this.#left === 0) {
      if (this.#offset + 4 > this.#view.byteLength) {
        this.#exhausted = true;
        return 0;
      }
      this.#word = this.#view.getUint32(this.#offset, true);
      this.#offset += 4;
      this.#left = 8;
    }
    const nibble = this.#word >>> 28;
    this.#word <<= 4;
    this.#left--;
    return nibble;
  }
}
