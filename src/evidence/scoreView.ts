import type { LatestView } from '../graph/types.js';

/** A view filling this share of the picture is as good as it gets by size. */
const FULL_SHARE = 0.05;

/**
 * How much a view shows of a thing: √(its share of the picture / 5 %) · confidence · what is not cut off · what is
 * not hidden. Area alone would prefer truncated close-ups.
 */
export function scoreView(view: LatestView, picturePixels: number, confidence: number): number {
  const share = Math.min(1, view.pixelCount / picturePixels / FULL_SHARE);
  const whole = view.truncated ? 0.4 : 1;
  return Math.sqrt(share) * confidence * whole * (1 - view.occludedShare);
}
