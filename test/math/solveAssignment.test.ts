import assert from 'node:assert/strict';
import fc from 'fast-check';
import { solveAssignment } from '../../src/math/solveAssignment.js';

/** Pairs made and their total cost. */
function value(costs: number[][], columns: readonly (number | undefined)[]): { pairs: number; cost: number } {
  let pairs = 0;
  let cost = 0;
  columns.forEach((column, row) => {
    if (column === undefined) return;
    pairs += 1;
    cost += costs[row][column];
  });
  return { pairs, cost };
}

/** Every way to give rows to columns, tried out. */
function bruteForce(
  costs: number[][],
  row = 0,
  used: readonly number[] = [],
): { pairs: number; cost: number } {
  if (row === costs.length) return { pairs: 0, cost: 0 };
  let best = bruteForce(costs, row + 1, used);
  costs[row].forEach((cost, column) => {
    if (!Number.isFinite(cost) || used.includes(column)) return;
    const rest = bruteForce(costs, row + 1, [...used, column]);
    const here = { pairs: rest.pairs + 1, cost: rest.cost + cost };
    if (here.pairs > best.pairs || (here.pairs === best.pairs && here.cost < best.cost)) best = here;
  });
  return best;
}

describe('solveAssignment', () => {
  it('gives up the nearest pair when the whole is cheaper without it', () => {
    // prettier-ignore
    const costs = [[1, 2],
                   [2, 9]];
    assert.deepEqual(solveAssignment(costs), [1, 0]);
  });

  it('makes more pairs rather than cheaper ones', () => {
    // prettier-ignore
    const costs = [[0, 5],
                   [1, Infinity]];
    assert.deepEqual(solveAssignment(costs), [1, 0]);
  });

  it('leaves out what has no allowed partner', () => {
    assert.deepEqual(solveAssignment([[Infinity], [3]]), [undefined, 0]);
    assert.deepEqual(solveAssignment([]), []);
    assert.deepEqual(solveAssignment([[], []]), [undefined, undefined]);
  });

  it('equals brute force on random problems with forbidden pairs and unequal sides', () => {
    const cost = fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: -20, max: 50 }) },
      { weight: 1, arbitrary: fc.constant(Infinity) },
    );
    const problem = fc
      .record({ rows: fc.integer({ min: 1, max: 5 }), columns: fc.integer({ min: 1, max: 5 }) })
      .chain(({ rows, columns }) =>
        fc.array(fc.array(cost, { minLength: columns, maxLength: columns }), {
          minLength: rows,
          maxLength: rows,
        }),
      );
    fc.assert(
      fc.property(problem, (costs) => {
        const columns = solveAssignment(costs);
        const taken = columns.filter((column) => column !== undefined);
        assert.equal(new Set(taken).size, taken.length);
        assert.deepEqual(value(costs, columns), bruteForce(costs));
      }),
      { numRuns: 300 },
    );
  });
});
