import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CloudGrid } from '../../../src/perceive/CloudGrid.js';
import { findComponents } from '../../../src/perceive/components.js';
import { SMALL, roughGrid, roughPicture } from '../../fixtures/roughPicture.js';

const JOIN = { joinM: 0.01, joinSigmas: 3 };

function neighbours({ width, height }: CloudGrid, i: number, reach: number): number[] {
  const [u, v] = [i % width, Math.floor(i / width)];
  const out: number[] = [];
  for (let b = Math.max(0, v - reach); b <= Math.min(height - 1, v + reach); b++)
    for (let a = Math.max(0, u - reach); a <= Math.min(width - 1, u + reach); a++) out.push(b * width + a);
  return out;
}

function areJoined(grid: CloudGrid, i: number, j: number, factor: number): boolean {
  const later = Math.max(i, j);
  const { x, y, z, sigma, depth, cellAngle } = grid;
  const limit =
    factor * Math.max(JOIN.joinM, JOIN.joinSigmas * sigma[later]) + 1.5 * cellAngle * depth[later];
  const [dx, dy, dz] = [x, y, z].map((of) => of[i] - of[j]);
  return dx * dx + dy * dy + dz * dz < limit * limit;
}

/** Pieces by walking from cell to cell. */
function walked(grid: CloudGrid, cells: readonly number[], factor: number, minCells: number): number[][] {
  const open = new Set(cells);
  const pieces: number[][] = [];
  for (const start of cells) {
    if (!open.delete(start)) continue;
    const piece = [start];
    for (let k = 0; k < piece.length; k++)
      for (const j of neighbours(grid, piece[k], 1))
        if (open.has(j) && areJoined(grid, piece[k], j, factor)) {
          open.delete(j);
          piece.push(j);
        }
    if (piece.length >= minCells) pieces.push(piece.sort((a, b) => a - b));
  }
  return pieces;
}

/** The parts of a piece without its rim, each with what of the rim is nearest to it in depth; the piece if it is one. */
function parted(grid: CloudGrid, piece: readonly number[], minCells: number): number[][] {
  const { width, height, depth } = grid;
  const own = new Set(piece);
  const core = piece.filter((i) => {
    const [u, v] = [i % width, Math.floor(i / width)];
    const isInside = u > 0 && u < width - 1 && v > 0 && v < height - 1;
    return isInside && [i - 1, i + 1, i - width, i + width].every((j) => own.has(j));
  });
  const parts = walked(grid, core, 0.5, minCells);
  if (parts.length < 2) return [[...piece]];
  const partOf = new Map(parts.flatMap((part, p) => part.map((i) => [i, p] as const)));
  const rims = parts.map((): number[] => []);
  for (const i of piece.filter((cell) => !partOf.has(cell))) {
    const near = neighbours(grid, i, 2)
      .filter((j) => partOf.has(j) && Math.abs(depth[j] - depth[i]) < 0.03)
      .sort((a, b) => Math.abs(depth[a] - depth[i]) - Math.abs(depth[b] - depth[i]) || a - b);
    if (near.length > 0) rims[partOf.get(near[0]) ?? 0].push(i);
  }
  return parts.map((part, p) => [...part, ...rims[p]]);
}

function width({ x, y }: CloudGrid, piece: readonly number[]): number {
  const spread = (of: Float32Array): number =>
    Math.max(...piece.map((i) => of[i])) - Math.min(...piece.map((i) => of[i]));
  return Math.max(spread(x), spread(y));
}

describe('the kernels of pieces', () => {
  it('part the free cells as walking from cell to cell does, and wide pieces once more', () => {
    fc.assert(
      fc.property(
        roughPicture(SMALL),
        fc.constantFrom(0, 0.2, Infinity),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 2, max: 40 }),
        (picture, splitWidthM, minCells, structure) => {
          const grid = roughGrid(picture);
          grid.owner.forEach((_, i) => (grid.owner[i] = i % structure === 1 ? 1 : 0));
          const free = [...grid.depth.keys()].filter((i) => grid.depth[i] > 0 && grid.owner[i] === 0);
          const expected = walked(grid, free, 1, minCells).flatMap((piece) =>
            width(grid, piece) > splitWidthM ? parted(grid, piece, minCells) : [piece],
          );
          const pieces = findComponents(grid, { ...JOIN, splitWidthM, minCells });
          assert.deepEqual(
            pieces.map((piece) => [...piece]),
            expected.sort((a, b) => b.length - a.length || a[0] - b[0]),
          );
        },
      ),
      { numRuns: 100 },
    );
  });
});
