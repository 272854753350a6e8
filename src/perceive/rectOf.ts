import type { CloudGrid } from './CloudGrid.js';
import type { PixelRect } from './observations.js';

/** Smallest rectangle around some cells of the cloud, in pixels of the depth picture. */
export function rectOf(grid: CloudGrid, cells: Int32Array): PixelRect {
  let u0 = Infinity;
  let u1 = -Infinity;
  let v0 = Infinity;
  let v1 = -Infinity;
  for (const i of cells) {
    const u = i % grid.width;
    const v = (i - u) / grid.width;
    u0 = Math.min(u0, u);
    u1 = Math.max(u1, u);
    v0 = Math.min(v0, v);
    v1 = Math.max(v1, v);
  }
  const s = grid.stride;
  return { u0: u0 * s, v0: v0 * s, u1: (u1 + 1) * s, v1: (v1 + 1) * s };
}
