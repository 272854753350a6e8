import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  CELL_M,
  cellsOf,
  cellsWithin,
  coveredShare,
  forEachCell,
  insideTest,
  NO_CELLS,
  unionOfCells,
  type Cells,
} from '../../src/graph/cells.js';
import { box } from '../fixtures/graphStates.js';
import { seenBox } from '../fixtures/observations.js';

type Cell = readonly [x: number, y: number, z: number];

/** Cells from their numbers, by points in their middles. */
function made(list: readonly Cell[]): Cells {
  return cellsOf(Float32Array.from(list.flatMap((cell) => cell.map((i) => (i + 0.5) * CELL_M))));
}

/** What a set of cells holds, as sorted texts. */
function listed(cells: Cells): string[] {
  const list: string[] = [];
  forEachCell(cells, (x, y, z) => list.push(`${x} ${y} ${z}`));
  return list.sort();
}

function namesOf(list: readonly Cell[]): string[] {
  return [...new Set(list.map((cell) => cell.join(' ')))].sort();
}

const index = fc.integer({ min: -6, max: 6 });
/** Around a border of words along z, where a column goes over from one word to the next. */
const someCells = fc.array(fc.tuple(index, index, fc.integer({ min: 26, max: 38 })), { maxLength: 40 });

describe('cells of the 4 cm grid', () => {
  it('are those of the points, a kilometre from the origin and below zero too', () => {
    const far = fc.integer({ min: -25_000, max: 25_000 });
    fc.assert(
      fc.property(far, far, far, someCells, (x, y, z, near) => {
        const list = near.map(([a, b, c]): Cell => [x + a, y + b, z + c]);
        const cells = made(list);
        assert.deepEqual(listed(cells), namesOf(list));
        assert.equal(cells.count, namesOf(list).length);
      }),
    );
  });

  it('know whether their middles lie in a box', () => {
    const metre = fc.double({ min: -1000, max: 1000, noNaN: true });
    fc.assert(
      fc.property(metre, metre, metre, (x, y, z) => {
        const at = [x, y, z].map((m) => Math.floor(m / CELL_M)) as [number, number, number];
        assert.ok(insideTest(box([x, y, z], [0.0001, 0.0001, 0.0001]), CELL_M / 2 + 1e-4)(...at));
        assert.ok(!insideTest(box([x + 0.2, y, z], [0.1, 0.1, 0.1]), 0)(...at));
      }),
    );
  });

  it('cover the share that counting neighbours one by one gives', () => {
    fc.assert(
      fc.property(someCells, someCells, (inner, outer) => {
        const cells = [...new Map(inner.map((cell) => [cell.join(' '), cell])).values()];
        const isCovered = (a: Cell): boolean =>
          outer.some((b) => a.every((i, axis) => Math.abs(i - (b[axis] ?? NaN)) <= 1));
        const expected = cells.length === 0 ? 0 : cells.filter(isCovered).length / cells.length;
        assert.equal(coveredShare(made(inner), made(outer)), expected);
      }),
    );
  });

  it('cover what lies in them or next to them, and nothing farther', () => {
    const cup = cellsOf(seenBox(box([0.5, 0.5, 0.8])).points);
    const moved = (by: number): Cells => cellsOf(seenBox(box([0.5 + by, 0.5, 0.8])).points);
    assert.equal(coveredShare(cup, cup), 1);
    assert.equal(coveredShare(moved(0.02), cup), 1);
    assert.equal(coveredShare(moved(0.3), cup), 0);
    const half = coveredShare(moved(0.12), cup);
    assert.ok(half > 0.1 && half < 0.9, `${half}`);
  });

  it('of nothing cover nothing', () => {
    const cup = cellsOf(seenBox(box([0, 0, 0])).points);
    assert.equal(coveredShare(NO_CELLS, cup), 0);
    assert.equal(coveredShare(cup, NO_CELLS), 0);
  });

  it('known and seen are kept as far as they lie in the box, unless nothing but a few strays changes', () => {
    const side = fc.double({ min: 0.02, max: 0.6, noNaN: true });
    fc.assert(
      fc.property(someCells, someCells, side, side, (known, seen, width, height) => {
        const within = box([0, 0, 32 * CELL_M], [width, 0.3, height], 0.3);
        const isIn = insideTest(within, CELL_M);
        const kept = namesOf([...known, ...seen].filter((cell) => isIn(...cell)));
        const before = made(known);
        const after = cellsWithin(before, made(seen), within);
        if (after !== before) assert.deepEqual(listed(after), kept);
        else
          assert.ok(
            kept.length >= 0.95 * before.count && kept.every((name) => listed(before).includes(name)),
          );
      }),
    );
  });

  it('of two things together are those of either; of things a kilometre apart, those of the first', () => {
    fc.assert(
      fc.property(someCells, someCells, (a, b) => {
        assert.deepEqual(listed(unionOfCells(made(a), made(b))), namesOf([...a, ...b]));
      }),
    );
    const here = made([[0, 0, 0]]);
    assert.equal(unionOfCells(here, made([[25_000, 25_000, 0]])), here);
  });
});
