import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { rotationMatrix } from '../math/quaternion.js';
import { invertTransform } from '../math/rigidTransform.js';
import type { CloudGrid } from './CloudGrid.js';

/**
 * What a thing looks like, as a small normalised histogram: eight hues in two strengths, dark and light. Enough to
 * tell a red cup from the bowl it stands in; the shade inside the bowl hardly changes it.
 */

const HUES = 8;
const GREYS = 2;
/** Value that parts dark from light. */
const DARK = 90;
export const APPEARANCE_BINS = 2 * HUES + GREYS;
const SAMPLES = 200;

/** Looks up the colour of points of the map. */
export class ColorLookup {
  readonly #image: Uint8Array;
  readonly #width: number;
  readonly #height: number;
  readonly #rotation: readonly number[];
  readonly #translation: readonly [number, number, number];
  readonly #fx: number;
  readonly #fy: number;
  readonly #cx: number;
  readonly #cy: number;

  constructor(color: NonNullable<RgbdFrame['color']>) {
    const color_T_map = invertTransform(color.map_T_color);
    this.#image = color.image.data;
    this.#width = color.image.width;
    this.#height = color.image.height;
    this.#rotation = rotationMatrix(color_T_map.rotation);
    this.#translation = [...color_T_map.translation];
    this.#fx = color.camera.fx;
    this.#fy = color.camera.fy;
    this.#cx = color.camera.cx;
    this.#cy = color.camera.cy;
  }

  /** Offset of the pixel that shows a point, into rgb8 data; −1 when none does. Lens distortion is left out: it is
   * smaller than a thing. */
  offsetOf(x: number, y: number, z: number): number {
    const r = this.#rotation;
    const t = this.#translation;
    const c = r[6] * x + r[7] * y + r[8] * z + t[2];
    if (c <= 0) return -1;
    const u = Math.round((this.#fx * (r[0] * x + r[1] * y + r[2] * z + t[0])) / c + this.#cx);
    const v = Math.round((this.#fy * (r[3] * x + r[4] * y + r[5] * z + t[1])) / c + this.#cy);
    return u < 0 || v < 0 || u >= this.#width || v >= this.#height ? -1 : 3 * (v * this.#width + u);
  }

  get data(): Uint8Array {
    return this.#image;
  }
}

/** Histogram of a piece's colours; undefined when the colour picture shows nothing of it. */
export function appearanceOf(
  grid: CloudGrid,
  piece: Int32Array,
  colors: ColorLookup,
): Float32Array | undefined {
  const histogram = new Float32Array(APPEARANCE_BINS);
  const step = Math.max(1, Math.floor(piece.length / SAMPLES));
  let n = 0;
  for (let k = 0; k < piece.length; k += step) {
    const i = piece[k];
    const offset = colors.offsetOf(grid.x[i], grid.y[i], grid.z[i]);
    if (offset < 0) continue;
    histogram[binOf(colors.data[offset], colors.data[offset + 1], colors.data[offset + 2])]++;
    n++;
  }
  if (n === 0) return undefined;
  for (let bin = 0; bin < histogram.length; bin++) histogram[bin] /= n;
  return histogram;
}

function binOf(r: number, g: number, b: number): number {
  const high = Math.max(r, g, b);
  const low = Math.min(r, g, b);
  const chroma = high - low;
  const saturation = high === 0 ? 0 : chroma / high;
  if (saturation < 0.2 || high < 40) return 2 * HUES + (high < DARK ? 0 : 1);
  const sector =
    high === r ? ((g - b) / chroma + 6) % 6 : high === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4;
  const hue = Math.floor((sector / 6) * HUES + 0.5) % HUES;
  return saturation < 0.5 ? hue : HUES + hue;
}
