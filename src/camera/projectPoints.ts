import { rotationMatrix } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import { isDistorted, projectPoint, type PinholeCamera } from './PinholeCamera.js';

/** Pixels and depths of projected points; NaN for those behind the camera. Not clipped to the picture. */
export interface ProjectedPoints {
  /** Pairs u v. */
  readonly pixels: Float32Array;
  /** Metres along the camera's axis. */
  readonly depthM: Float32Array;
}

/** Many points at once: `points` are xyz triples in frame f, `camera_T_f` brings them to the optical frame. */
export function projectPoints(
  camera: PinholeCamera,
  camera_T_f: RigidTransform,
  points: Float32Array | readonly number[],
): ProjectedPoints {
  const count = Math.floor(points.length / 3);
  const pixels = new Float32Array(2 * count);
  const depthM = new Float32Array(count);
  const m = rotationMatrix(camera_T_f.rotation);
  const [tx, ty, tz] = camera_T_f.translation;
  const distorted = isDistorted(camera);
  for (let index = 0; index < count; index++) {
    const x = points[3 * index];
    const y = points[3 * index + 1];
    const z = points[3 * index + 2];
    const xc = m[0] * x + m[1] * y + m[2] * z + tx;
    const yc = m[3] * x + m[4] * y + m[5] * z + ty;
    const zc = m[6] * x + m[7] * y + m[8] * z + tz;
    if (!(zc > 0)) {
      pixels[2 * index] = pixels[2 * index + 1] = depthM[index] = NaN;
      continue;
    }
    const [u, v] = distorted
      ? (projectPoint(camera, [xc, yc, zc]) ?? [NaN, NaN])
      : [(camera.fx * xc) / zc + camera.cx, (camera.fy * yc) / zc + camera.cy];
    pixels[2 * index] = u;
    pixels[2 * index + 1] = v;
    depthM[index] = zc;
  }
  return { pixels, depthM };
}
