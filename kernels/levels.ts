import * as at from './layout';
import { bareRoom, byteOf, real, room, setByte, setNumber, setWhole, two, whole } from './layout';
import { describeRaster, dilatedRaster, partCount, partRaster, rasterCell, rasterize } from './raster';

/** Level surfaces: horizontalPlanes.ts decides, these go over the cells. */

/** Planes are looked for on every second row and column, which is plenty; areas are scaled to match. */
const SPARSE: i32 = 2;
const SPARSE_AREA: f64 = 4;
/** Cells with a normal that is steeper than this face up. */
const UPRIGHT: f64 = 0.85;
/** What is found near a height is this near, metres, or two standard deviations more. */
const NEAR_M: f64 = 0.025;
const EXTENT_CELL: f64 = 0.05;

let upward: i32 = 0;

/** Finds the cells that face up, which are kept; none of them is taken. */
export function findUpward(): i32 {
  upward = 0;
  memory.fill(at.marks, 0, <usize>at.count);
  for (let v = 0; v < at.height; v += SPARSE) {
    const end = (v + 1) * at.width;
    for (let i = v * at.width; i < end; i += SPARSE)
      if (real(at.nz, i) > UPRIGHT) setWhole(at.sparse, upward++, i);
  }
  return upward;
}

/**
 * Area per height of the cells that face up, in bins of a height.
 * @returns where the bins are, f64 m²; numbers: the first bin's height as a multiple of the bin, how many there are
 */
export function heightHistogram(bin: f64): usize {
  at.clearArena();
  let low = Infinity;
  let high = -Infinity;
  for (let k = 0; k < upward; k++) {
    const z = real(at.z, whole(at.sparse, k));
    low = Math.min(low, z);
    high = Math.max(high, z);
  }
  const first = Math.round(low / bin);
  const bins = upward === 0 ? 0 : <i32>(Math.round(high / bin) - first) + 1;
  const histogram = room((<usize>bins) << 3);
  for (let k = 0; k < upward; k++) {
    const i = whole(at.sparse, k);
    const to = histogram + ((<usize>(Math.round(real(at.z, i) / bin) - first)) << 3);
    store<f64>(to, load<f64>(to) + SPARSE_AREA * real(at.area, i));
  }
  setNumber(0, first);
  setNumber(1, <f64>bins);
  return histogram;
}

/**
 * Parts the upward cells near a height that are not taken into connected patches of at least so many cells.
 * @returns their number; `table` has where in `patches` each begins and how many cells it has
 */
export function findPatches(height: f64, leastCells: i32): i32 {
  at.clearArena();
  const near = at.found;
  let n = 0;
  for (let k = 0; k < upward; k++) {
    const i = whole(at.sparse, k);
    if (byteOf(at.marks, i) === 0 && Math.abs(real(at.z, i) - height) < NEAR_M + 2 * real(at.sigma, i))
      setWhole(near, n++, i);
  }
  if (n < leastCells) return 0;
  rasterize(at.x, at.y, near, n, 2 * EXTENT_CELL);
  const partAt = partRaster();
  const parts = partCount();
  const partOf = bareRoom((<usize>n) << 2);
  const sizes = room((<usize>parts) << 2);
  for (let k = 0; k < n; k++) {
    const i = whole(near, k);
    const part = whole(partAt, rasterCell(real(at.x, i), real(at.y, i))) - 1;
    setWhole(partOf, k, part);
    setWhole(sizes, part, whole(sizes, part) + 1);
  }
  return sortByPart(near, n, partOf, sizes, parts, leastCells);
}

/** Writes the cells of each part that is large enough after each other to `patches`, and where they are to `table`. */
function sortByPart(near: usize, n: i32, partOf: usize, sizes: usize, parts: i32, leastCells: i32): i32 {
  let kept = 0;
  let filled = 0;
  for (let part = 0; part < parts; part++) {
    const size = whole(sizes, part);
    // From here on `sizes` holds where the part's next cell goes.
    setWhole(sizes, part, size < leastCells ? -1 : filled);
    if (size < leastCells) continue;
    setWhole(at.table, 2 * kept, filled);
    setWhole(at.table, 2 * kept + 1, size);
    filled += size;
    kept++;
  }
  for (let k = 0; k < n; k++) {
    const part = whole(partOf, k);
    const to = whole(sizes, part);
    if (to < 0) continue;
    setWhole(at.patches, to, whole(near, k));
    setWhole(sizes, part, to + 1);
  }
  return kept;
}

/** Area in m² that sparse cells stand for. */
export function sparseArea(cells: usize, n: i32): f64 {
  let sum: f64 = 0;
  for (let k = 0; k < n; k++) sum += SPARSE_AREA * real(at.area, whole(cells, k));
  return sum;
}

/** Mean place of every so-manieth cell; numbers: x, y. Returns how many they are. */
export function meanPlace(cells: usize, n: i32, step: i32): i32 {
  let sumX: f64 = 0;
  let sumY: f64 = 0;
  let used = 0;
  for (let k = 0; k < n; k += step) {
    const i = whole(cells, k);
    sumX += real(at.x, i);
    sumY += real(at.y, i);
    used++;
  }
  setNumber(0, sumX / <f64>used);
  setNumber(1, sumY / <f64>used);
  return used;
}

let originX: f64 = 0;
let originY: f64 = 0;
let c0: f64 = 0;
let c1: f64 = 0;
let c2: f64 = 0;
let c3: f64 = 0;
let c4: f64 = 0;
let c5: f64 = 0;

/** The surface that the following calls are about: see HeightSurface. */
export function setSurface(ox: f64, oy: f64, k0: f64, k1: f64, k2: f64, k3: f64, k4: f64, k5: f64): void {
  originX = ox;
  originY = oy;
  c0 = k0;
  c1 = k1;
  c2 = k2;
  c3 = k3;
  c4 = k4;
  c5 = k5;
}

/** Height of a cell's point above the surface. */
function heightAbove(i: i32): f64 {
  const a = real(at.x, i) - originX;
  const b = real(at.y, i) - originY;
  return real(at.z, i) - (c0 + c1 * a + c2 * b + c3 * a * a + c4 * a * b + c5 * b * b);
}

/** The same of two cells. */
export function heightsAbove(i: i32): v128 {
  const a = f64x2.sub(two(at.x, i), f64x2.splat(originX));
  const b = f64x2.sub(two(at.y, i), f64x2.splat(originY));
  const plane = f64x2.add(
    f64x2.add(f64x2.splat(c0), f64x2.mul(f64x2.splat(c1), a)),
    f64x2.mul(f64x2.splat(c2), b),
  );
  const aa = f64x2.mul(f64x2.mul(f64x2.splat(c3), a), a);
  const ab = f64x2.mul(f64x2.mul(f64x2.splat(c4), a), b);
  const bb = f64x2.mul(f64x2.mul(f64x2.splat(c5), b), b);
  return f64x2.sub(two(at.z, i), f64x2.add(f64x2.add(f64x2.add(plane, aa), ab), bb));
}

function tolerance(i: i32, inlierM: f64): f64 {
  return Math.max(inlierM, 3 * real(at.sigma, i));
}

/**
 * Sums of the least squares of a surface around the origin that is set.
 * @param terms of the surface: 6, or 3 for a plane
 * @param onSurface only cells on the surface that is set count
 * numbers: the normal matrix by rows, then the right side
 */
export function surfaceSums(
  cells: usize,
  n: i32,
  step: i32,
  terms: i32,
  onSurface: bool,
  inlierM: f64,
): void {
  const right = terms * terms;
  memory.fill(at.numbers, 0, (<usize>(right + terms)) << 3);
  for (let k = 0; k < n; k += step) {
    const i = whole(cells, k);
    if (onSurface && Math.abs(heightAbove(i)) > tolerance(i, inlierM)) continue;
    const z = real(at.z, i);
    const a = real(at.x, i) - originX;
    const b = real(at.y, i) - originY;
    const noise = real(at.sigma, i);
    const weight = 1e-6 / (noise * noise);
    if (terms === 3) {
      addRow3(0, weight, a, b, z, 9);
      addRow3(3, weight * a, a, b, z, 10);
      addRow3(6, weight * b, a, b, z, 11);
    } else {
      addRow6(0, weight, a, b, z, 36);
      addRow6(6, weight * a, a, b, z, 37);
      addRow6(12, weight * b, a, b, z, 38);
      addRow6(18, weight * (a * a), a, b, z, 39);
      addRow6(24, weight * (a * b), a, b, z, 40);
      addRow6(30, weight * (b * b), a, b, z, 41);
    }
  }
}

function addTo(k: i32, value: f64): void {
  const to = at.numbers + ((<usize>k) << 3);
  store<f64>(to, load<f64>(to) + value);
}

function addTwo(k: i32, factor: f64, low: f64, high: f64): void {
  const to = at.numbers + ((<usize>k) << 3);
  const values = f64x2.replace_lane(f64x2.splat(low), 1, high);
  v128.store(to, f64x2.add(v128.load(to), f64x2.mul(f64x2.splat(factor), values)));
}

function addRow3(first: i32, factor: f64, a: f64, b: f64, z: f64, right: i32): void {
  addTo(right, factor * z);
  addTo(first, factor);
  addTwo(first + 1, factor, a, b);
}

function addRow6(first: i32, factor: f64, a: f64, b: f64, z: f64, right: i32): void {
  addTo(right, factor * z);
  addTwo(first, factor, 1, a);
  addTwo(first + 2, factor, b, a * a);
  addTwo(first + 4, factor, a * b, b * b);
}

/**
 * Of some cells those on the surface, written to `found`, with their extent as the current raster.
 * @returns how many; numbers: least a and b, columns and rows of the extent, sum of heights, where the extent is
 */
export function surfaceInliers(cells: usize, n: i32, inlierM: f64, leastCells: i32): i32 {
  at.clearArena();
  let inliers = 0;
  let heights: f64 = 0;
  for (let k = 0; k < n; k++) {
    const i = whole(cells, k);
    if (!(Math.abs(heightAbove(i)) <= tolerance(i, inlierM))) continue;
    setWhole(at.found, inliers++, i);
    heights += real(at.z, i);
  }
  if (inliers < leastCells) return 0;
  rasterize(at.x, at.y, at.found, inliers, EXTENT_CELL);
  describeRaster();
  setNumber(4, heights);
  setNumber(5, <f64>dilatedRaster());
  return inliers;
}

/** Takes the cells that are in `found`, so that no other patch has them. */
export function takeFound(n: i32): void {
  for (let k = 0; k < n; k++) setByte(at.marks, whole(at.found, k), 1);
}
