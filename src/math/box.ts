/**
 * Gravity-aligned boxes: a turned rectangle on the ground times an interval of height. Everything here
 * splits into those two, which makes distance and overlap exact and cheap.
 */
import { intersectConvex, polygonArea, type Point2 } from './polygon.js';
import type { Box, Vec3 } from './types.js';

/** The same angle in (−π, π]. */
export function wrapAngle(angle: number): number {
  const turned = angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
  return turned <= -Math.PI ? turned + 2 * Math.PI : turned;
}

/** The four corners on the ground, counter-clockwise, beginning at (−x, −y) of the box's own axes. */
export function footprint({ center, size, yaw }: Box): Point2[] {
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const hx = size[0] / 2;
  const hy = size[1] / 2;
  const corner = (x: number, y: number): Point2 => [center[0] + c * x - s * y, center[1] + s * x + c * y];
  return [corner(-hx, -hy), corner(hx, -hy), corner(hx, hy), corner(-hx, hy)];
}

/** The eight corners: the four of the footprint at the bottom, then the same four at the top. */
export function boxCorners(box: Box): Vec3[] {
  const ground = footprint(box);
  const at = (z: number): Vec3[] => ground.map(([x, y]) => [x, y, z]);
  return [...at(boxBottom(box)), ...at(boxTop(box))];
}

export function boxBottom(box: Box): number {
  return box.center[2] - box.size[2] / 2;
}

export function boxTop(box: Box): number {
  return box.center[2] + box.size[2] / 2;
}

/** m³. */
export function boxVolume({ size }: Box): number {
  return size[0] * size[1] * size[2];
}

/** Half the diagonal of the footprint: the radius of the circle around it, metres. */
export function halfDiagonal({ size }: Box): number {
  return Math.sqrt(size[0] * size[0] + size[1] * size[1]) / 2;
}

/** m² on the ground. */
export function footprintArea({ size }: Box): number {
  return size[0] * size[1];
}

/** Shortest distance between two boxes in metres; 0 when they touch or overlap. */
export function boxGap(a: Box, b: Box): number {
  const apart = footprintGap(a, b);
  const empty = verticalGap(a, b);
  return Math.sqrt(apart * apart + empty * empty);
}

/** Shortest distance on the ground. Unless they meet, it is that of a corner of one from the other rectangle. */
function footprintGap(a: Box, b: Box): number {
  const squared = Math.min(cornersToRectangle(a, b), cornersToRectangle(b, a));
  if (squared === 0 || (!isBeside(a, b) && !isBeside(b, a))) return 0;
  return Math.sqrt(squared);
}

/** Squared distance of the nearest corner of one footprint from another. */
function cornersToRectangle(from: Box, to: Box): number {
  const { x, y, ux, uy, vx, vy } = inAxesOf(to, from);
  let least = Infinity;
  for (let k = 0; k < 4; k++) {
    const u = (k & 1) === 0 ? 1 : -1;
    const v = (k & 2) === 0 ? 1 : -1;
    const dx = Math.max(0, Math.abs(x + u * ux + v * vx) - to.size[0] / 2);
    const dy = Math.max(0, Math.abs(y + u * uy + v * vy) - to.size[1] / 2);
    least = Math.min(least, dx * dx + dy * dy);
  }
  return least;
}

/** Along one of the axes of `to` the footprint of `from` lies wholly beside it. */
function isBeside(from: Box, to: Box): boolean {
  const { x, y, ux, uy, vx, vy } = inAxesOf(to, from);
  return (
    Math.abs(x) - Math.abs(ux) - Math.abs(vx) > to.size[0] / 2 ||
    Math.abs(y) - Math.abs(uy) - Math.abs(vy) > to.size[1] / 2
  );
}

/** The centre of a footprint and its two half sides, in the axes of another. */
function inAxesOf(
  { center, yaw }: Box,
  other: Box,
): { x: number; y: number; ux: number; uy: number; vx: number; vy: number } {
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const dx = other.center[0] - center[0];
  const dy = other.center[1] - center[1];
  const turnC = Math.cos(other.yaw - yaw);
  const turnS = Math.sin(other.yaw - yaw);
  const hx = other.size[0] / 2;
  const hy = other.size[1] / 2;
  return {
    x: c * dx + s * dy,
    y: c * dy - s * dx,
    ux: hx * turnC,
    uy: hx * turnS,
    vx: -hy * turnS,
    vy: hy * turnC,
  };
}

/** Empty height between two boxes; 0 when their heights overlap. */
export function verticalGap(a: Box, b: Box): number {
  return Math.max(0, boxBottom(a) - boxTop(b), boxBottom(b) - boxTop(a));
}

/** Common area of both footprints in m². */
export function footprintOverlapArea(a: Box, b: Box): number {
  const reach = (Math.hypot(a.size[0], a.size[1]) + Math.hypot(b.size[0], b.size[1])) / 2;
  if (Math.hypot(a.center[0] - b.center[0], a.center[1] - b.center[1]) >= reach) return 0;
  return Math.max(0, polygonArea(intersectConvex(footprint(a), footprint(b))));
}

/** Common volume in m³. */
export function intersectionVolume(a: Box, b: Box): number {
  const height = Math.min(boxTop(a), boxTop(b)) - Math.max(boxBottom(a), boxBottom(b));
  return height > 0 ? height * footprintOverlapArea(a, b) : 0;
}

/** Common volume over joint volume, 0…1. */
export function boxIou(a: Box, b: Box): number {
  const common = intersectionVolume(a, b);
  const joint = boxVolume(a) + boxVolume(b) - common;
  return joint > 0 ? common / joint : 0;
}

/** The point lies in the box grown by `margin` metres on every side (shrunk when negative). */
export function containsPoint({ center, size, yaw }: Box, [x, y, z]: Vec3, margin = 0): boolean {
  const dx = x - center[0];
  const dy = y - center[1];
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  return (
    Math.abs(c * dx + s * dy) <= size[0] / 2 + margin &&
    Math.abs(c * dy - s * dx) <= size[1] / 2 + margin &&
    Math.abs(z - center[2]) <= size[2] / 2 + margin
  );
}
