import type { CloudGrid } from './CloudGrid.js';

/** A connected piece of what is not structure. */
export interface Piece {
  /** Its cells, mostly in picture order. */
  readonly cells: Int32Array;
  /** Those of its cells with a side that is not inside the piece, in the order of `cells`. */
  readonly outline: Int32Array;
}

/**
 * Finds a piece's outline, which is a small part of it and all that most questions need.
 * @param pieceOf number of the piece per cell, 0 for none
 * @param id this piece's number
 */
export function pieceFrom(
  { width, height }: CloudGrid,
  cells: Int32Array,
  pieceOf: Int32Array,
  id: number,
): Piece {
  const outline = new Int32Array(cells.length);
  const lastRow = width * (height - 1);
  let count = 0;
  for (let k = 0; k < cells.length; k++) {
    const i = cells[k];
    const isInside =
      pieceOf[i - 1] === id &&
      pieceOf[i + 1] === id &&
      pieceOf[i - width] === id &&
      pieceOf[i + width] === id &&
      i >= width &&
      i < lastRow &&
      i % width !== 0 &&
      (i + 1) % width !== 0;
    if (!isInside) outline[count++] = i;
  }
  return { cells, outline: outline.slice(0, count) };
}
