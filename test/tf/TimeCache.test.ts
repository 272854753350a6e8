import assert from 'node:assert/strict';
import fc from 'fast-check';
import { angleBetween, quatFromYaw, slerp } from '../../src/math/quaternion.js';
import type { RigidTransform } from '../../src/math/types.js';
import { StaticCache } from '../../src/tf/StaticCache.js';
import { TimeCache, type Placement, type Sample } from '../../src/tf/TimeCache.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import { arbitraryTransform } from '../fixtures/arbitraries.js';
import { assertClose } from '../fixtures/assertClose.js';

const TEN_SECONDS = durationFromSeconds(10);

function pose(x = 0, yaw = 0): RigidTransform {
  return { translation: [x, 0, 0], rotation: quatFromYaw(yaw) };
}

function sample(stamp: bigint, parent = 'p', parent_T_frame = pose()): Sample {
  return { stamp, parent, parent_T_frame };
}

function placementAt(cache: TimeCache | StaticCache, stamp: bigint): Placement {
  const found = cache instanceof TimeCache ? cache.find(stamp) : cache.find();
  assert.ok(found.ok);
  return found.placement;
}

function gapAt(cache: TimeCache, stamp: bigint): unknown {
  const found = cache.find(stamp);
  assert.ok(!found.ok);
  return found.gap;
}

// The names in brackets are those of tf2's own cache tests; the behaviour is the same.
describe('TimeCache', () => {
  it('answers with each sample at its own stamp [Repeatability]', () => {
    const cache = new TimeCache(TEN_SECONDS);
    for (let i = 1n; i < 100n; i++) cache.insert(sample(i, `p${i}`));
    for (let i = 1n; i < 100n; i++) assert.equal(placementAt(cache, i).parent, `p${i}`);
  });

  it('does not mind samples that come in reverse [RepeatabilityReverseInsertOrder]', () => {
    const cache = new TimeCache(TEN_SECONDS);
    for (let i = 99n; i > 0n; i--) cache.insert(sample(i, `p${i}`));
    for (let i = 1n; i < 100n; i++) assert.equal(placementAt(cache, i).parent, `p${i}`);
  });

  it('takes stamp 0 in a question as "the newest" [ZeroAtFront]', () => {
    const cache = new TimeCache(TEN_SECONDS);
    for (let i = 1n; i < 10n; i++) cache.insert(sample(i, `p${i}`));
    assert.equal(placementAt(cache, 0n).parent, 'p9');
    cache.insert(sample(20n, 'p20'));
    assert.equal(placementAt(cache, 0n).parent, 'p20');
  });

  it('interpolates places linearly [CartesianInterpolation]', () => {
    const two = fc.tuple(arbitraryTransform(), arbitraryTransform(), fc.bigInt({ min: 0n, max: 1000n }));
    fc.assert(
      fc.property(two, ([a, b, offset]) => {
        const cache = new TimeCache(TEN_SECONDS);
        cache.insert(sample(5000n, 'p', a));
        cache.insert(sample(6000n, 'p', b));
        const ratio = Number(offset) / 1000;
        const expected = a.translation.map(
          (value, axis) => value + ((b.translation[axis] ?? 0) - value) * ratio,
        );
        assertClose(placementAt(cache, 5000n + offset).parent_T_frame.translation, expected, 1e-9);
      }),
    );
  });

  it('interpolates rotations by slerp [AngularInterpolation]', () => {
    const two = fc.tuple(arbitraryTransform(), arbitraryTransform(), fc.bigInt({ min: 0n, max: 1000n }));
    fc.assert(
      fc.property(two, ([a, b, offset]) => {
        const cache = new TimeCache(TEN_SECONDS);
        cache.insert(sample(5000n, 'p', a));
        cache.insert(sample(6000n, 'p', b));
        const { rotation } = placementAt(cache, 5000n + offset).parent_T_frame;
        const expected = slerp(a.rotation, b.rotation, Number(offset) / 1000);
        assert.ok(angleBetween(rotation, expected) < 1e-6);
      }),
    );
  });

  //  stamp   1000 ........ 2000
  //  parent   p             q      → in between: p, at rest
  it('does not interpolate across a change of parent [ReparentingInterpolationProtection]', () => {
    const cache = new TimeCache(TEN_SECONDS);
    cache.insert(sample(1000n, 'p', pose(1)));
    cache.insert(sample(2000n, 'q', pose(5)));
    for (const stamp of [1000n, 1500n, 1999n]) {
      assert.equal(placementAt(cache, stamp).parent, 'p');
      assert.equal(placementAt(cache, stamp).parent_T_frame.translation[0], 1);
    }
    assert.equal(placementAt(cache, 2000n).parent, 'q');
  });

  it('drops an exact repetition and replaces other data of the same stamp [DuplicateEntries]', () => {
    const cache = new TimeCache(TEN_SECONDS);
    assert.equal(cache.insert(sample(1n, 'p', pose(1))), 'inserted');
    assert.equal(cache.insert(sample(1n, 'p', pose(1))), 'repeated_data');
    assert.equal(cache.insert(sample(1n, 'p', pose(2))), 'inserted');
    assert.equal(cache.size, 1);
    const { translation, rotation } = placementAt(cache, 1n).parent_T_frame;
    assert.deepEqual([...translation, ...rotation], [2, 0, 0, 0, 0, 0, 1]);
  });

  it('C35 does not grow when one stamp is sent for ever', () => {
    const cache = new TimeCache(TEN_SECONDS);
    for (let index = 0; index < 100_000; index++) cache.insert(sample(7n, 'p', pose(index)));
    assert.equal(cache.size, 1);
    assert.equal(placementAt(cache, 7n).parent_T_frame.translation[0], 99_999);
  });

  it('never answers beyond its samples, and says which way and how far', () => {
    const cache = new TimeCache(TEN_SECONDS);
    assert.equal(gapAt(cache, 5n), undefined);
    cache.insert(sample(100n));
    assert.deepEqual(gapAt(cache, 101n), {
      cause: 'future_extrapolation',
      asked: 101n,
      nearest: 100n,
      only: true,
    });
    cache.insert(sample(200n));
    assert.deepEqual(gapAt(cache, 201n), {
      cause: 'future_extrapolation',
      asked: 201n,
      nearest: 200n,
      only: false,
    });
    assert.deepEqual(gapAt(cache, 99n), {
      cause: 'past_extrapolation',
      asked: 99n,
      nearest: 100n,
      only: false,
    });
  });

  it('keeps as much history as it was told, and refuses what is older', () => {
    const cache = new TimeCache(TEN_SECONDS);
    for (let second = 1n; second <= 60n; second++) cache.insert(sample(second * 1_000_000_000n));
    assert.equal(cache.size, 11);
    assert.equal(cache.insert(sample(49_999_999_999n)), 'old_data');
    assert.equal(cache.insert(sample(50_000_000_001n)), 'inserted');
  });

  it('stays sorted for any order of arrival', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 500n }), { minLength: 1 }), (stamps) => {
        const cache = new TimeCache(TEN_SECONDS);
        for (const stamp of stamps) cache.insert(sample(stamp, `p${stamp}`));
        assert.equal(cache.size, new Set(stamps).size);
        for (const stamp of stamps) assert.equal(placementAt(cache, stamp).parent, `p${stamp}`);
      }),
    );
  });
});

describe('StaticCache', () => {
  it('answers for every stamp with the same placement [Repeatability]', () => {
    const cache = new StaticCache();
    cache.insert(sample(0n, 'p', pose(3)));
    assert.equal(placementAt(cache, 1n), placementAt(cache, 999n));
  });

  it('is replaced by a later message [DuplicateEntries]', () => {
    const cache = new StaticCache();
    cache.insert(sample(0n, 'p'));
    cache.insert(sample(0n, 'q'));
    assert.equal(placementAt(cache, 5n).parent, 'q');
    assert.equal(new StaticCache().find().ok, false);
  });
});
