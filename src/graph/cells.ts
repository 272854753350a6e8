import { containsPoint } from '../math/box.js';
import type { Box } from '../math/types.js';

/**
 * Coarse occupancy of a thing: cells of a 4 cm grid in the map. Two things overlap where their cells meet; one cell of
 * slack takes up noise and the sides that different viewpoints show.
 */

export const CELL_M = 0.04;
const OFFSET = 0x8000;
const SPAN = 0x10000;

/** One number per cell; good to ±1.3 km. */
export function packCell(x: number, y: number, z: number): number {
  return (
    ((Math.floor(x / CELL_M) + OFFSET) * SPAN + (Math.floor(y / CELL_M) + OFFSET)) * SPAN +
    (Math.floor(z / CELL_M) + OFFSET)
  );
}

/** Cells of a set of points, xyz triples. */
export function cellsOf(points: Float32Array): Set<number> {
  const cells = new Set<number>();
  for (let k = 0; k < points.length; k += 3) cells.add(packCell(points[k], points[k + 1], points[k + 2]));
  return cells;
}

/** Whether the middle of a cell lies in a box grown by `margin` metres. */
export function cellInBox(cell: number, box: Box, margin: number): boolean {
  const c = cell % SPAN;
  const ab = (cell - c) / SPAN;
  const b = ab % SPAN;
  const a = (ab - b) / SPAN;
  return containsPoint(
    box,
    [(a - OFFSET + 0.5) * CELL_M, (b - OFFSET + 0.5) * CELL_M, (c - OFFSET + 0.5) * CELL_M],
    margin,
  );
}

const NEIGHBOURS: readonly number[] = [-1, 0, 1].flatMap((a) =>
  [-1, 0, 1].flatMap((b) => [-1, 0, 1].map((c) => (a * SPAN + b) * SPAN + c)),
);

/** Grown sets, kept as long as the set they were made of: things change their cells far less often than they are compared. */
const dilatedOf = new WeakMap<ReadonlySet<number>, ReadonlySet<number>>();

/** A set with all neighbours of its cells. */
function dilated(cells: ReadonlySet<number>): ReadonlySet<number> {
  const known = dilatedOf.get(cells);
  if (known !== undefined) return known;
  const grown = new Set<number>();
  for (const cell of cells) for (const step of NEIGHBOURS) grown.add(cell + step);
  dilatedOf.set(cells, grown);
  return grown;
}

/** Share of `inner` within or next to `outer`; 0 for an empty set. */
export function coveredShare(inner: ReadonlySet<number>, outer: ReadonlySet<number>): number {
  if (inner.size === 0 || outer.size === 0) return 0;
  const around = dilated(outer);
  let covered = 0;
  for (const cell of inner) if (around.has(cell)) covered++;
  return covered / inner.size;
}
