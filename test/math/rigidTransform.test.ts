import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  angleBetween,
  multiplyQuats,
  normalizeQuat,
  quatFromAxisAngle,
  quatFromMatrix,
  quatFromYaw,
  rotationMatrix,
  slerp,
  yawOf,
} from '../../src/math/quaternion.js';
import {
  composeTransforms,
  interpolateTransforms,
  invertTransform,
  isFiniteTransform,
  transformPoint,
} from '../../src/math/rigidTransform.js';
import type { Quat, RigidTransform, Vec3 } from '../../src/math/types.js';
import { arbitraryQuat, arbitraryTransform, arbitraryVec3 } from '../fixtures/arbitraries.js';
import { assertClose } from '../fixtures/assertClose.js';

/** Rotates by the 3×3 matrix: a second way to the same answer. */
function byMatrix({ translation, rotation }: RigidTransform, p: Vec3): number[] {
  const m = rotationMatrix(rotation);
  return [0, 1, 2].map(
    (row) =>
      [0, 1, 2].reduce((sum, k) => sum + (m[3 * row + k] ?? 0) * (p[k] ?? 0), 0) + (translation[row] ?? 0),
  );
}

describe('rigid transforms', () => {
  it('agree with their rotation matrices', () => {
    fc.assert(
      fc.property(arbitraryTransform(), arbitraryVec3(), (a_T_b, p) => {
        assertClose(transformPoint(a_T_b, p), byMatrix(a_T_b, p), 1e-9);
      }),
    );
  });

  it('compose like doing one after the other', () => {
    fc.assert(
      fc.property(arbitraryTransform(), arbitraryTransform(), arbitraryVec3(), (a_T_b, b_T_c, p) => {
        assertClose(
          transformPoint(composeTransforms(a_T_b, b_T_c), p),
          transformPoint(a_T_b, transformPoint(b_T_c, p)),
          1e-9,
        );
      }),
    );
  });

  it('are undone by their inverse', () => {
    fc.assert(
      fc.property(arbitraryTransform(), arbitraryVec3(), (a_T_b, p) => {
        assertClose(transformPoint(invertTransform(a_T_b), transformPoint(a_T_b, p)), p, 1e-9);
      }),
    );
  });

  it('keep double precision a kilometre away', () => {
    const far: RigidTransform = { translation: [1000, -1000, 0.0001], rotation: [0, 0, 0, 1] };
    assert.equal(transformPoint(far, [0, 0, 0])[2], 0.0001);
    assertClose(composeTransforms(far, invertTransform(far)).translation, [0, 0, 0], 1e-12);
  });

  it('interpolate to the middle in place and angle', () => {
    const a: RigidTransform = { translation: [0, 0, 0], rotation: quatFromYaw(0) };
    const b: RigidTransform = { translation: [2, 4, 6], rotation: quatFromYaw(1) };
    const middle = interpolateTransforms(a, b, 0.5);
    assertClose(middle.translation, [1, 2, 3], 1e-12);
    assert.ok(Math.abs(yawOf(middle.rotation) - 0.5) < 1e-12);
  });

  it('with NaN or infinity anywhere are not finite', () => {
    assert.equal(isFiniteTransform({ translation: [0, NaN, 0], rotation: [0, 0, 0, 1] }), false);
    assert.equal(isFiniteTransform({ translation: [0, 0, 0], rotation: [0, 0, Infinity, 1] }), false);
    assert.equal(isFiniteTransform({ translation: [0, 0, 0], rotation: [0, 0, 0, 1] }), true);
  });
});

describe('quaternions', () => {
  it('survive the way through a matrix, up to their sign', () => {
    fc.assert(
      fc.property(arbitraryQuat(), (q) => {
        assert.ok(angleBetween(quatFromMatrix(rotationMatrix(q)), q) < 1e-7);
      }),
    );
  });

  it('of half turns survive the way through a matrix', () => {
    const halfTurns: Quat[] = [
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ];
    for (const q of halfTurns) assert.ok(angleBetween(quatFromMatrix(rotationMatrix(q)), q) < 1e-9);
  });

  it('slerp at constant angular speed along the shorter arc', () => {
    fc.assert(
      fc.property(
        arbitraryQuat(),
        arbitraryQuat(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (a, b, ratio) => {
          const between = slerp(a, b, ratio);
          assert.ok(Math.abs(Math.hypot(...between) - 1) < 1e-12);
          const whole = angleBetween(a, b);
          // At exactly opposite rotations every arc is the shortest: speed still holds.
          assert.ok(Math.abs(angleBetween(a, between) - ratio * whole) < 1e-6);
        },
      ),
    );
  });

  it('give back the yaw they were made of', () => {
    for (const yaw of [-3, -1, 0, 0.5, 3.1]) assert.ok(Math.abs(yawOf(quatFromYaw(yaw)) - yaw) < 1e-12);
  });

  it('add up angles about one axis', () => {
    const q = multiplyQuats(quatFromAxisAngle([0, 0, 1], 0.4), quatFromAxisAngle([0, 0, 1], 0.5));
    assert.ok(Math.abs(yawOf(q) - 0.9) < 1e-12);
    assertClose(normalizeQuat([0, 0, 0, 1.003]), [0, 0, 0, 1], 1e-15);
  });
});
