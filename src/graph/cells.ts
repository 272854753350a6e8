import type { Box } from '../math/types.js';

/**
 * Coarse occupancy of a thing: cells of a 4 cm grid in the map. Two things overlap where their cells meet; one cell of
 * slack takes up noise and the sides that different viewpoints show.
 */

export const CELL_M = 0.04;

/**
 * A block of the grid around all occupied cells, one bit each: 32 cells of one column in a word. What is compared with
 * many others in every frame is compared word by word.
 */
export interface Cells {
  /** Occupied ones. */
  readonly count: number;
  /** First column along x and y, and first word along z (of 32 cells, from the map's origin on). */
  readonly x0: number;
  readonly y0: number;
  readonly w0: number;
  /** Columns along x and y, words along z. */
  readonly nx: number;
  readonly ny: number;
  readonly nw: number;
  /** Words along z first, then y, then x. */
  readonly bits: Int32Array;
}

export const NO_CELLS: Cells = {
  count: 0,
  x0: 0,
  y0: 0,
  w0: 0,
  nx: 0,
  ny: 0,
  nw: 0,
  bits: new Int32Array(0),
};

/** The cell of a coordinate along its axis. */
export function cellIndex(metres: number): number {
  return Math.floor(metres / CELL_M);
}

/** Cells of a set of points, xyz triples. */
export function cellsOf(points: Float32Array): Cells {
  const range = emptyRange();
  for (let k = 0; k < points.length; k += 3)
    widen(range, cellIndex(points[k]), cellIndex(points[k + 1]), cellIndex(points[k + 2]));
  const block = blockOf(range);
  for (let k = 0; k < points.length; k += 3)
    occupy(block, cellIndex(points[k]), cellIndex(points[k + 1]), cellIndex(points[k + 2]));
  return counted(block);
}

/** Calls back with each occupied cell: its number along x, y and z from the map's origin on. */
export function forEachCell(cells: Cells, visit: (x: number, y: number, z: number) => void): void {
  const { x0, y0, w0, nx, ny, nw, bits } = cells;
  let at = 0;
  for (let x = x0; x < x0 + nx; x++) {
    for (let y = y0; y < y0 + ny; y++) {
      for (let w = w0; w < w0 + nw; w++) {
        for (let word = bits[at++]; word !== 0; word &= word - 1)
          visit(x, y, 32 * w + 31 - Math.clz32(word & -word));
      }
    }
  }
}

/** Share of `inner` within or next to `outer`; 0 for an empty set. */
export function coveredShare(inner: Cells, outer: Cells): number {
  if (inner.count === 0 || outer.count === 0) return 0;
  const fromX = Math.max(inner.x0, outer.x0 - 1);
  const toX = Math.min(inner.x0 + inner.nx, outer.x0 + outer.nx + 1);
  const fromY = Math.max(inner.y0, outer.y0 - 1);
  const toY = Math.min(inner.y0 + inner.ny, outer.y0 + outer.ny + 1);
  let covered = 0;
  for (let x = fromX; x < toX; x++) {
    for (let y = fromY; y < toY; y++) {
      const column = ((x - inner.x0) * inner.ny + y - inner.y0) * inner.nw;
      for (let k = 0; k < inner.nw; k++) {
        const word = inner.bits[column + k];
        if (word !== 0) covered += bitCount(word & grownWord(outer, x, y, inner.w0 + k));
      }
    }
  }
  return covered / inner.count;
}

/** Word `w` of a column of a set with all neighbours of its cells. */
function grownWord(cells: Cells, x: number, y: number, w: number): number {
  const { ny, nw, bits } = cells;
  const k = w - cells.w0;
  if (k < -1 || k > nw) return 0;
  const fromX = Math.max(0, x - 1 - cells.x0);
  const toX = Math.min(cells.nx, x + 2 - cells.x0);
  const fromY = Math.max(0, y - 1 - cells.y0);
  const toY = Math.min(ny, y + 2 - cells.y0);
  let below = 0;
  let here = 0;
  let above = 0;
  for (let a = fromX; a < toX; a++) {
    for (let b = fromY; b < toY; b++) {
      const at = (a * ny + b) * nw + k;
      if (k > 0) below |= bits[at - 1];
      if (k >= 0 && k < nw) here |= bits[at];
      if (k + 1 < nw) above |= bits[at + 1];
    }
  }
  return here | (here << 1) | (here >>> 1) | (below >>> 31) | (above << 31);
}

/**
 * `known` and `seen` cells together, as far as they lie in the box grown by one cell: what a thing was once joined with
 * in the picture drops off when the box does no longer reach there, and can become a thing of its own.
 */
export function cellsWithin(known: Cells, seen: Cells, box: Box): Cells {
  const isIn = insideTest(box, CELL_M);
  const range = emptyRange();
  let outside = 0;
  let fresh = 0;
  forEachCell(known, (x, y, z) => {
    if (isIn(x, y, z)) widen(range, x, y, z);
    else outside++;
  });
  forEachCell(seen, (x, y, z) => {
    if (isOccupied(known, x, y, z) || !isIn(x, y, z)) return;
    widen(range, x, y, z);
    fresh++;
  });
  // A few strays at the rim come and go; making the block anew for them would cost more than they do harm.
  if (fresh === 0 && outside <= known.count / 20) return known;
  const block = blockOf(range);
  const keep = (x: number, y: number, z: number): void => {
    if (isIn(x, y, z)) occupy(block, x, y, z);
  };
  forEachCell(known, keep);
  forEachCell(seen, keep);
  return counted(block);
}

/** A block beyond this many words is not made for a union: two things so far apart share nothing. */
const LARGEST_UNION = 1 << 18;

/** Cells of both; those of the first alone when they lie too far apart for one block. */
export function unionOfCells(first: Cells, second: Cells): Cells {
  const range = emptyRange();
  for (const { count, x0, y0, w0, nx, ny, nw } of [first, second]) {
    if (count === 0) continue;
    widen(range, x0, y0, 32 * w0);
    widen(range, x0 + nx - 1, y0 + ny - 1, 32 * (w0 + nw) - 1);
  }
  if (wordsOf(range) > LARGEST_UNION) return first;
  const block = blockOf(range);
  for (const cells of [first, second]) forEachCell(cells, (x, y, z) => occupy(block, x, y, z));
  return counted(block);
}

function isOccupied({ x0, y0, w0, nx, ny, nw, bits }: Cells, x: number, y: number, z: number): boolean {
  const a = x - x0;
  const b = y - y0;
  const k = (z >> 5) - w0;
  if (a < 0 || b < 0 || k < 0 || a >= nx || b >= ny || k >= nw) return false;
  return ((bits[(a * ny + b) * nw + k] >>> (z & 31)) & 1) === 1;
}

/** Whether the middle of a cell lies in a box grown by `margin` metres. */
export function insideTest(
  { center, size, yaw }: Box,
  margin: number,
): (x: number, y: number, z: number) => boolean {
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const halfX = size[0] / 2 + margin;
  const halfY = size[1] / 2 + margin;
  const halfZ = size[2] / 2 + margin;
  return (x, y, z) => {
    const dx = (x + 0.5) * CELL_M - center[0];
    const dy = (y + 0.5) * CELL_M - center[1];
    return (
      Math.abs(c * dx + s * dy) <= halfX &&
      Math.abs(c * dy - s * dx) <= halfY &&
      Math.abs((z + 0.5) * CELL_M - center[2]) <= halfZ
    );
  };
}

interface Range {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
  z0: number;
  z1: number;
}

function emptyRange(): Range {
  return { x0: Infinity, x1: -Infinity, y0: Infinity, y1: -Infinity, z0: Infinity, z1: -Infinity };
}

function widen(range: Range, x: number, y: number, z: number): void {
  if (x < range.x0) range.x0 = x;
  if (x > range.x1) range.x1 = x;
  if (y < range.y0) range.y0 = y;
  if (y > range.y1) range.y1 = y;
  if (z < range.z0) range.z0 = z;
  if (z > range.z1) range.z1 = z;
}

function wordsOf({ x0, x1, y0, y1, z0, z1 }: Range): number {
  return x1 < x0 ? 0 : (x1 - x0 + 1) * (y1 - y0 + 1) * ((z1 >> 5) - (z0 >> 5) + 1);
}

function blockOf(range: Range): Cells {
  const words = wordsOf(range);
  if (words === 0) return NO_CELLS;
  const { x0, x1, y0, y1, z0, z1 } = range;
  const w0 = z0 >> 5;
  const block = { count: 0, x0, y0, w0, nx: x1 - x0 + 1, ny: y1 - y0 + 1, nw: (z1 >> 5) - w0 + 1 };
  return { ...block, bits: new Int32Array(words) };
}

function occupy({ x0, y0, w0, ny, nw, bits }: Cells, x: number, y: number, z: number): void {
  bits[((x - x0) * ny + y - y0) * nw + (z >> 5) - w0] |= 1 << (z & 31);
}

function counted(block: Cells): Cells {
  let count = 0;
  for (const word of block.bits) if (word !== 0) count += bitCount(word);
  return { ...block, count };
}

/** Number of bits set in a word, by adding up neighbouring groups of 2, 4, 8 bits. */
function bitCount(word: number): number {
  let sum = word - ((word >>> 1) & 0x55555555);
  sum = (sum & 0x33333333) + ((sum >>> 2) & 0x33333333);
  sum = (sum + (sum >>> 4)) & 0x0f0f0f0f;
  return Math.imul(sum, 0x01010101) >>> 24;
}
