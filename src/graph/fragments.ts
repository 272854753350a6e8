import { boxBottom, boxGap, boxTop, boxVolume, containsPoint, intersectionVolume } from '../math/box.js';
import type { Box } from '../math/types.js';
import { ALIKE, likeness } from '../perceive/likeness.js';
import type { Thing } from './types.js';

/**
 * What depth pictures show apart from a thing though it belongs to it: what lies within its box, what hangs at its side
 * without a footing of its own (handles, spouts, brackets), and slivers of it that show beside what stands before it.
 * A small thing beside a big one stands on something: that tells them apart.
 */

/** Share of a fragment's box that must lie in the thing's box, grown by this slack in all, metres. */
const WITHIN_BOX = 0.8;
const SLACK_M = 0.03;

/** Whether a box lies in another one, but for noise. */
export function liesWithin(box: Box, whole: Box): boolean {
  return intersectionVolume(box, grownBy(whole, SLACK_M)) >= WITHIN_BOX * boxVolume(box);
}

/** Handles stick out this far, and depth cameras see nothing of what joins them to their thing for this long, metres. */
const REACH_M = 0.045;
const GAP_M = 0.02;
/** What hangs begins at least this far, and at least this share of the thing's height, above where the thing stands. */
const HANGING_M = 0.012;
const HANGING_SHARE = 0.15;
/** It ends no higher than the thing, but for noise, metres. */
const TOP_SLACK_M = 0.01;
/** Its bulk as a share of the thing's; no side of it counts as less than this, metres. */
const BULK_SHARE = 0.15;
const LEAST_SIDE_M = 0.01;

/** Whether a small box hangs at the side of a larger one, clear of what that stands on. */
export function hangsOn(box: Box, whole: Box): boolean {
  const foot = boxBottom(whole) + Math.max(HANGING_M, HANGING_SHARE * whole.size[2]);
  if (boxBottom(box) < foot || boxTop(box) > boxTop(whole) + TOP_SLACK_M) return false;
  if (bulk(box) > BULK_SHARE * bulk(whole) || containsPoint(whole, box.center)) return false;
  return (
    boxGap(box, whole) <= GAP_M &&
    intersectionVolume(box, grownBy(whole, 2 * REACH_M)) >= WITHIN_BOX * boxVolume(box)
  );
}

/** What is never seen by itself is cut off or hidden in this share of its shapes: of what hangs, and of a sliver. */
const HANGING_PARTIAL = 0.5;
const SLIVER_PARTIAL = 0.75;

/** Whether a thing is a fragment of another by all that was seen of both: it hangs there, or is a sliver of it. */
export function isFragmentOf(part: Thing, whole: Thing): boolean {
  if (bulk(part.box) > BULK_SHARE * bulk(whole.box)) return false;
  const alike = likeness(part.appearance, whole.appearance);
  if (alike !== undefined && alike < ALIKE) return false;
  const partial = partialShare(part);
  if (partial >= HANGING_PARTIAL && hangsOn(part.box, whole.box)) return true;
  return partial >= SLIVER_PARTIAL && alike !== undefined && liesWithin(part.box, whole.box);
}

function partialShare({ shapes }: Thing): number {
  if (shapes.length === 0) return 0;
  return shapes.reduce((count, shape) => count + (shape.partial ? 1 : 0), 0) / shapes.length;
}

function grownBy({ center, size, yaw }: Box, slack: number): Box {
  return { center, size: [size[0] + slack, size[1] + slack, size[2] + slack], yaw };
}

function bulk({ size }: Box): number {
  return size.reduce((product, side) => product * Math.max(side, LEAST_SIDE_M), 1);
}
