import type { ColorView, RgbdFrame } from '../camera/RgbdFrame.js';
import { composeTransforms, invertTransform, transformPoint } from '../math/rigidTransform.js';
import type { PixelRect } from '../perceive/observations.js';

const PADDING = 1.5;
/** A crop is never smaller than this: a few pixels of context tell more than the thing alone. */
const MIN_SIDE_PX = 32;

/**
 * Where a rectangle of the depth picture lies in the colour picture, padded; undefined when it is outside.
 * @param distanceM distance of what the rectangle shows, along the depth camera's axis
 */
export function cropRect(
  frame: RgbdFrame,
  color: ColorView,
  rect: PixelRect,
  distanceM: number,
): PixelRect | undefined {
  const color_T_depth = composeTransforms(invertTransform(color.map_T_color), frame.map_T_depth);
  const { depthCamera } = frame;
  let u0 = Infinity;
  let u1 = -Infinity;
  let v0 = Infinity;
  let v1 = -Infinity;
  for (const [u, v] of [
    [rect.u0, rect.v0],
    [rect.u1 - 1, rect.v0],
    [rect.u0, rect.v1 - 1],
    [rect.u1 - 1, rect.v1 - 1],
  ]) {
    const x = ((u - depthCamera.cx) / depthCamera.fx) * distanceM;
    const y = ((v - depthCamera.cy) / depthCamera.fy) * distanceM;
    const [a, b, c] = transformPoint(color_T_depth, [x, y, distanceM]);
    if (c <= 0) return undefined;
    const pu = (color.camera.fx * a) / c + color.camera.cx;
    const pv = (color.camera.fy * b) / c + color.camera.cy;
    u0 = Math.min(u0, pu);
    u1 = Math.max(u1, pu);
    v0 = Math.min(v0, pv);
    v1 = Math.max(v1, pv);
  }
  return clipped(padded({ u0, v0, u1: u1 + 1, v1: v1 + 1 }), color.image.width, color.image.height);
}

function padded({ u0, v0, u1, v1 }: PixelRect): PixelRect {
  const halfWidth = Math.max(MIN_SIDE_PX, (u1 - u0) * PADDING) / 2;
  const halfHeight = Math.max(MIN_SIDE_PX, (v1 - v0) * PADDING) / 2;
  const u = (u0 + u1) / 2;
  const v = (v0 + v1) / 2;
  return { u0: u - halfWidth, v0: v - halfHeight, u1: u + halfWidth, v1: v + halfHeight };
}

function clipped(rect: PixelRect, width: number, height: number): PixelRect | undefined {
  const u0 = Math.max(0, Math.floor(rect.u0));
  const v0 = Math.max(0, Math.floor(rect.v0));
  const u1 = Math.min(width, Math.ceil(rect.u1));
  const v1 = Math.min(height, Math.ceil(rect.v1));
  return u1 - u0 < 2 || v1 - v0 < 2 ? undefined : { u0, v0, u1, v1 };
}
