import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Map as ImmutableMap } from 'immutable';
import { isTree, mapOfShape } from '../../src/store/mapShape.js';

interface Step {
  readonly key: string | number;
  readonly isRemoval: boolean;
}

/** Few keys, so that removals hit; some that share a hash ("c0" and "an"), numbers, and the empty text. */
const key = fc.oneof(
  fc.constantFrom<string | number>('', 'c0', 'an', 'c0_1', 'an_1', 0, 1, 2),
  fc.integer({ min: 0, max: 15 }).map((n) => `object_${n}`),
);
const steps = fc.array(fc.record<Step>({ key, isRemoval: fc.boolean() }), { maxLength: 60 });

function after(map: ImmutableMap<string | number, number>, list: readonly Step[]): typeof map {
  return list.reduce((next, { key: k, isRemoval }, n) => (isRemoval ? next.delete(k) : next.set(k, n)), map);
}

describe('mapShape', () => {
  it('restores a map that goes on as the stored one, whatever happened to it before and happens next', () => {
    fc.assert(
      fc.property(steps, steps, (past, future) => {
        const stored = after(ImmutableMap(), past);
        const restored = mapOfShape([...stored], isTree(stored));
        assert.deepEqual([...restored], [...stored]);
        for (let n = 1; n <= future.length; n++) {
          const [a, b] = [stored, restored].map((map) => after(map, future.slice(0, n)));
          assert.deepEqual([...b], [...a]);
          assert.equal(isTree(b), isTree(a));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('tells a list from a tree that has shrunk to the same entries', () => {
    const list = ImmutableMap<string, number>([
      ['b', 1],
      ['a', 2],
    ]);
    const many = Array.from({ length: 20 }, (_, k) => `k${k}`);
    const tree = list.withMutations((map) => many.forEach((k) => map.set(k, 0))).deleteAll(many);
    assert.equal(isTree(list), false);
    assert.equal(isTree(tree), true);
    assert.equal(isTree(ImmutableMap<string, number>()), false);
  });
});
