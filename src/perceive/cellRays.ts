import { isDistorted, pixelRay, type PinholeCamera } from '../camera/PinholeCamera.js';

/**
 * Writes the rays through the centres of the grid's cells, in the depth camera's optical frame, lens distortion taken
 * out.
 * @param x gets x/z of each ray
 * @param y gets y/z
 */
export function cellRays(
  camera: PinholeCamera,
  stride: number,
  width: number,
  height: number,
  x: Float32Array,
  y: Float32Array,
): void {
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
}
