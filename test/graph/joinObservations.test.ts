import assert from 'node:assert/strict';
import fc from 'fast-check';
import { joinObservations } from '../../src/graph/joinObservations.js';
import { boxCorners, containsPoint } from '../../src/math/box.js';
import { arbitraryBox } from '../fixtures/arbitraries.js';
import { box } from '../fixtures/graphStates.js';
import { seenBox } from '../fixtures/observations.js';

describe('joinObservations', () => {
  it('is the observation itself when there is nothing to join', () => {
    const cup = seenBox(box([0, 0, 1]));
    assert.equal(joinObservations(cup, []), cup);
  });

  it('makes a box that holds all pieces, with all their points and pixels', () => {
    fc.assert(
      fc.property(
        arbitraryBox(),
        fc.array(arbitraryBox(), { minLength: 1, maxLength: 3 }),
        (main, others) => {
          const pieces = others.map((other) => seenBox(other, { pixelCount: 100 }));
          const joined = joinObservations(seenBox(main), pieces);
          for (const seen of [main, ...others])
            for (const corner of boxCorners(seen)) assert.ok(containsPoint(joined.box, corner, 1e-6));
          assert.equal(joined.pixelCount, 1500 + 100 * others.length);
          assert.equal(joined.points.length, (1 + others.length) * seenBox(main).points.length);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('is cut off when a piece is, hidden by the mean of its pixels, and lies in a rectangle around all', () => {
    const joined = joinObservations(seenBox(box([0, 0, 1]), { pixelCount: 300 }), [
      seenBox(box([0.1, 0, 1]), {
        truncated: true,
        occludedShare: 0.4,
        pixelCount: 100,
        rect: { u0: 140, v0: 10, u1: 300, v1: 100 },
      }),
    ]);
    assert.equal(joined.truncated, true);
    assert.ok(Math.abs(joined.occludedShare - 0.1) < 1e-9);
    assert.deepEqual(joined.rect, { u0: 100, v0: 10, u1: 300, v1: 130 });
  });
});
