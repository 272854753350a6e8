import { isDistorted, projectPoint } from '../camera/PinholeCamera.js';
import type { ColorView } from '../camera/RgbdFrame.js';
import { rotationMatrix } from '../math/quaternion.js';
import { invertTransform } from '../math/rigidTransform.js';
import type { CloudGrid } from './CloudGrid.js';

/** The pixel of the colour picture that shows each cell of the cloud; u is −1 where none does. */
export interface CellPixels {
  readonly u: Float32Array;
  readonly v: Float32Array;
}

/**
 * Carries the cloud into the colour picture through both cameras' models and poses: registered or not makes no
 * difference. What the colour camera sees covered by something nearer is not left out; depth tells that apart later.
 */
export function cellPixels(grid: CloudGrid, { camera, map_T_color }: ColorView): CellPixels {
  const color_T_map = invertTransform(map_T_color);
  const r = rotationMatrix(color_T_map.rotation);
  const [tx, ty, tz] = color_T_map.translation;
  const { fx, fy, cx, cy, width, height } = camera;
  const distorted = isDistorted(camera);
  const n = grid.depth.length;
  const us = new Float32Array(n).fill(-1);
  const vs = new Float32Array(n).fill(-1);
  for (let i = 0; i < n; i++) {
    if (grid.depth[i] === 0) continue;
    const x = grid.x[i];
    const y = grid.y[i];
    const z = grid.z[i];
    const c = r[6] * x + r[7] * y + r[8] * z + tz;
    if (!(c > 0)) continue;
    const a = r[0] * x + r[1] * y + r[2] * z + tx;
    const b = r[3] * x + r[4] * y + r[5] * z + ty;
    let u = (fx * a) / c + cx;
    let v = (fy * b) / c + cy;
    if (distorted) [u, v] = projectPoint(camera, [a, b, c]) ?? [-1, -1];
    // A pixel reaches half a unit to each side of its centre.
    if (!(u >= -0.5 && v >= -0.5 && u < width - 0.5 && v < height - 0.5)) continue;
    us[i] = Math.max(0, u);
    vs[i] = Math.max(0, v);
  }
  return { u: us, v: vs };
}
