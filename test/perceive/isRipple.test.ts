import assert from 'node:assert/strict';
import { isRipple } from '../../src/perceive/isRipple.js';
import { pieceFrom } from '../../src/perceive/Piece.js';
import type { CloudGrid } from '../../src/perceive/CloudGrid.js';
import { downPicture, gridOf, inRectangle } from '../fixtures/heightField.js';

type HeightAt = (x: number, y: number) => number;

/** The cells that stand out of a level surface by more than 5 mm, and whether they pass for a ripple of it. */
function judge(heightAt: HeightAt, isSupport: HeightAt = () => 1): boolean {
  const grid: CloudGrid = gridOf(downPicture(heightAt));
  const piece: number[] = [];
  const owner = new Int16Array(grid.depth.length);
  const pieceOf = new Int32Array(grid.depth.length);
  for (let i = 0; i < owner.length; i++) {
    if (grid.depth[i] === 0) continue;
    if (grid.z[i] > 0.005) {
      piece.push(i);
      pieceOf[i] = 1;
    } else if (isSupport(grid.x[i], grid.y[i]) === 1) {
      owner[i] = 1;
    }
  }
  assert.ok(piece.length > 20);
  return isRipple(grid, owner, 1, pieceFrom(grid, Int32Array.from(piece), pieceOf, 1), pieceOf, 1);
}

const swell =
  (height: number): HeightAt =>
  (x, y) =>
    height * Math.exp(-(x * x + y * y) / 0.02);

describe('isRipple', () => {
  it('takes a swelling that rises without an edge for a ripple', () => {
    assert.equal(judge(swell(0.012)), true);
    assert.equal(judge(swell(0.025)), true);
  });

  it('takes what rises with an edge for a thing, be it as thin as a magazine', () => {
    for (const height of [0.012, 0.03, 0.2])
      assert.equal(
        judge((x, y) => (inRectangle(x, y, [0, 0, 0.2, 0.15]) ? height : 0)),
        false,
      );
  });

  it('takes what is high for a thing even where it rises gently', () => {
    assert.equal(judge(swell(0.08)), false);
  });

  it('takes a flat scrap that borders on no surface for a part of one that was not found', () => {
    const onScrap = (x: number, y: number): boolean => inRectangle(x, y, [0, 0, 0.2, 0.02]);
    const nowhere: HeightAt = () => 0;
    assert.equal(
      judge((x, y) => (onScrap(x, y) ? 0.02 : -0.3), nowhere),
      true,
    );
    assert.equal(
      judge((x, y) => (onScrap(x, y) ? 0.1 + 2 * y : -0.3), nowhere),
      false,
    );
  });
});
