import * as at from './layout';
import { RUN_CELLS, bareRoom, byteOf, freeCells, number, ownerOf, real, room } from './layout';
import { setByte, setNumber, setOwner, setWhole, two, whole } from './layout';
import { partCount, partRaster, rasterCell, rasterize } from './raster';

/** Upright planes: uprightPlanes.ts decides, these go over the cells. */

/** Planes are looked for on every second row and column; what belongs to one is taken from all. */
const SPARSE: i32 = 2;
const SPARSE_AREA: f64 = 4;
/** Bins of the full turn. */
const DIRECTIONS: i32 = 72;
const DISTANCE_BIN: f64 = 0.05;
/** Bins to each side of the camera: 100 m, farther than any depth camera sees. */
const DISTANCE_BINS: i32 = 2000;
const ALONG_CELL: f64 = 0.1;
const LEAST_TOLERANCE_M: f64 = 0.03;

let upright: i32 = 0;

/** Finds the free cells with a level normal, which are kept, and the bin of the direction that each faces. */
export function findUpright(): void {
  upright = 0;
  for (let v = 0; v < at.height; v += SPARSE) {
    const end = (v + 1) * at.width;
    for (let i = v * at.width; i < end; i += SPARSE) {
      const nx = real(at.nx, i);
      const ny = real(at.ny, i);
      if (ownerOf(i) !== 0 || real(at.depth, i) === 0 || !(nx * nx + ny * ny > 0.85)) continue;
      const turn = (Math.atan2(ny, nx) + Math.PI) / (2 * Math.PI);
      setByte(at.marks, upright, <i32>Math.floor(turn * <f64>DIRECTIONS) % DIRECTIONS);
      setWhole(at.sparse, upright++, i);
    }
  }
}

/** Area of the upright cells that are still free per direction, to `numbers`. */
export function directionHistogram(): void {
  memory.fill(at.numbers, 0, DIRECTIONS << 3);
  for (let k = 0; k < upright; k++) {
    const i = whole(at.sparse, k);
    if (ownerOf(i) !== 0) continue;
    const direction = byteOf(at.marks, k);
    setNumber(direction, number(direction) + real(at.area, i));
  }
}

/**
 * Upright cells that are still free and face a direction, give or take two bins, to `found`.
 * @returns how many; numbers: the sum of their normals, by area
 */
export function findFacing(direction: i32): i32 {
  let n = 0;
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  for (let k = 0; k < upright; k++) {
    const gap = abs(byteOf(at.marks, k) - direction);
    if (min(gap, DIRECTIONS - gap) > 2) continue;
    const i = whole(at.sparse, k);
    if (ownerOf(i) !== 0) continue;
    setWhole(at.found, n++, i);
    sumX += real(at.nx, i) * real(at.area, i);
    sumY += real(at.ny, i) * real(at.area, i);
  }
  setNumber(0, sumX);
  setNumber(1, sumY);
  return n;
}

/**
 * Where along a normal most surface of the first `n` cells in `found` lies, from (ox, oy).
 * @returns its area, of three bins; numbers: the middle bin's distance
 */
export function strongestDistance(n: i32, normalX: f64, normalY: f64, ox: f64, oy: f64): f64 {
  at.clearArena();
  const bins = 2 * DISTANCE_BINS + 1;
  const areas = room((<usize>bins) << 3);
  let low = bins;
  let high = 0;
  for (let k = 0; k < n; k++) {
    const i = whole(at.found, k);
    const along = normalX * (real(at.x, i) - ox) + normalY * (real(at.y, i) - oy);
    const bin = <i32>Math.round(along / DISTANCE_BIN) + DISTANCE_BINS;
    if (bin < 0 || bin >= bins) continue;
    low = min(low, bin);
    high = max(high, bin);
    const to = areas + ((<usize>bin) << 3);
    store<f64>(to, load<f64>(to) + SPARSE_AREA * real(at.area, i));
  }
  let best = 0;
  let bestArea: f64 = 0;
  for (let bin = max(1, low - 1); bin <= min(bins - 2, high + 1); bin++) {
    const middle = areas + ((<usize>bin) << 3);
    const area = load<f64>(middle - 8) + load<f64>(middle) + load<f64>(middle + 8);
    if (!(area > bestArea)) continue;
    bestArea = area;
    best = bin;
  }
  setNumber(0, <f64>(best - DISTANCE_BINS) * DISTANCE_BIN);
  return bestArea;
}

/**
 * Sums over the upright cells that are still free, near a plane and face as it does.
 * @returns how many; numbers: sums of x, y, xx, xy, yy
 */
export function wallSums(normalX: f64, normalY: f64, d: f64, tolerance: f64): i32 {
  let n = 0;
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let sumXX: f64 = 0;
  let sumXY: f64 = 0;
  let sumYY: f64 = 0;
  for (let k = 0; k < upright; k++) {
    const i = whole(at.sparse, k);
    if (ownerOf(i) !== 0) continue;
    const x = real(at.x, i);
    const y = real(at.y, i);
    if (Math.abs(normalX * x + normalY * y + d) > tolerance + 2 * real(at.sigma, i)) continue;
    if (real(at.nx, i) * normalX + real(at.ny, i) * normalY < 0.85) continue;
    n++;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumXY += x * y;
    sumYY += y * y;
  }
  setNumber(0, sumX);
  setNumber(1, sumY);
  setNumber(2, sumXX);
  setNumber(3, sumXY);
  setNumber(4, sumYY);
  return n;
}

/** Distance from a wall's plane that still belongs to it, as in uprightPlanes.ts. */
function wallTolerance(noise: f64): f64 {
  return Math.max(LEAST_TOLERANCE_M, 3 * noise);
}

/**
 * Free cells near a plane that face as it does, or have no normal, to `found`; within a reach along the direction
 * (−alongY, alongX) and in height.
 * @returns how many
 */
export function wallInliers(
  normalX: f64,
  normalY: f64,
  d: f64,
  alongX: f64,
  alongY: f64,
  minAlong: f64,
  maxAlong: f64,
  bottom: f64,
  top: f64,
): i32 {
  const nearX = normalX > 0 ? at.minX : at.maxX;
  const farX = normalX > 0 ? at.maxX : at.minX;
  const nearY = normalY > 0 ? at.minY : at.maxY;
  const farY = normalY > 0 ? at.maxY : at.minY;
  let n = 0;
  for (let start = 0, run = 0; start < at.count; start += RUN_CELLS, run++) {
    const nearest = normalX * real(nearX, run) + normalY * real(nearY, run) + d;
    const farthest = normalX * real(farX, run) + normalY * real(farY, run) + d;
    const tolerance = wallTolerance(real(at.maxSigma, run));
    if (!(nearest <= tolerance && farthest >= -tolerance)) continue;
    for (let i = start; i < start + RUN_CELLS; i += 4) {
      let near = freeCells(i);
      if (near & 3) near &= ~3 | nearPlane(i, normalX, normalY, d);
      if (near & 12) near &= 3 | (nearPlane(i + 2, normalX, normalY, d) << 2);
      for (; near !== 0; near &= near - 1) {
        const cell = i + ctz(near);
        const nx = real(at.nx, cell);
        const ny = real(at.ny, cell);
        if (nx * normalX + ny * normalY < 0.5 && (nx !== 0 || ny !== 0 || real(at.nz, cell) !== 0)) continue;
        const along = -alongY * real(at.x, cell) + alongX * real(at.y, cell);
        const z = real(at.z, cell);
        if (along > minAlong && along < maxAlong && z > bottom && z < top) setWhole(at.found, n++, cell);
      }
    }
  }
  return n;
}

/** Which of two cells are within the tolerance of a plane, as bits. */
function nearPlane(i: i32, normalX: f64, normalY: f64, d: f64): i32 {
  const distance = f64x2.abs(
    f64x2.add(
      f64x2.add(f64x2.mul(f64x2.splat(normalX), two(at.x, i)), f64x2.mul(f64x2.splat(normalY), two(at.y, i))),
      f64x2.splat(d),
    ),
  );
  const tolerance = f64x2.pmax(f64x2.splat(LEAST_TOLERANCE_M), f64x2.mul(f64x2.splat(3), two(at.sigma, i)));
  return i64x2.bitmask(f64x2.le(distance, tolerance));
}

/**
 * Keeps of the first `n` cells in `found` those in connected patches of some size: of the smaller size beside a patch
 * of the larger one, else only those of the largest patch.
 * @returns how many are left
 */
export function largePatches(n: i32, normalX: f64, normalY: f64, wallArea: f64, sideArea: f64): i32 {
  at.clearArena();
  const bytes = (<usize>n) << 2;
  const along = bareRoom(bytes);
  const heights = bareRoom(bytes);
  const part = bareRoom(bytes);
  for (let k = 0; k < n; k++) {
    const i = whole(at.found, k);
    store<f32>(along + ((<usize>k) << 2), <f32>(-normalY * real(at.x, i) + normalX * real(at.y, i)));
    store<f32>(heights + ((<usize>k) << 2), <f32>real(at.z, i));
  }
  rasterize(along, heights, 0, n, ALONG_CELL);
  const partAt = partRaster();
  const parts = partCount();
  const areas = room((<usize>parts) << 3);
  let largest: f64 = 0;
  for (let k = 0; k < n; k++) {
    const p = whole(partAt, rasterCell(real(along, k), real(heights, k))) - 1;
    setWhole(part, k, p);
    const to = areas + ((<usize>p) << 3);
    store<f64>(to, load<f64>(to) + real(at.area, whole(at.found, k)));
    largest = Math.max(largest, load<f64>(to));
  }
  const least = largest >= wallArea ? sideArea : largest;
  let kept = 0;
  for (let k = 0; k < n; k++)
    if (load<f64>(areas + ((<usize>whole(part, k)) << 3)) >= least)
      setWhole(at.found, kept++, whole(at.found, k));
  return kept;
}

/** Gives the first `n` cells in `found` to an owner. Returns their area in m². */
export function ownFound(n: i32, id: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < n; k++) {
    const i = whole(at.found, k);
    setOwner(i, id);
    sum += real(at.area, i);
  }
  return sum;
}

/** Points of a piece that are tried against walls. */
const WALL_SAMPLES: i32 = 150;
/** What is on a wall is within this, or the noise, of its plane, metres. */
const ON_WALL_M: f64 = 0.04;
const ON_WALL_SIGMAS: f64 = 4;

/** Whether this share of some cells is within a hand's breadth of a wall, along it and in height, too. */
export function isOnWall(
  cells: usize,
  n: i32,
  share: f64,
  normalX: f64,
  normalY: f64,
  d: f64,
  minAlong: f64,
  maxAlong: f64,
  bottom: f64,
  top: f64,
): bool {
  const step = max(1, n / WALL_SAMPLES);
  const samples = <f64>((n + step - 1) / step);
  let off: f64 = 0;
  for (let k = 0; k < n; k += step) {
    const i = whole(cells, k);
    const x = real(at.x, i);
    const y = real(at.y, i);
    const z = real(at.z, i);
    const distance = Math.abs(normalX * x + normalY * y + d);
    const along = -normalY * x + normalX * y;
    const isNear = distance <= ON_WALL_M || distance <= ON_WALL_SIGMAS * real(at.sigma, i);
    if (isNear && along >= minAlong && along <= maxAlong && z >= bottom && z <= top) continue;
    off += 1;
    if ((samples - off) / samples < share) return false;
  }
  return true;
}
