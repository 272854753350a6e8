import { isDistorted, pixelRay, type PinholeCamera } from '../camera/PinholeCamera.js';

/** x/z and y/z of rays, one entry per cell. */
export interface CellRays {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Rays through the centres of the grid's cells, in the depth camera's optical frame, lens distortion taken out. */
export function cellRays(camera: PinholeCamera, stride: number, width: number, height: number): CellRays {
  const x = new Float32Array(width * height);
  const y = new Float32Array(width * height);
  const middle = (stride - 1) / 2;
  const distorted = isDistorted(camera);
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      const i = v * width + u;
      const a = u * stride + middle;
      const b = v * stride + middle;
      if (distorted) {
        [x[i], y[i]] = pixelRay(camera, a, b);
      } else {
        x[i] = (a - camera.cx) / camera.fx;
        y[i] = (b - camera.cy) / camera.fy;
      }
    }
  }
  return { x, y };
}
