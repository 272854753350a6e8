/**
 * Depth seen from the colour camera: each depth pixel is lifted through its own model, carried by the
 * transform between the two, and drawn into the colour picture as a small rectangle of the size that it has
 * there, so that a coarser depth picture leaves no holes. Where several fall on one pixel the nearest stays
 * (z-buffer). Places that only the colour camera sees stay NaN.
 */
import { rotationMatrix } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import { isDistorted, projectPoint, rayTable, type PinholeCamera, type RayTable } from './PinholeCamera.js';
import type { DepthImage } from './RgbdFrame.js';

/**
 * Depth along the colour camera's axis, at the colour picture's size.
 * @param rays the depth camera's table, when the caller keeps one.
 */
export function registerDepth(
  depth: DepthImage,
  depthCamera: PinholeCamera,
  colorCamera: PinholeCamera,
  color_T_depth: RigidTransform,
  rays: RayTable = rayTable(depthCamera),
): DepthImage {
  const target = new Float32Array(colorCamera.width * colorCamera.height).fill(Infinity);
  const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = rotationMatrix(color_T_depth.rotation) as Matrix3;
  const [tx, ty, tz] = color_T_depth.translation;
  const distorted = isDistorted(colorCamera);
  const { fx, fy, cx, cy } = colorCamera;
  // How many colour pixels one depth pixel spans at equal distance.
  const spanU = fx / depthCamera.fx;
  const spanV = fy / depthCamera.fy;
  const { depthM } = depth;
  for (let index = 0; index < depthM.length; index++) {
    const z = depthM[index];
    if (!(z > 0)) continue;
    const x = rays.x[index] * z;
    const y = rays.y[index] * z;
    const zc = m6 * x + m7 * y + m8 * z + tz;
    if (!(zc > 0)) continue;
    const xc = m0 * x + m1 * y + m2 * z + tx;
    const yc = m3 * x + m4 * y + m5 * z + ty;
    let u = (fx * xc) / zc + cx;
    let v = (fy * yc) / zc + cy;
    if (distorted) [u, v] = projectPoint(colorCamera, [xc, yc, zc]) ?? [NaN, NaN];
    const scale = z / zc;
    drawNearest(target, colorCamera, u, v, halfSpan(spanU * scale), halfSpan(spanV * scale), zc);
  }
  for (let index = 0; index < target.length; index++) {
    if (target[index] === Infinity) target[index] = NaN;
  }
  return { width: colorCamera.width, height: colorCamera.height, depthM: target };
}

type Matrix3 = [number, number, number, number, number, number, number, number, number];

/** At least the pixel that the centre lies in; a twentieth more against gaps on slanted surfaces. */
function halfSpan(span: number): number {
  return Math.max(0.5, span * 0.525);
}

function drawNearest(
  target: Float32Array,
  { width, height }: PinholeCamera,
  u: number,
  v: number,
  halfU: number,
  halfV: number,
  z: number,
): void {
  // Also false for NaN.
  if (!(u > -halfU - 1 && u < width + halfU && v > -halfV - 1 && v < height + halfV)) return;
  const u0 = Math.max(0, Math.ceil(u - halfU));
  const u1 = Math.min(width - 1, Math.floor(u + halfU));
  const v0 = Math.max(0, Math.ceil(v - halfV));
  const v1 = Math.min(height - 1, Math.floor(v + halfV));
  for (let row = v0; row <= v1; row++) {
    const end = row * width + u1;
    for (let at = row * width + u0; at <= end; at++) {
      if (z < target[at]) target[at] = z;
    }
  }
}
