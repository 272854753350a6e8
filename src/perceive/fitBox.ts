import type { Box } from '../math/types.js';
import { convexHull, type FlatHull } from './convexHull.js';
import { trimmedRange } from './trimmedRange.js';

/**
 * Gravity-aligned box of a set of points: yaw by the minimum-area rectangle of the footprint's convex hull (rotating
 * calipers; an edge of the smallest rectangle lies on the hull), extents by percentiles so that a few strays do not count.
 */

const TRIM = 0.02;

export interface FittedBox {
  readonly box: Box;
  /** Convex hull of the trimmed footprint, x y pairs. */
  readonly hull: FlatHull;
}

/** @param points xyz triples, at least one. */
export function fitBox(points: Float32Array): FittedBox {
  const n = points.length / 3;
  const zs = new Float32Array(n);
  for (let k = 0; k < n; k++) zs[k] = points[3 * k + 2];
  const [z0, z1] = trimmedRange(zs, TRIM);
  const hull = trimmedHull(points);
  const rectangle = smallestRectangle(hull);
  return {
    box: {
      center: [rectangle.cx, rectangle.cy, (z0 + z1) / 2],
      size: [rectangle.length, rectangle.width, Math.max(z1 - z0, 1e-3)],
      yaw: rectangle.yaw,
    },
    hull,
  };
}

/** Hull of the points within the trimmed range along eight directions. */
function trimmedHull(points: Float32Array): FlatHull {
  const n = points.length / 3;
  const keep = new Uint8Array(n).fill(1);
  if (n >= 20) {
    const along = new Float32Array(n);
    for (let direction = 0; direction < 4; direction++) {
      const c = Math.cos((direction * Math.PI) / 4);
      const s = Math.sin((direction * Math.PI) / 4);
      for (let k = 0; k < n; k++) along[k] = points[3 * k] * c + points[3 * k + 1] * s;
      const [low, high] = trimmedRange(along, TRIM / 2);
      for (let k = 0; k < n; k++) if (along[k] < low || along[k] > high) keep[k] = 0;
    }
  }
  const xy: number[] = [];
  for (let k = 0; k < n; k++) if (keep[k] === 1) xy.push(points[3 * k], points[3 * k + 1]);
  if (xy.length === 0) for (let k = 0; k < n; k++) xy.push(points[3 * k], points[3 * k + 1]);
  return convexHull(xy);
}

export interface Rectangle {
  readonly cx: number;
  readonly cy: number;
  readonly length: number;
  readonly width: number;
  readonly yaw: number;
}

/** Smallest rectangle around a convex hull; `length` along yaw, yaw in [0, π/2). */
export function smallestRectangle(hull: FlatHull): Rectangle {
  const n = hull.length / 2;
  let best = rectangleAt(hull, 0);
  for (let k = 0; k < n; k++) {
    const j = (k + 1) % n;
    const edgeX = hull[2 * j] - hull[2 * k];
    const edgeY = hull[2 * j + 1] - hull[2 * k + 1];
    if (edgeX === 0 && edgeY === 0) continue;
    const turn = Math.atan2(edgeY, edgeX);
    const yaw = turn - Math.floor(turn / (Math.PI / 2)) * (Math.PI / 2);
    const candidate = rectangleAt(hull, yaw);
    if (candidate.length * candidate.width < best.length * best.width - 1e-9) best = candidate;
  }
  return best;
}

/** Rectangle of a given yaw around points (x y pairs). */
export function rectangleAt(hull: FlatHull, yaw: number): Rectangle {
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  let a0 = Infinity;
  let a1 = -Infinity;
  let b0 = Infinity;
  let b1 = -Infinity;
  for (let k = 0; k < hull.length; k += 2) {
    const a = hull[k] * c + hull[k + 1] * s;
    const b = hull[k + 1] * c - hull[k] * s;
    if (a < a0) a0 = a;
    if (a > a1) a1 = a;
    if (b < b0) b0 = b;
    if (b > b1) b1 = b;
  }
  const a = (a0 + a1) / 2;
  const b = (b0 + b1) / 2;
  return {
    cx: a * c - b * s,
    cy: a * s + b * c,
    length: Math.max(a1 - a0, 1e-3),
    width: Math.max(b1 - b0, 1e-3),
    yaw,
  };
}
