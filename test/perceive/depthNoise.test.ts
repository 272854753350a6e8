import assert from 'node:assert/strict';
import fc from 'fast-check';
import { depthSigma } from '../../src/perceive/depthNoise.js';
import { assertClose } from '../fixtures/assertClose.js';

describe('depthSigma', () => {
  it('follows the published model of structured light', () => {
    // 0.0012 + 0.0019 (z − 0.4)², worked out by hand.
    assertClose([0.4, 1, 2, 3, 4.5].map(depthSigma), [0.0012, 0.001884, 0.006064, 0.014044, 0.033139], 1e-9);
  });

  it('never falls with distance beyond its best range and is never below a millimetre', () => {
    const metres = fc.double({ min: 0.4, max: 10, noNaN: true });
    fc.assert(
      fc.property(metres, metres, (a, b) => {
        const [near, far] = a < b ? [a, b] : [b, a];
        assert.ok(depthSigma(near) <= depthSigma(far));
        assert.ok(depthSigma(near) >= 0.001);
      }),
    );
  });
});
