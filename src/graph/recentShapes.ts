import type { Box, Vec3 } from '../math/types.js';
import { boxFromShapes } from './boxFromShapes.js';
import type { SeenShape } from './types.js';

/** Latest views that must agree on another place. */
const AGREEING = 3;
/** They lie this near each other and at least this far from the known place, metres, standard deviations. */
const TOGETHER_M = 0.03;
const APART_M = 0.04;
const APART_SIGMAS = 3;

/**
 * The shapes of a thing that a detector follows by its name, without those from before it was moved: when the latest
 * whole views agree on a place off the known one, the older ones only drag the box behind.
 */
export function recentShapes(
  shapes: readonly SeenShape[],
  { center, size }: Box,
  depthSigmaM: number,
): readonly SeenShape[] {
  const latest = shapes.slice(-AGREEING);
  if (latest.length < AGREEING || latest.some(({ partial }) => partial)) return shapes;
  const centers = latest.map((shape) => boxFromShapes([shape]).center);
  const apart = Math.max(APART_M, Math.min(size[0], size[1]) / 2, APART_SIGMAS * depthSigmaM);
  const agree = centers.every((one) => distance(one, centers[AGREEING - 1]) < TOGETHER_M + depthSigmaM);
  return agree && centers.every((one) => distance(one, center) > apart) ? latest : shapes;
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
