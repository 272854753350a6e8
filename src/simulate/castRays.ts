/**
 * The ray-caster's inner half: which part does each pixel see, and how far. Works like a z-buffer: every part is
 * cut only with the rays of the rectangle it projects to, so the cost follows what is large in the picture.
 * Distortion is not modelled: rays are those of an ideal pinhole.
 */
import type { PinholeCamera } from '../camera/PinholeCamera.js';
import { rotationMatrix } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import type { CompiledPart } from './compileScene.js';
import { intersectBox, intersectLathe, intersectSphere } from './intersect.js';

export interface RayHits {
  readonly width: number;
  readonly height: number;
  /** Exact distance along the optical axis in metres; Infinity where nothing stands. */
  readonly depth: Float32Array;
  /** 1 + index of the part that is seen; 0 for none. */
  readonly part: Uint16Array;
}

export function castRays(
  parts: readonly CompiledPart[],
  camera: PinholeCamera,
  map_T_camera: RigidTransform,
): RayHits {
  const { width, height } = camera;
  const hits: RayHits = {
    width,
    height,
    depth: new Float32Array(width * height).fill(Infinity),
    part: new Uint16Array(width * height),
  };
  const map_R_camera = rotationMatrix(map_T_camera.rotation);
  parts.forEach((part, index) => castPart(part, index + 1, camera, map_R_camera, map_T_camera, hits));
  return hits;
}

/** Camera frame relative to a part: part_R_camera row-major and the camera's place in the part's frame. */
export function cameraInPart(
  part: CompiledPart,
  map_R_camera: readonly number[],
  map_T_camera: RigidTransform,
): { r: number[]; o: [number, number, number] } {
  const p = part.rotation;
  const r: number[] = [];
  const o: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      let sum = 0;
      for (let k = 0; k < 3; k++) sum += p[3 * k + i] * map_R_camera[3 * k + j];
      r.push(sum);
    }
    for (let k = 0; k < 3; k++) o[i] = o[i] + p[3 * k + i] * (map_T_camera.translation[k] - part.position[k]);
  }
  return { r, o };
}

function castPart(
  part: CompiledPart,
  id: number,
  camera: PinholeCamera,
  map_R_camera: readonly number[],
  map_T_camera: RigidTransform,
  hits: RayHits,
): void {
  const { r, o } = cameraInPart(part, map_R_camera, map_T_camera);
  const rect = projectBounds(part, camera, r, o);
  if (rect === undefined) return;
  const { shape, profile } = part;
  const { depth, part: seen, width } = hits;
  const [ox, oy, oz] = o;
  const [hx, hy, hz] = part.high;
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = r as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let v = rect.v0; v < rect.v1; v++) {
    const yn = (v - camera.cy) / camera.fy;
    const rowX = r1 * yn + r2;
    const rowY = r4 * yn + r5;
    const rowZ = r7 * yn + r8;
    for (let u = rect.u0; u < rect.u1; u++) {
      const xn = (u - camera.cx) / camera.fx;
      const dx = r0 * xn + rowX;
      const dy = r3 * xn + rowY;
      const dz = r6 * xn + rowZ;
      let t: number;
      if (shape.kind === 'box') t = intersectBox(ox, oy, oz, dx, dy, dz, hx, hy, hz);
      else if (shape.kind === 'sphere') t = intersectSphere(ox, oy, oz, dx, dy, dz, shape.radius);
      else t = intersectLathe(ox, oy, oz, dx, dy, dz, profile);
      const index = v * width + u;
      if (t < depth[index]) {
        depth[index] = t;
        seen[index] = id;
      }
    }
  }
}

interface Rect {
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** What lies nearer than this is cut off before it is projected. */
const NEAR_M = 0.02;

/** Pixels that may see the part, upper bounds exclusive; undefined when its bounds lie outside the view. */
function projectBounds(
  part: CompiledPart,
  camera: PinholeCamera,
  r: readonly number[],
  o: readonly [number, number, number],
): Rect | undefined {
  const { width, height, fx, fy, cx, cy } = camera;
  const corners = cornersInCamera(part, r, o);
  let minU = Infinity;
  let minV = Infinity;
  let maxU = -Infinity;
  let maxV = -Infinity;
  const include = (x: number, y: number, z: number): void => {
    const u = (fx * x) / z + cx;
    const v = (fy * y) / z + cy;
    minU = Math.min(minU, u);
    maxU = Math.max(maxU, u);
    minV = Math.min(minV, v);
    maxV = Math.max(maxV, v);
  };
  for (let corner = 0; corner < 8; corner++) {
    const [x, y, z] = corners[corner];
    if (z >= NEAR_M) include(x, y, z);
    // The three edges that leave towards a corner of higher number; one that crosses the near plane adds its crossing.
    for (let bit = 1; bit < 8; bit <<= 1) {
      if ((corner & bit) !== 0) continue;
      const [ex, ey, ez] = corners[corner | bit];
      if (z >= NEAR_M === ez >= NEAR_M) continue;
      const share = (NEAR_M - z) / (ez - z);
      include(x + share * (ex - x), y + share * (ey - y), NEAR_M);
    }
  }
  const rect = {
    u0: Math.max(0, Math.floor(minU)),
    v0: Math.max(0, Math.floor(minV)),
    u1: Math.min(width, Math.ceil(maxU) + 1),
    v1: Math.min(height, Math.ceil(maxV) + 1),
  };
  return rect.u0 < rect.u1 && rect.v0 < rect.v1 ? rect : undefined;
}

/** The eight corners of the part's bounds in the camera frame; bits 1, 2, 4 of the index choose high x, y, z. */
function cornersInCamera(
  { low, high }: CompiledPart,
  r: readonly number[],
  o: readonly [number, number, number],
): (readonly [number, number, number])[] {
  return Array.from({ length: 8 }, (_, corner) => {
    const x = (corner & 1 ? high[0] : low[0]) - o[0];
    const y = (corner & 2 ? high[1] : low[1]) - o[1];
    const z = (corner & 4 ? high[2] : low[2]) - o[2];
    // camera = part_R_cameraᵀ · (corner − o)
    return [
      r[0] * x + r[3] * y + r[6] * z,
      r[1] * x + r[4] * y + r[7] * z,
      r[2] * x + r[5] * y + r[8] * z,
    ] as const;
  });
}
