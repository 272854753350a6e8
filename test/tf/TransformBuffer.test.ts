import assert from 'node:assert/strict';
import fc from 'fast-check';
import { angleBetween, quatFromYaw } from '../../src/math/quaternion.js';
import {
  IDENTITY_TRANSFORM,
  composeTransforms,
  interpolateTransforms,
  invertTransform,
} from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import { TransformBuffer, type LookupResult } from '../../src/tf/TransformBuffer.js';
import { arbitraryTransform } from '../fixtures/arbitraries.js';
import { assertClose } from '../fixtures/assertClose.js';
import { at, edge } from '../fixtures/goodPair.js';

function found(result: LookupResult): RigidTransform {
  assert.ok(result.ok, result.ok ? '' : result.detail);
  return result.transform;
}

function assertSame(actual: RigidTransform, expected: RigidTransform): void {
  assertClose(actual.translation, expected.translation, 1e-6);
  assert.ok(angleBetween(actual.rotation, expected.rotation) < 1e-6);
}

function causeOf(result: LookupResult): string {
  return result.ok ? 'ok' : result.cause;
}

/** map→odom→base→cam (static), and a gripper beside; sampled each 0.1 s from 10.0 to 11.0. */
function robot(): TransformBuffer {
  const buffer = new TransformBuffer();
  buffer.insert(edge('base', 'cam', 0n, { translation: [0.1, 0, 0.5], rotation: quatFromYaw(0.3) }), true);
  for (let step = 0; step <= 10; step++) {
    const stamp = at(10 + step / 10);
    buffer.insert(edge('map', 'odom', stamp, { translation: [1, 2, 0], rotation: quatFromYaw(0.35) }));
    buffer.insert(
      edge('odom', 'base', stamp, { translation: [step, 0, 0], rotation: quatFromYaw(step / 10) }),
    );
    buffer.insert(edge('base', 'gripper', stamp, { translation: [0, step / 10, 0] }));
  }
  return buffer;
}

describe('TransformBuffer.insert', () => {
  const refusedAs = (change: Parameters<typeof edge>[3], parent = 'a', child = 'b'): string => {
    const result = new TransformBuffer().insert(edge(parent, child, at(1), change));
    return result.ok ? 'ok' : result.cause;
  };

  it('takes what is valid [setTransformValid]', () => assert.equal(refusedAs({}), 'ok'));

  it('refuses each kind of bad transform by its own cause [setTransformFail]', () => {
    assert.equal(refusedAs({}, 'a', 'a'), 'self_transform');
    assert.equal(refusedAs({}, 'a', '/a'), 'self_transform');
    assert.equal(refusedAs({}, 'a', ''), 'no_child_frame_id');
    assert.equal(refusedAs({}, '', 'b'), 'no_frame_id');
  });

  it('C28 refuses NaN, infinity and quaternions far from unit length, naming the child [setTransformInvalidQuaternion]', () => {
    assert.equal(refusedAs({ translation: [NaN, 0, 0] }), 'nan_input');
    assert.equal(refusedAs({ translation: [0, Infinity, 0] }), 'nan_input');
    assert.equal(refusedAs({ rotation: [0, 0, 0, 0] }), 'denormalized_quaternion');
    assert.equal(refusedAs({ rotation: [0, 0, 0, 1.2] }), 'denormalized_quaternion');
    const refused = new TransformBuffer().insert(edge('a', 'tracker', at(1), { rotation: [0, 0, 0, NaN] }));
    assert.ok(!refused.ok);
    assert.match(refused.detail, /child_frame_id "tracker"/);
  });

  it('C28 normalises a quaternion that drifted a little, and recovers after a bad one', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('a', 'b', at(1), { translation: [NaN, 0, 0] }));
    assert.ok(buffer.insert(edge('a', 'b', at(1), { rotation: [0, 0, 0, 1.003] })).ok);
    assert.deepEqual(found(buffer.lookup('a', 'b', at(1))).rotation, [0, 0, 0, 1]);
  });

  it('C23 drops one leading slash of either frame', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('/map', '/cam', at(1)));
    assert.equal(causeOf(buffer.lookup('map', 'cam', at(1))), 'ok');
  });

  it('keeps a static frame static', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('a', 'b', 0n), true);
    buffer.insert(edge('a', 'b', at(5), { translation: [1, 0, 0] }));
    assert.equal(found(buffer.lookup('a', 'b', at(99))).translation[0], 1);
  });

  it('C35 drops exact repetitions and does not grow with one stamp', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('a', 'b', at(1)));
    const again = buffer.insert(edge('a', 'b', at(1)));
    assert.equal(again.ok ? 'ok' : again.cause, 'repeated_data');
  });
});

describe('TransformBuffer.lookup', () => {
  it('gives the identity for one frame without asking whether it exists', () => {
    assert.deepEqual(found(new TransformBuffer().lookup('nowhere', 'nowhere', at(1))), IDENTITY_TRANSFORM);
  });

  it('refuses empty ids and ids with a slash [lookupTransform invalid argument]', () => {
    const buffer = robot();
    for (const result of [buffer.lookup('', 'cam', at(10)), buffer.lookup('map', '', at(10))]) {
      assert.ok(!result.ok && result.cause === 'invalid_argument');
      assert.match(result.detail, /cannot be empty/);
    }
    const slashed = buffer.lookup('map', '/cam', at(10));
    assert.ok(!slashed.ok && slashed.cause === 'invalid_argument');
    assert.match(slashed.detail, /cannot start with a '\/'/);
  });

  it('names the frame that does not exist [LookupException_Nothing_Exists]', () => {
    const result = robot().lookup('map', 'cam2', at(10));
    assert.ok(!result.ok && result.cause === 'no_frame');
    assert.match(result.detail, /"cam2".*does not exist/);
    assert.equal(causeOf(new TransformBuffer().lookup('a', 'b', at(1))), 'no_frame');
  });

  it('says when two frames are in different trees [ConnectivityException]', () => {
    const buffer = robot();
    buffer.insert(edge('other_map', 'other_base', at(10)));
    const result = buffer.lookup('map', 'other_base', at(10));
    assert.ok(!result.ok && result.cause === 'not_connected');
    assert.match(result.detail, /not part of the same tree/);
  });

  it('never extrapolates, and gives both times and frames [ExtrapolationException]', () => {
    const late = robot().lookup('map', 'cam', at(11.05));
    assert.ok(!late.ok && late.cause === 'future_extrapolation');
    assert.match(
      late.detail,
      /extrapolation into the future.*11\.050000.*latest.*11\.000000.*\[cam\].*\[map\]/,
    );
    const early = robot().lookup('map', 'cam', at(9.9));
    assert.ok(!early.ok && early.cause === 'past_extrapolation');
    assert.match(early.detail, /into the past.*9\.900000.*earliest.*10\.000000/);
  });

  it('answers a static chain at any time', () => {
    assert.equal(found(robot().lookup('base', 'cam', at(1e6))).translation[2], 0.5);
  });

  it('relates two branches through their common parent although the root has no data then', () => {
    const buffer = robot();
    buffer.insert(edge('base', 'gripper', at(12), { translation: [0, 0, 0] }));
    // map→odom→base end at 11.0; base→cam and base→gripper do not need them.
    assert.equal(causeOf(buffer.lookup('gripper', 'cam', at(11.5))), 'ok');
    assert.equal(causeOf(buffer.lookup('map', 'cam', at(11.5))), 'future_extrapolation');
  });

  it('C25 interpolates each edge at the asked moment', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('map', 'cam', at(9.95), { translation: [0, 0, 0], rotation: quatFromYaw(0) }));
    buffer.insert(edge('map', 'cam', at(10.05), { translation: [0.1, 0, 0], rotation: quatFromYaw(0.1) }));
    assertSame(found(buffer.lookup('map', 'cam', at(10))), {
      translation: [0.05, 0, 0],
      rotation: quatFromYaw(0.05),
    });
  });

  it('with stamp 0 uses the latest moment that the whole chain knows', () => {
    const buffer = robot();
    buffer.insert(edge('odom', 'base', at(11.5), { translation: [99, 0, 0] }));
    const result = buffer.lookup('map', 'cam', 0n);
    assert.ok(result.ok);
    assert.equal(result.stamp, at(11));
    assert.equal(buffer.latestCommonStamp('base', 'cam'), 0n);
    assert.equal(buffer.latestCommonStamp('odom', 'cam'), at(11.5));
    assert.equal(buffer.latestCommonStamp('gripper', 'cam'), at(11));
    assert.equal(buffer.latestCommonStamp('map', 'nowhere'), undefined);
  });

  it('finds a loop instead of running for ever', () => {
    const buffer = new TransformBuffer();
    buffer.insert(edge('a', 'b', at(1)));
    buffer.insert(edge('b', 'a', at(1)));
    buffer.insert(edge('c', 'd', at(1)));
    assert.equal(causeOf(buffer.lookup('d', 'a', at(1))), 'transform_loop');
    assert.equal(buffer.latestCommonStamp('d', 'a'), undefined);
  });

  it('equals multiplying a random tree by hand', () => {
    // Frame k hangs under one of the frames before it, so any array of transforms makes a tree.
    const node = fc.record({
      hangsAt: fc.nat(),
      from: arbitraryTransform(),
      to: arbitraryTransform(),
      isStatic: fc.boolean(),
    });
    const tree = fc.array(node, { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), fc.integer({ min: 0, max: 1000 }), (nodes, i, j, millis) => {
        const buffer = new TransformBuffer();
        const stamp = 5_000_000_000n + BigInt(millis) * 1_000_000n;
        const root_T: RigidTransform[] = [IDENTITY_TRANSFORM];
        for (const [index, { hangsAt, from, to, isStatic }] of nodes.entries()) {
          const parent = hangsAt % (index + 1);
          buffer.insert(edge(`f${parent}`, `f${index + 1}`, 5_000_000_000n, from), isStatic);
          if (!isStatic) buffer.insert(edge(`f${parent}`, `f${index + 1}`, 6_000_000_000n, to));
          const now = isStatic ? from : interpolateTransforms(from, to, millis / 1000);
          root_T.push(composeTransforms(root_T[parent] ?? IDENTITY_TRANSFORM, now));
        }
        const [a, b] = [i % root_T.length, j % root_T.length];
        const expected = composeTransforms(
          invertTransform(root_T[a] ?? IDENTITY_TRANSFORM),
          root_T[b] ?? IDENTITY_TRANSFORM,
        );
        assertSame(found(buffer.lookup(`f${a}`, `f${b}`, stamp)), expected);
      }),
    );
  });
});

describe('TransformBuffer.clear', () => {
  it('forgets what moves and keeps what is static', () => {
    const buffer = robot();
    buffer.clear();
    assert.equal(causeOf(buffer.lookup('base', 'cam', at(10))), 'ok');
    assert.equal(causeOf(buffer.lookup('map', 'cam', at(10))), 'not_connected');
    buffer.insert(edge('map', 'base', at(1)));
    assert.equal(causeOf(buffer.lookup('map', 'cam', at(1))), 'ok');
  });
});

describe('TransformBuffer.frames', () => {
  it('lists every frame with its parent', () => {
    assert.deepEqual(
      robot()
        .frames()
        .map(({ frame, parent, isStatic }) => `${parent ?? '-'}>${frame}${isStatic ? ' static' : ''}`)
        .sort(),
      ['->map', 'base>cam static', 'base>gripper', 'map>odom', 'odom>base'],
    );
  });
});

describe('TransformBuffer memory', () => {
  it('knows at most 2000 frames; those it knows go on', () => {
    const buffer = new TransformBuffer();
    const causes = Array.from({ length: 2500 }, (_, index) => {
      const result = buffer.insert(edge('map', `frame${index}`, at(1)));
      return result.ok ? 'ok' : result.cause;
    });
    assert.equal(causes.filter((cause) => cause === 'ok').length, 1999);
    assert.ok(causes.slice(1999).every((cause) => cause === 'too_many_frames'));
    assert.equal(buffer.frames().length, 2000);
    assert.ok(buffer.insert(edge('map', 'frame7', at(2))).ok);
    assert.ok(!buffer.insert(edge('other_root', 'frame7', at(3))).ok);
  });

  it('refuses frame ids longer than 256 characters, as child and as parent', () => {
    const buffer = new TransformBuffer();
    const longest = 'f'.repeat(256);
    assert.ok(buffer.insert(edge('map', longest, at(1))).ok);
    for (const result of [
      buffer.insert(edge('map', `${longest}f`, at(1))),
      buffer.insert(edge(`${longest}f`, 'base_link', at(1))),
    ])
      assert.ok(!result.ok && result.cause === 'frame_id_too_long' && result.detail.length < 250);
    assert.deepEqual(buffer.frames().length, 2);
  });
});
