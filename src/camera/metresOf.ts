import type { DepthImage } from './RgbdFrame.js';

/** @returns all readings in metres, NaN where nothing was measured; for tools and tests, not for the frame path */
export function metresOf(image: DepthImage): Float32Array {
  if ('depthM' in image) return image.depthM;
  return Float32Array.from(image.depthMm, (millimetres) => (millimetres === 0 ? NaN : millimetres / 1000));
}
