import type { Detection, DetectionMask } from '../camera/Detection.js';
import type { PictureFit } from './fitPicture.js';

/** Planes over the whole input, coarser than it, of which each mask is a weighted sum (YOLACT, Bolya et al. 2019). */
export interface MaskPrototypes {
  readonly count: number;
  readonly height: number;
  readonly width: number;
  readonly data: ArrayLike<number>;
}

/**
 * The silhouette over a box of the picture: sigmoid of the weighted sum, bilinear up to the picture's pixels, above
 * one half. Nothing when no pixel of the box is in it.
 */
export function cutMask(
  factors: readonly number[],
  prototypes: MaskPrototypes,
  box: Detection['box'],
  fit: PictureFit,
): DetectionMask | undefined {
  const u0 = Math.floor(box[0]);
  const v0 = Math.floor(box[1]);
  const width = Math.min(fit.pictureWidth, Math.ceil(box[2])) - u0;
  const height = Math.min(fit.pictureHeight, Math.ceil(box[3])) - v0;
  // A pixel's centre on the prototypes' grid.
  const planeX = (u: number): number =>
    ((u + 0.5) * fit.scaleX + fit.offsetX) * (prototypes.width / fit.inputWidth) - 0.5;
  const planeY = (v: number): number =>
    ((v + 0.5) * fit.scaleY + fit.offsetY) * (prototypes.height / fit.inputHeight) - 0.5;
  const columns = spanOf(planeX(u0), planeX(u0 + width - 1), prototypes.width);
  const rows = spanOf(planeY(v0), planeY(v0 + height - 1), prototypes.height);
  const shares = weightedSum(factors, prototypes, columns, rows);
  const data = new Uint8Array(width * height);
  let inside = 0;
  for (let v = 0; v < height; v++) {
    const y = clamp(planeY(v0 + v) - rows.first, rows.count - 1);
    for (let u = 0; u < width; u++) {
      const x = clamp(planeX(u0 + u) - columns.first, columns.count - 1);
      if (sample(shares, columns.count, rows.count, x, y) <= 0.5) continue;
      data[v * width + u] = 1;
      inside++;
    }
  }
  return inside > 0 ? { u0, v0, width, height, data } : undefined;
}

interface Span {
  readonly first: number;
  readonly count: number;
}

function spanOf(from: number, to: number, length: number): Span {
  const first = clamp(Math.floor(from), length - 1);
  return { first, count: clamp(Math.ceil(to), length - 1) - first + 1 };
}

function weightedSum(
  factors: readonly number[],
  { width, height, data }: MaskPrototypes,
  columns: Span,
  rows: Span,
): Float32Array {
  const sums = new Float32Array(columns.count * rows.count);
  factors.forEach((factor, plane) => {
    for (let row = 0; row < rows.count; row++) {
      const from = (plane * height + rows.first + row) * width + columns.first;
      const to = row * columns.count;
      for (let column = 0; column < columns.count; column++)
        sums[to + column] += factor * data[from + column];
    }
  });
  return sums.map((sum) => 1 / (1 + Math.exp(-sum)));
}

function sample(data: Float32Array, width: number, height: number, x: number, y: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(width - 1, left + 1);
  const bottom = Math.min(height - 1, top + 1);
  const upper = mix(data[top * width + left], data[top * width + right], x - left);
  const lower = mix(data[bottom * width + left], data[bottom * width + right], x - left);
  return mix(upper, lower, y - top);
}

function mix(a: number, b: number, share: number): number {
  return a + (b - a) * share;
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value));
}
