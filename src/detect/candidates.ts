import type { Detection } from '../camera/Detection.js';
import { suppressOverlaps } from './suppressOverlaps.js';
import type { PictureFit } from './fitPicture.js';

/** One output of a network as it comes, row by row. */
export interface OutputTensor {
  readonly name: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/** What of a model's answer counts, by class. */
export interface DecodeSettings {
  /** The name to give, synonyms applied. */
  readonly names: readonly string[];
  /** Least score; above 1 for classes that are filtered out. */
  readonly thresholds: Float32Array;
  /** Least of `thresholds`: no cell below it needs a look at its classes. */
  readonly leastThreshold: number;
  readonly nmsIou: number;
  readonly maxDetections: number;
}

/** A box in pixels of the network's input, before anything is thrown away. */
export interface Candidate {
  readonly classIndex: number;
  readonly score: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  /** Which of the network's rows it came from. */
  readonly row: number;
}

/** A candidate that stays, with its box in the picture. */
export interface Kept {
  readonly candidate: Candidate;
  readonly detection: Detection;
}

/** The class with the highest score; `stride`: from class to class. */
export function bestClass(
  data: ArrayLike<number>,
  start: number,
  stride: number,
  count: number,
): { readonly index: number; readonly score: number } {
  let index = 0;
  let score = -Infinity;
  for (let i = 0, at = start; i < count; i++, at += stride) {
    if (data[at] > score) {
      score = data[at];
      index = i;
    }
  }
  return { index, score };
}

/** Boxes to the picture's pixels, cut to it; overlaps of one name suppressed; surest first. */
export function keepBest(
  candidates: readonly Candidate[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Kept[] {
  const placed = candidates.flatMap((candidate) => place(candidate, fit, settings) ?? []);
  return suppressOverlaps(placed, ({ detection }) => detection, settings.nmsIou).slice(
    0,
    settings.maxDetections,
  );
}

function place(candidate: Candidate, fit: PictureFit, settings: DecodeSettings): Kept | undefined {
  const x = (input: number): number =>
    Math.min(fit.pictureWidth, Math.max(0, (input - fit.offsetX) / fit.scaleX));
  const y = (input: number): number =>
    Math.min(fit.pictureHeight, Math.max(0, (input - fit.offsetY) / fit.scaleY));
  const box = [x(candidate.x0), y(candidate.y0), x(candidate.x1), y(candidate.y1)] as const;
  // Also refuses what is not a number.
  if (!(box[2] > box[0] && box[3] > box[1])) return undefined;
  const label = settings.names[candidate.classIndex] ?? '';
  return { candidate, detection: { label, score: Math.min(1, Math.max(0, candidate.score)), box } };
}
