import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CELL_M, cellInBox, cellsOf, coveredShare, packCell } from '../../src/graph/cells.js';
import { box } from '../fixtures/graphStates.js';
import { seenBox } from '../fixtures/observations.js';

const metre = fc.double({ min: -1000, max: 1000, noNaN: true });

describe('cells of the 4 cm grid', () => {
  it('are the same number for points of one cell and different for neighbours, a kilometre from the origin too', () => {
    const cellIndex = fc.integer({ min: -25_000, max: 25_000 });
    const within = fc.double({ min: 0.05, max: 0.95, noNaN: true });
    fc.assert(
      fc.property(cellIndex, cellIndex, cellIndex, within, within, (a, b, c, s, t) => {
        const at = (i: number, j: number, k: number, share: number): number =>
          packCell((i + share) * CELL_M, (j + share) * CELL_M, (k + share) * CELL_M);
        assert.equal(at(a, b, c, s), at(a, b, c, t));
        for (const other of [at(a + 1, b, c, s), at(a, b - 1, c, s), at(a, b, c + 1, s)])
          assert.notEqual(other, at(a, b, c, s));
        assert.ok(Number.isSafeInteger(at(a, b, c, s)));
      }),
    );
  });

  it('know where they are', () => {
    fc.assert(
      fc.property(metre, metre, metre, (x, y, z) => {
        const cell = packCell(x, y, z);
        assert.ok(cellInBox(cell, box([x, y, z], [0.0001, 0.0001, 0.0001]), CELL_M / 2 + 1e-4));
        assert.ok(!cellInBox(cell, box([x + 0.2, y, z], [0.1, 0.1, 0.1]), 0));
      }),
    );
  });

  it('cover what lies in them or next to them, and nothing farther', () => {
    const cup = cellsOf(seenBox(box([0.5, 0.5, 0.8])).points);
    const moved = (by: number): ReadonlySet<number> => cellsOf(seenBox(box([0.5 + by, 0.5, 0.8])).points);
    assert.equal(coveredShare(cup, cup), 1);
    assert.equal(coveredShare(moved(0.02), cup), 1);
    assert.equal(coveredShare(moved(0.3), cup), 0);
    const half = coveredShare(moved(0.12), cup);
    assert.ok(half > 0.1 && half < 0.9, `${half}`);
  });

  it('of nothing cover nothing', () => {
    const cup = cellsOf(seenBox(box([0, 0, 0])).points);
    assert.equal(coveredShare(new Set(), cup), 0);
    assert.equal(coveredShare(cup, new Set()), 0);
  });
});
