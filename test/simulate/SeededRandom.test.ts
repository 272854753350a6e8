import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SeededRandom } from '../../src/simulate/SeededRandom.js';

const draw = (random: SeededRandom, count: number): number[] =>
  Array.from({ length: count }, () => random.normal());

describe('SeededRandom', () => {
  it('gives the same stream for the same seed and another one for the next seed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => {
        const first = draw(new SeededRandom(seed), 8);
        assert.deepEqual(draw(new SeededRandom(seed), 8), first);
        assert.notDeepEqual(draw(new SeededRandom(seed + 1), 8), first);
      }),
    );
  });

  it('draws normal deviates of mean 0 and variance 1', () => {
    const values = draw(new SeededRandom(5), 40_000);
    const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    assert.ok(Math.abs(mean) < 0.02, `mean ${mean}`);
    assert.ok(Math.abs(variance - 1) < 0.03, `variance ${variance}`);
  });

  it('spreads whole numbers evenly', () => {
    const random = new SeededRandom(9);
    const counts = new Array<number>(10).fill(0);
    for (let i = 0; i < 20_000; i++) counts[random.below(10)]++;
    for (const count of counts) assert.ok(Math.abs(count - 2000) < 200, `${counts.join(' ')}`);
  });

  it('shuffles without losing anything', () => {
    const items = [1, 2, 3, 4, 5, 6, 7];
    const shuffled = new SeededRandom(2).shuffled(items);
    assert.deepEqual([...shuffled].sort(), items);
    assert.notDeepEqual(shuffled, items);
  });

  it('refuses to pick from nothing', () => assert.throws(() => new SeededRandom(1).pick([]), RangeError));
});
