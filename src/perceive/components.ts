import type { CloudGrid } from './CloudGrid.js';

/**
 * Connected pieces of what is not structure: 8-neighbours of the organised cloud are joined where the step between
 * them is no larger than noise and slant explain. Wide pieces are tried again with a narrower step after losing
 * their rim, since things that touch in the picture are often joined by a few flying pixels.
 */

export interface ComponentParameters {
  /** Join limit: max(this, joinSigmas·σ, 1.5 cell widths), metres. */
  readonly joinM: number;
  readonly joinSigmas: number;
  /** Pieces wider than this are parted again, metres. */
  readonly splitWidthM: number;
  /** Cells that make a piece. */
  readonly minCells: number;
}

/**
 * Cells of each piece; pieces largest first. Those of a parted piece end with its share of the rim. They lie in the
 * cloud's own memory, as the cloud does.
 */
export function findComponents(
  { kernels, lists: { patches, table }, cellAngle }: CloudGrid,
  { joinM, joinSigmas, splitWidthM, minCells }: ComponentParameters,
): Int32Array[] {
  const count = kernels.findPieces(cellAngle, joinM, joinSigmas, splitWidthM, minCells);
  const pieces: Int32Array[] = [];
  for (let k = 0; k < count; k++)
    pieces.push(patches.subarray(table[2 * k], table[2 * k] + table[2 * k + 1]));
  return pieces.sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** Writes each piece's number, from 1, to its cells. */
export function numberCells(pieces: readonly Int32Array[], numbers: Int32Array): void {
  for (let k = 0; k < pieces.length; k++) {
    const cells = pieces[k];
    for (let c = 0; c < cells.length; c++) numbers[cells[c]] = k + 1;
  }
}
