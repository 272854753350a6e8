import { quat } from 'gl-matrix';
import type { Quat } from './types.js';

export const IDENTITY_ROTATION: Quat = [0, 0, 0, 1];

/** Rotation about z by `yaw` rad. */
export function quatFromYaw(yaw: number): Quat {
  return [0, 0, Math.sin(yaw / 2), Math.cos(yaw / 2)];
}

/** Rotation by `angle` rad about a unit `axis`. */
export function quatFromAxisAngle(axis: readonly [number, number, number], angle: number): Quat {
  const s = Math.sin(angle / 2);
  return [axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2)];
}

/** Heading about z in (−π, π] of the rotated x axis. */
export function yawOf([x, y, z, w]: Quat): number {
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** The same rotation with length 1. A zero quaternion gives the identity; callers refuse it before. */
export function normalizeQuat(q: Quat): Quat {
  const length = Math.hypot(q[0], q[1], q[2], q[3]);
  return length > 0 ? [q[0] / length, q[1] / length, q[2] / length, q[3] / length] : IDENTITY_ROTATION;
}

/** The rotation that does `b` first, then `a`. */
export function multiplyQuats(a: Quat, b: Quat): Quat {
  // gl-matrix writes into whatever it is given: number arrays keep full precision.
  const out: [number, number, number, number] = [0, 0, 0, 0];
  quat.multiply(out, a, b);
  return out;
}

export function conjugate([x, y, z, w]: Quat): Quat {
  return [-x, -y, -z, w];
}

/** Spherical interpolation along the shorter arc, `ratio` 0 → a, 1 → b; unit length. */
export function slerp(a: Quat, b: Quat, ratio: number): Quat {
  const out: [number, number, number, number] = [0, 0, 0, 0];
  quat.slerp(out, a, b, ratio);
  // Below 1e-6 gl-matrix interpolates linearly, which shortens the result a little.
  return normalizeQuat(out);
}

/** Angle in [0, π] between two rotations, in rad. */
export function angleBetween(a: Quat, b: Quat): number {
  const [x, y, z, w] = multiplyQuats(conjugate(a), b);
  return 2 * Math.atan2(Math.hypot(x, y, z), Math.abs(w));
}

/** The 3×3 rotation matrix, row-major: 9 numbers. */
export function rotationMatrix(q: Quat): number[] {
  const [x, y, z, w] = q;
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  ];
}

/** The rotation of a proper 3×3 rotation matrix, row-major. */
export function quatFromMatrix(m: readonly number[]): Quat {
  const at = (index: number): number => m[index] ?? 0;
  const trace = at(0) + at(4) + at(8);
  // The largest of the four squared components is divided by, so that no precision is lost near π.
  if (trace > 0) {
    const s = Math.sqrt(trace + 1) * 2;
    return normalizeQuat([(at(7) - at(5)) / s, (at(2) - at(6)) / s, (at(3) - at(1)) / s, s / 4]);
  }
  if (at(0) > at(4) && at(0) > at(8)) {
    const s = Math.sqrt(1 + at(0) - at(4) - at(8)) * 2;
    return normalizeQuat([s / 4, (at(1) + at(3)) / s, (at(2) + at(6)) / s, (at(7) - at(5)) / s]);
  }
  if (at(4) > at(8)) {
    const s = Math.sqrt(1 + at(4) - at(0) - at(8)) * 2;
    return normalizeQuat([(at(1) + at(3)) / s, s / 4, (at(5) + at(7)) / s, (at(2) - at(6)) / s]);
  }
  const s = Math.sqrt(1 + at(8) - at(0) - at(4)) * 2;
  return normalizeQuat([(at(2) + at(6)) / s, (at(5) + at(7)) / s, s / 4, (at(3) - at(1)) / s]);
}
