import type { PinholeCamera } from '../camera/PinholeCamera.js';
import { boxCorners } from '../math/box.js';
import { invertTransform, transformPoint } from '../math/rigidTransform.js';
import type { Box, RigidTransform } from '../math/types.js';

/** How a box lies in a picture. */
export interface BoxView {
  /** Share of the projected rectangle that lies inside the picture, 0…1. */
  readonly insideShare: number;
  /** Area of that rectangle inside the picture, pixels. */
  readonly areaPx: number;
  /** Pixel of the box's middle, rounded, and its depth in metres. */
  readonly u: number;
  readonly v: number;
  readonly depthM: number;
}

/** Undefined when any corner lies behind the camera. */
export function viewOfBox(
  box: Box,
  camera: PinholeCamera,
  map_T_camera: RigidTransform,
): BoxView | undefined {
  const camera_T_map = invertTransform(map_T_camera);
  let minU = Infinity,
    minV = Infinity,
    maxU = -Infinity,
    maxV = -Infinity;
  for (const corner of boxCorners(box)) {
    const [x, y, z] = transformPoint(camera_T_map, corner);
    if (z < 0.05) return undefined;
    const u = (camera.fx * x) / z + camera.cx;
    const v = (camera.fy * y) / z + camera.cy;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  }
  const [x, y, z] = transformPoint(camera_T_map, box.center);
  const width = Math.max(0, Math.min(maxU, camera.width) - Math.max(minU, 0));
  const height = Math.max(0, Math.min(maxV, camera.height) - Math.max(minV, 0));
  return {
    insideShare: (width * height) / Math.max(1e-9, (maxU - minU) * (maxV - minV)),
    areaPx: width * height,
    u: Math.round((camera.fx * x) / z + camera.cx),
    v: Math.round((camera.fy * y) / z + camera.cy),
    depthM: z,
  };
}
