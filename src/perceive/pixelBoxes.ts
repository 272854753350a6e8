import type { Detection, DetectionMask } from '../camera/Detection.js';

/** Geometry of boxes and masks in the colour picture. */

type PixelBox = Detection['box'];

function area([u0, v0, u1, v1]: PixelBox): number {
  return Math.max(0, u1 - u0) * Math.max(0, v1 - v0);
}

function common(a: PixelBox, b: PixelBox): number {
  return area([Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])]);
}

/** Intersection over union. */
export function boxOverlapShare(a: PixelBox, b: PixelBox): number {
  const shared = common(a, b);
  return shared === 0 ? 0 : shared / (area(a) + area(b) - shared);
}

/** Share of `inner` that lies in `outer`. */
export function containedShare(inner: PixelBox, outer: PixelBox): number {
  const own = area(inner);
  return own === 0 ? 0 : common(inner, outer) / own;
}

/** How far from the middle of the box a pixel lies: 0 there, 1 at the border. */
export function relativeOffset([u0, v0, u1, v1]: PixelBox, u: number, v: number): number {
  const across = Math.abs(2 * u - u0 - u1) / (u1 - u0);
  const down = Math.abs(2 * v - v0 - v1) / (v1 - v0);
  return Math.max(across, down);
}

/** The same along an ellipse: the corners of a box are seldom the thing. */
export function ellipseOffset([u0, v0, u1, v1]: PixelBox, u: number, v: number): number {
  return Math.hypot((2 * u - u0 - u1) / (u1 - u0), (2 * v - v0 - v1) / (v1 - v0));
}

/** The pixel and its four neighbours are in the mask: a silhouette's rim mixes it with what is behind. */
export function isInMask(mask: DetectionMask, u: number, v: number): boolean {
  const x = Math.round(u) - mask.u0;
  const y = Math.round(v) - mask.v0;
  const { width, height, data } = mask;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return false;
  const i = y * width + x;
  return (
    data[i] !== 0 && data[i - 1] !== 0 && data[i + 1] !== 0 && data[i - width] !== 0 && data[i + width] !== 0
  );
}
