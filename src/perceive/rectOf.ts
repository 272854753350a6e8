import type { CloudGrid } from './CloudGrid.js';
import type { PixelRect } from './observations.js';

/** Smallest rectangle around some cells of the cloud, in pixels of the depth picture. */
export function rectOf(grid: CloudGrid, cells: Int32Array): PixelRect {
  let u0 = Infinity;
  let u1 = -Infinity;
  let v0 = Infinity;
  let v1 = -Infinity;
  let v = 0;
  for (let k = 0; k < cells.length; k++) {
    // The cells mostly follow each other along rows: a row is rarely left, and nothing is divided while it is not.
    let u = cells[k] - v * grid.width;
    if (u < 0 || u >= grid.width) {
      v = Math.floor(cells[k] / grid.width);
      u = cells[k] - v * grid.width;
    }
    if (u < u0) u0 = u;
    if (u > u1) u1 = u;
    if (v < v0) v0 = v;
    if (v > v1) v1 = v;
  }
  const s = grid.stride;
  return { u0: u0 * s, v0: v0 * s, u1: (u1 + 1) * s, v1: (v1 + 1) * s };
}
