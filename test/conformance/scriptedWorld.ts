/**
 * A scripted world for the conformance suite: a table with cups on it, as perception would report it frame
 * by frame. No pictures, no noise: what is under test is the contract, not seeing.
 *
 *        y
 *   0.4  |     c2 ········ c3 appears when told
 *   0.0  |  c0 ········ c1
 *        +----------------------- x     table top 0.8 m above the floor, 2 × 1.2 m
 *          0.3        0.9
 */
import type { Box, Vec3 } from '../../src/math/types.js';
import { boxBottom, footprint } from '../../src/math/box.js';
import type {
  FrameObservation,
  ObjectObservation,
  StructureObservation,
} from '../../src/perceive/observations.js';

export const START = 1_785_153_600_000_000_000n; // 2026-07-27T12:00:00Z
const FRAME_NS = 100_000_000n;
const TABLE_TOP = 0.8;
const CUP: Vec3 = [0.08, 0.08, 0.1];
const PLACES: readonly (readonly [number, number])[] = [
  [0.3, 0],
  [0.9, 0],
  [0.4, 0.4],
  [1, 0.4],
];

/** Cups in the order they can be shown; `cupCount` of them are seen. */
export function frameOf(index: number, cupCount: number): FrameObservation {
  return {
    stamp: START + BigInt(index) * FRAME_NS,
    cameraName: '',
    map_T_camera: { translation: [-1, 0, 1.5], rotation: [0, 0, 0, 1] },
    map_T_base: { translation: [-1, 0, 0], rotation: [0, 0, 0, 1] },
    map_T_grippers: new Map(),
    objects: PLACES.slice(0, cupCount).map(([x, y]) => cupAt(x, y)),
    structures: [tableTop()],
  };
}

/** Where the k-th cup stands. */
export function cupPlace(k: number): Vec3 {
  const [x, y] = PLACES[k] ?? [0, 0];
  return [x, y, TABLE_TOP + CUP[2] / 2];
}

function cupAt(x: number, y: number): ObjectObservation {
  const box: Box = { center: [x, y, TABLE_TOP + CUP[2] / 2], size: CUP, yaw: 0 };
  return {
    box,
    hull: footprint(box).flat(),
    points: surfaceOf(box),
    pixelCount: 900,
    depthSigmaM: 0.003,
    distanceM: 1.5,
    truncated: false,
    occludedShare: 0,
    rect: { u0: 300, v0: 200, u1: 330, v1: 230 },
  };
}

function tableTop(): StructureObservation {
  const box: Box = { center: [0.7, 0.2, TABLE_TOP - 0.01], size: [2, 1.2, 0.02], yaw: 0 };
  return {
    kind: 'support',
    box,
    hull: footprint(box).flat(),
    normal: [0, 0, 1],
    d: -TABLE_TOP,
    areaM2: 2.4,
    rect: { u0: 0, v0: 100, u1: 640, v1: 480 },
    pixelCount: 200_000,
  };
}

/** Points every centimetre on top and on the four sides. */
function surfaceOf(box: Box): Float32Array {
  const [width, depth, height] = box.size;
  const points: number[] = [];
  const left = box.center[0] - width / 2;
  const front = box.center[1] - depth / 2;
  const bottom = boxBottom(box);
  for (let a = 0; a <= width + 1e-9; a += 0.01) {
    for (let b = 0; b <= depth + 1e-9; b += 0.01) {
      points.push(left + a, front + b, bottom + height);
    }
    for (let h = 0; h <= height + 1e-9; h += 0.01) {
      points.push(left + a, front, bottom + h, left + a, front + depth, bottom + h);
      points.push(left, front + a, bottom + h, left + width, front + a, bottom + h);
    }
  }
  return Float32Array.from(points);
}
