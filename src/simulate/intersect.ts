/**
 * Rays cut with shapes, in the part's own frame. The ray is o + t·d with any length of d; the answer is the
 * smallest t above T_MIN, or Infinity. The ray-caster scales d to one along the optical axis, so t is the depth.
 * Scalars instead of vectors: these run per pixel and must not allocate.
 */

/** Nearer than this is inside the lens. */
export const T_MIN = 1e-3;

/** Box centred on the origin with half lengths hx, hy, hz (slab method); from inside, the exit. */
export function intersectBox(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  hx: number,
  hy: number,
  hz: number,
): number {
  const ix = 1 / dx,
    iy = 1 / dy,
    iz = 1 / dz;
  const ax = (-hx - ox) * ix,
    bx = (hx - ox) * ix;
  let near = ax < bx ? ax : bx;
  let far = ax < bx ? bx : ax;
  const ay = (-hy - oy) * iy,
    by = (hy - oy) * iy;
  const nearY = ay < by ? ay : by,
    farY = ay < by ? by : ay;
  if (nearY > near) near = nearY;
  if (farY < far) far = farY;
  const az = (-hz - oz) * iz,
    bz = (hz - oz) * iz;
  const nearZ = az < bz ? az : bz,
    farZ = az < bz ? bz : az;
  if (nearZ > near) near = nearZ;
  if (farZ < far) far = farZ;
  if (!(near <= far) || far < T_MIN) return Infinity;
  return near >= T_MIN ? near : far;
}

/** Sphere about the origin. */
export function intersectSphere(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  radius: number,
): number {
  const a = dx * dx + dy * dy + dz * dz;
  const b = ox * dx + oy * dy + oz * dz;
  const c = ox * ox + oy * oy + oz * oz - radius * radius;
  const under = b * b - a * c;
  if (under < 0) return Infinity;
  const root = Math.sqrt(under);
  const near = (-b - root) / a;
  if (near >= T_MIN) return near;
  const far = (-b + root) / a;
  return far >= T_MIN ? far : Infinity;
}

/** Profile turned about z; `profile` holds r, z pairs one after another. */
export function intersectLathe(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  profile: Float64Array,
): number {
  let best = Infinity;
  for (let i = 0; i + 3 < profile.length; i += 2) {
    const r0 = profile[i],
      z0 = profile[i + 1],
      r1 = profile[i + 2],
      z1 = profile[i + 3];
    const t =
      z0 === z1
        ? intersectDisc(ox, oy, oz, dx, dy, dz, r0, r1, z0)
        : intersectCone(ox, oy, oz, dx, dy, dz, r0, z0, r1, z1);
    if (t < best) best = t;
  }
  return best;
}

/** The ring between radii r0 and r1 (either order) at height z. */
function intersectDisc(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  r0: number,
  r1: number,
  z: number,
): number {
  const t = (z - oz) / dz;
  if (!(t >= T_MIN)) return Infinity;
  const x = ox + t * dx,
    y = oy + t * dy;
  const rr = x * x + y * y;
  const inner = r0 < r1 ? r0 : r1,
    outer = r0 < r1 ? r1 : r0;
  return rr <= outer * outer && rr >= inner * inner ? t : Infinity;
}

/** The side of a cone frustum: radius r0 at z0 to r1 at z1, z0 ≠ z1. */
function intersectCone(
  ox: number,
  oy: number,
  oz: number,
  dx: number,
  dy: number,
  dz: number,
  r0: number,
  z0: number,
  r1: number,
  z1: number,
): number {
  const slope = (r1 - r0) / (z1 - z0);
  const m = r0 + slope * (oz - z0);
  const n = slope * dz;
  const a = dx * dx + dy * dy - n * n;
  const b = ox * dx + oy * dy - m * n;
  const c = ox * ox + oy * oy - m * m;
  const low = z0 < z1 ? z0 : z1,
    high = z0 < z1 ? z1 : z0;
  if (Math.abs(a) < 1e-12) {
    const t = -c / (2 * b);
    return t >= T_MIN && oz + t * dz >= low && oz + t * dz <= high && m + n * t >= 0 ? t : Infinity;
  }
  const under = b * b - a * c;
  if (under < 0) return Infinity;
  const root = Math.sqrt(under);
  let best = Infinity;
  for (let side = -1; side <= 1; side += 2) {
    const t = (-b + side * root) / a;
    if (t < T_MIN || t >= best) continue;
    const z = oz + t * dz;
    // m + n·t is the signed radius there: negative is the cone's mirror image beyond its tip.
    if (z >= low && z <= high && m + n * t >= 0) best = t;
  }
  return best;
}
