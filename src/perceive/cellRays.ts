import type { PinholeCamera } from '../camera/PinholeCamera.js';

/** x/z and y/z of the ray through the centre of each grid cell, in the depth camera's optical frame. */
export function cellRays(
  camera: PinholeCamera,
  stride: number,
  width: number,
  height: number,
): { readonly x: Float32Array; readonly y: Float32Array } {
  const x = new Float32Array(width * height);
  const y = new Float32Array(width * height);
  const middle = (stride - 1) / 2;
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      x[v * width + u] = (u * stride + middle - camera.cx) / camera.fx;
      y[v * width + u] = (v * stride + middle - camera.cy) / camera.fy;
    }
  }
  return { x, y };
}
