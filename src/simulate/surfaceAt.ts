import type { CompiledPart } from './compileScene.js';

/** What a ray has hit: outward unit normal in the part's frame and the place on the face in metres. */
export interface SurfacePoint {
  nx: number;
  ny: number;
  nz: number;
  a: number;
  b: number;
}

/** The surface of `part` at a point (its own frame) that lies on it up to rounding; written into `out`. */
export function surfaceAt(part: CompiledPart, x: number, y: number, z: number, out: SurfacePoint): void {
  if (part.shape.kind === 'box') return boxSurface(part, x, y, z, out);
  if (part.shape.kind === 'sphere') {
    const r = part.shape.radius;
    out.nx = x / r;
    out.ny = y / r;
    out.nz = z / r;
    out.a = Math.atan2(y, x) * r;
    out.b = z;
    return;
  }
  latheSurface(part.profile, x, y, z, out);
}

function boxSurface({ high }: CompiledPart, x: number, y: number, z: number, out: SurfacePoint): void {
  const depthX = high[0] - Math.abs(x);
  const depthY = high[1] - Math.abs(y);
  const depthZ = high[2] - Math.abs(z);
  out.nx = out.ny = out.nz = 0;
  if (depthX <= depthY && depthX <= depthZ) {
    out.nx = x < 0 ? -1 : 1;
    out.a = y;
    out.b = z;
  } else if (depthY <= depthZ) {
    out.ny = y < 0 ? -1 : 1;
    out.a = x;
    out.b = z;
  } else {
    out.nz = z < 0 ? -1 : 1;
    const alongX = high[0] >= high[1];
    out.a = alongX ? x : y;
    out.b = alongX ? y : x;
  }
}

/** The profile segment nearest to (radius, z) tells the normal. */
function latheSurface(profile: Float64Array, x: number, y: number, z: number, out: SurfacePoint): void {
  const rho = Math.sqrt(x * x + y * y);
  let best = Infinity;
  let normalR = 0;
  let normalZ = 1;
  for (let i = 0; i + 3 < profile.length; i += 2) {
    const r0 = profile[i];
    const z0 = profile[i + 1];
    const dr = profile[i + 2] - r0;
    const dz = profile[i + 3] - z0;
    const length2 = dr * dr + dz * dz;
    if (length2 === 0) continue;
    const along = Math.min(1, Math.max(0, ((rho - r0) * dr + (z - z0) * dz) / length2));
    const offR = rho - r0 - along * dr;
    const offZ = z - z0 - along * dz;
    const distance2 = offR * offR + offZ * offZ;
    if (distance2 >= best) continue;
    best = distance2;
    const length = Math.sqrt(length2);
    normalR = dz / length;
    normalZ = -dr / length;
  }
  out.nx = rho > 0 ? (normalR * x) / rho : 0;
  out.ny = rho > 0 ? (normalR * y) / rho : 0;
  out.nz = normalZ;
  if (Math.abs(normalZ) > 0.9) {
    out.a = x;
    out.b = y;
  } else {
    out.a = Math.atan2(y, x) * rho;
    out.b = z;
  }
}
