import { vec3 } from 'gl-matrix';
import { IDENTITY_ROTATION, conjugate, multiplyQuats, slerp } from './quaternion.js';
import type { Quat, RigidTransform, Vec3 } from './types.js';

export const IDENTITY_TRANSFORM: RigidTransform = { translation: [0, 0, 0], rotation: IDENTITY_ROTATION };

/** `a_T_b`, `b_T_c` → `a_T_c`. */
export function composeTransforms(a_T_b: RigidTransform, b_T_c: RigidTransform): RigidTransform {
  return {
    translation: transformPoint(a_T_b, b_T_c.translation),
    rotation: multiplyQuats(a_T_b.rotation, b_T_c.rotation),
  };
}

/** `a_T_b` → `b_T_a`. */
export function invertTransform(a_T_b: RigidTransform): RigidTransform {
  const rotation = conjugate(a_T_b.rotation);
  const [x, y, z] = rotateVector(rotation, a_T_b.translation);
  return { translation: [-x, -y, -z], rotation };
}

/** Coordinates of a point of frame b in frame a. */
export function transformPoint(a_T_b: RigidTransform, point: Vec3): Vec3 {
  const [x, y, z] = rotateVector(a_T_b.rotation, point);
  return [x + a_T_b.translation[0], y + a_T_b.translation[1], z + a_T_b.translation[2]];
}

/** A direction turned by a rotation. */
export function rotateVector(rotation: Quat, vector: Vec3): Vec3 {
  const out: [number, number, number] = [0, 0, 0];
  vec3.transformQuat(out, vector, rotation);
  return out;
}

/** Linear in translation, slerp in rotation; `ratio` 0 → a, 1 → b. */
export function interpolateTransforms(a: RigidTransform, b: RigidTransform, ratio: number): RigidTransform {
  const out: [number, number, number] = [0, 0, 0];
  vec3.lerp(out, a.translation, b.translation, ratio);
  return { translation: out, rotation: slerp(a.rotation, b.rotation, ratio) };
}

/** No NaN and no infinity in any of its seven numbers. */
export function isFiniteTransform({ translation, rotation }: RigidTransform): boolean {
  return translation.every(Number.isFinite) && rotation.every(Number.isFinite);
}
