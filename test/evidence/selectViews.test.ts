import assert from 'node:assert/strict';
import fc from 'fast-check';
import { roleOf, withView, type ViewSelection } from '../../src/evidence/selectViews.js';
import { scoreView } from '../../src/evidence/scoreView.js';
import type { StoredView, ViewOffer, ViewRole } from '../../src/evidence/StoredView.js';
import type { LatestView } from '../../src/graph/types.js';
import { T0 } from '../fixtures/graphStates.js';

const S = 1_000_000_000n;
const SELECTION: ViewSelection = { gain: 1.15, renewNs: 2n * S, otherSideRad: Math.PI / 4 };

function offer(score: number, azimuth = 0, ageS = 0n, epoch = 0): ViewOffer {
  return { score, azimuth, distanceM: 1, moment: { epoch, stamp: T0 + ageS * S } };
}

function stored(role: ViewRole, ...of: Parameters<typeof offer>): StoredView {
  return { ...offer(...of), role, picture: {} };
}

describe('scoreView', () => {
  const view: LatestView = {
    rect: { u0: 0, v0: 0, u1: 10, v1: 10 },
    pixelCount: 1000,
    truncated: false,
    occludedShare: 0,
  };

  it('is full at five hundredths of the picture and grows with the root of the size below', () => {
    assert.equal(scoreView({ ...view, pixelCount: 5000 }, 100_000, 1), 1);
    assert.equal(scoreView({ ...view, pixelCount: 90_000 }, 100_000, 1), 1);
    assert.ok(Math.abs(scoreView({ ...view, pixelCount: 1250 }, 100_000, 1) - 0.5) < 1e-9);
  });

  it('prefers the whole and unhidden view to the nearer one that is cut off or half hidden', () => {
    const whole = scoreView(view, 100_000, 0.9);
    assert.ok(whole > scoreView({ ...view, pixelCount: 5000, truncated: true }, 100_000, 0.9));
    assert.ok(whole > scoreView({ ...view, occludedShare: 0.5 }, 100_000, 0.9));
  });

  it('lies in [0, 1] and never falls with size or confidence', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const count = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(count, count, share, share, share, fc.boolean(), (a, b, c, d, occludedShare, truncated) => {
        const of = (pixelCount: number, confidence: number): number =>
          scoreView({ ...view, pixelCount, occludedShare, truncated }, 100_000, confidence);
        const [less, more] = a < b ? [a, b] : [b, a];
        const [unsure, sure] = c < d ? [c, d] : [d, c];
        assert.ok(of(less, c) <= of(more, c) && of(a, unsure) <= of(a, sure));
        assert.ok(of(a, c) >= 0 && of(a, c) <= 1);
      }),
    );
  });
});

describe('roleOf', () => {
  const role = (of: ViewOffer, ...views: readonly StoredView[]): ViewRole | undefined =>
    roleOf(of, views, SELECTION);

  it('wants the first view of a thing, whatever it is worth, but not one that shows nothing', () => {
    assert.equal(role(offer(0.01)), 'best');
    assert.equal(role(offer(0)), undefined);
  });

  it('replaces the best view only by one that is better by a margin', () => {
    const best = stored('best', 0.5);
    assert.equal(role(offer(0.58), best), 'best');
    assert.equal(role(offer(0.57), best), undefined);
  });

  it('keeps a view from another side, measured around the circle', () => {
    const best = stored('best', 0.9, 3);
    assert.equal(role(offer(0.3, 3 - 0.8), best), 'other_side');
    assert.equal(role(offer(0.3, -2.4), best), 'other_side', 'across the cut of the angle');
    assert.equal(role(offer(0.3, -3), best), undefined, 'a sixth of a radian across the cut');
  });

  it('replaces the other side by a better view of it or one from farther round', () => {
    const views = [stored('best', 0.9, 0), stored('other_side', 0.4, 1)] as const;
    assert.equal(role(offer(0.4, 1.1), ...views), undefined);
    assert.equal(role(offer(0.5, 1), ...views), 'other_side');
    assert.equal(role(offer(0.2, 1.5), ...views), 'other_side');
  });

  // stamps (s):   0 best        2 latest      4 …
  it('renews the latest view when the newest kept one has aged, or belongs to a former epoch', () => {
    const best = stored('best', 0.9);
    assert.equal(role(offer(0.5, 0, 1n), best), undefined);
    assert.equal(role(offer(0.5, 0, 2n), best), 'latest');
    const latest = stored('latest', 0.5, 0, 2n);
    assert.equal(role(offer(0.5, 0, 3n), best, latest), undefined);
    assert.equal(role(offer(0.5, 0, 4n), best, latest), 'latest');
    assert.equal(role(offer(0.5, 0, 0n, 1), best, latest), 'latest');
  });
});

describe('withView', () => {
  it('holds one view for each role, best first, whatever the order they came in', () => {
    const roles = fc.constantFrom<ViewRole>('best', 'latest', 'other_side');
    fc.assert(
      fc.property(fc.array(roles, { maxLength: 12 }), (order) => {
        let views: readonly StoredView[] = [];
        order.forEach((next, k) => (views = withView(views, stored(next, k + 1))));
        assert.deepEqual(
          views.map((view) => view.role),
          (['best', 'latest', 'other_side'] as const).filter((one) => order.includes(one)),
        );
        for (const view of views)
          assert.equal(view.score, order.lastIndexOf(view.role) + 1, 'the newest of its role');
      }),
    );
  });
});
