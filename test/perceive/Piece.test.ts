import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pieceFrom } from '../../src/perceive/Piece.js';
import { downPicture, gridOf } from '../fixtures/heightField.js';

describe('pieceFrom', () => {
  const grid = gridOf(downPicture(() => 0, { size: [12, 9] }));
  const { width, height } = grid;

  /** Plainly: a cell is inside when all four beside it are in the picture and of the piece. */
  function isInside(cells: ReadonlySet<number>, i: number): boolean {
    const u = i % width;
    const v = Math.floor(i / width);
    const isAt = (a: number, b: number): boolean =>
      a >= 0 && b >= 0 && a < width && b < height && cells.has(b * width + a);
    return isAt(u - 1, v) && isAt(u + 1, v) && isAt(u, v - 1) && isAt(u, v + 1);
  }

  it('outlines a piece by the cells with a side that is not inside it, for any shape', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { minLength: 108, maxLength: 108 }), (mask) => {
        // Dense enough that some cells are inside.
        const cells = Int32Array.from(mask.flatMap((isOut, i) => (isOut && i % 5 === 0 ? [] : [i])));
        const pieceOf = new Int32Array(width * height);
        for (const i of cells) pieceOf[i] = 3;
        const set = new Set(cells);
        const expected = [...cells].filter((i) => !isInside(set, i));
        assert.deepEqual([...pieceFrom(grid, cells, pieceOf, 3).outline], expected);
      }),
    );
  });

  it('counts the cells of another piece as outside', () => {
    const pieceOf = new Int32Array(width * height).fill(1);
    const middle = 4 * width + 5;
    pieceOf[middle] = 2;
    const { outline } = pieceFrom(grid, Int32Array.of(middle), pieceOf, 2);
    assert.deepEqual([...outline], [middle]);
  });
});
