import type { CloudGrid } from './CloudGrid.js';
import { fitBox } from './fitBox.js';
import { touchesEdge, type MeasurableRegion } from './measurableRegion.js';
import type { ObjectObservation } from './observations.js';
import type { PerceiveParameters } from './parameters.js';
import type { Piece } from './Piece.js';
import { rectOf } from './rectOf.js';

const POINTS_KEPT = 200;
const MEDIAN_SAMPLES = 51;
/** Cells from the picture's edge within which missing depth counts as the edge. */
const EDGE_MARGIN = 32;

/**
 * One connected piece as an observation; undefined when it is too small, too large or too far to be a thing.
 * @param pieceOf number of the piece per cell, 0 for none
 * @param id this piece's number
 */
export function observePiece(
  grid: CloudGrid,
  piece: Piece,
  pieceOf: Int32Array,
  id: number,
  region: MeasurableRegion,
  parameters: PerceiveParameters,
): ObjectObservation | undefined {
  const distanceM = medianDepth(grid, piece.cells);
  if (distanceM > parameters.maxObjectRangeM) return undefined;
  const points = thinPoints(grid, piece.cells);
  const { box, hull } = fitBox(points);
  const longest = Math.max(...box.size);
  if (longest > parameters.maxSideM || longest < parameters.minSideM) return undefined;
  const outline = outlineOf(grid, piece.outline, pieceOf, id, region);
  return {
    box,
    hull,
    points,
    pixelCount: piece.cells.length * grid.stride * grid.stride,
    depthSigmaM: grid.sigma[piece.cells[piece.cells.length >> 1]],
    distanceM,
    truncated: outline.truncated,
    occludedShare: outline.occludedShare,
    rect: rectOf(grid, piece.cells),
  };
}

/** Median of a sample: what it is used for needs no more. */
function medianDepth(grid: CloudGrid, piece: Int32Array): number {
  const n = Math.min(MEDIAN_SAMPLES, piece.length);
  const depths = new Float32Array(n);
  for (let k = 0; k < n; k++) depths[k] = grid.depth[piece[Math.floor((k * piece.length) / n)]];
  depths.sort();
  return depths[n >> 1];
}

/** At most a few hundred points, evenly over the piece (cells are in picture order). */
function thinPoints(grid: CloudGrid, piece: Int32Array): Float32Array {
  const n = Math.min(POINTS_KEPT, piece.length);
  const points = new Float32Array(3 * n);
  for (let k = 0; k < n; k++) {
    const i = piece[Math.floor((k * piece.length) / n)];
    points[3 * k] = grid.x[i];
    points[3 * k + 1] = grid.y[i];
    points[3 * k + 2] = grid.z[i];
  }
  return points;
}

/** Walks the outline: does it meet the edge of the picture, and how much of it lies behind something nearer? */
function outlineOf(
  grid: CloudGrid,
  cells: Int32Array,
  pieceOf: Int32Array,
  id: number,
  region: MeasurableRegion,
): { truncated: boolean; occludedShare: number } {
  let sides = 0;
  let hidden = 0;
  let edge = 0;
  for (let k = 0; k < cells.length; k++) {
    const i = cells[k];
    if (touchesEdge(grid, region, i, EDGE_MARGIN)) edge++;
    for (let side = 0; side < 4; side++) {
      const j = side === 0 ? i - 1 : side === 1 ? i + 1 : side === 2 ? i - grid.width : i + grid.width;
      if (j < 0 || j >= pieceOf.length || pieceOf[j] === id) continue;
      sides++;
      const depth = grid.depth[j];
      if (depth > 0 && depth < grid.depth[i] - Math.max(0.03, 6 * grid.sigma[i])) hidden++;
    }
  }
  return { truncated: edge >= 2, occludedShare: sides === 0 ? 0 : hidden / sides };
}
