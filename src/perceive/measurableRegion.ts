import type { CloudGrid } from './CloudGrid.js';

/**
 * Where this camera measures at all: registration and sensor leave a margin of the picture without depth,
 * and a thing cut off by that margin is as truncated as one cut off by the picture's edge.
 */
export interface MeasurableRegion {
  /** First and last measured column per row (first > last: none). */
  readonly left: Int16Array;
  readonly right: Int16Array;
  /** First and last measured row per column. */
  readonly top: Int16Array;
  readonly bottom: Int16Array;
}

export function measurableRegion(grid: CloudGrid): MeasurableRegion {
  const { width, height, depth } = grid;
  const left = new Int16Array(height).fill(width);
  const right = new Int16Array(height).fill(-1);
  const top = new Int16Array(width).fill(height);
  const bottom = new Int16Array(width).fill(-1);
  // From each side inwards: most lines end within a few cells.
  for (let v = 0; v < height; v++) {
    let u = 0;
    while (u < width && depth[v * width + u] === 0) u++;
    if (u === width) continue;
    left[v] = u;
    u = width - 1;
    while (depth[v * width + u] === 0) u--;
    right[v] = u;
  }
  for (let u = 0; u < width; u++) {
    let v = 0;
    while (v < height && depth[v * width + u] === 0) v++;
    if (v === height) continue;
    top[u] = v;
    v = height - 1;
    while (depth[v * width + u] === 0) v--;
    bottom[u] = v;
  }
  return { left, right, top, bottom };
}

/** Share of the rows and columns of a piece at whose ends it meets the region's edge near the picture's edge. */
export function touchesEdge(grid: CloudGrid, region: MeasurableRegion, i: number, margin: number): boolean {
  const u = i % grid.width;
  const v = (i - u) / grid.width;
  return (
    (u <= region.left[v] && u < margin) ||
    (u >= region.right[v] && u >= grid.width - margin) ||
    (v <= region.top[u] && v < margin) ||
    (v >= region.bottom[u] && v >= grid.height - margin)
  );
}
