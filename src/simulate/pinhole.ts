import type { PinholeCamera } from '../camera/PinholeCamera.js';

/** Square pixels, principal point in the middle, no distortion. */
export function pinhole(width: number, height: number, horizontalFov: number): PinholeCamera {
  const f = width / 2 / Math.tan(horizontalFov / 2);
  return {
    width,
    height,
    fx: f,
    fy: f,
    cx: (width - 1) / 2,
    cy: (height - 1) / 2,
    distortionModel: 'plumb_bob',
    D: [0, 0, 0, 0, 0],
  };
}
