import * as at from './layout';
import { RUN_CELLS, real } from './layout';

/** Depth of one picture to the points, noise figures, normals and areas of its cells. */

/** Readings that differ by less are of one surface at any distance, metres. */
const SAME_SURFACE_M: f64 = 0.01;

/** Standard deviation of a reading at a distance, metres: see depthNoise.ts, which gives the same bits. */
function depthSigma(distance: f64): f64 {
  const beyond = distance - 0.4;
  return 0.0012 + 0.0019 * beyond * beyond;
}

/** The picture in metres from millimetres, of which 0 means that nothing was measured and becomes NaN. */
export function metresFromWords(pixels: i32): void {
  for (let i: usize = 0; i < <usize>pixels; i += 8) {
    const eight = v128.load(at.words + (i << 1));
    const place = at.picture + (i << 2);
    v128.store(place, metresOf(i32x4.extend_low_i16x8_u(eight)));
    v128.store(place, metresOf(i32x4.extend_high_i16x8_u(eight)), 16);
  }
}

function metresOf(millimetres: v128): v128 {
  const metres = f32x4.div(f32x4.convert_i32x4_u(millimetres), f32x4.splat(1000));
  // All bits set is one of the NaNs.
  return v128.or(metres, i32x4.eq(millimetres, i32x4.splat(0)));
}

/** Each cell's depth from its block of pixels of the picture; 0 where none of them is a measurement. */
export function thinDepth(rowLength: i32, stride: i32, minRange: f64, maxRange: f64): void {
  const width = at.width;
  for (let v = 0; v < at.height; v++) {
    const corner = v * stride * rowLength;
    const out = at.depth + ((<usize>(v * width)) << 2);
    let u = stride === 2 ? thinTwoRows(corner, out, rowLength, minRange, maxRange) : 0;
    for (; u < width; u++)
      store<f32>(
        out + ((<usize>u) << 2),
        blockDepth(corner + u * stride, rowLength, stride, minRange, maxRange),
      );
  }
  const end = (at.count + RUN_CELLS - 1) & ~(RUN_CELLS - 1);
  for (let i = at.count; i < end; i++) store<f32>(at.depth + ((<usize>i) << 2), 0);
}

/**
 * The same as `blockDepth` of each block, two at a time, for the usual picture.
 * @returns how many cells it has filled
 */
function thinTwoRows(corner: i32, out: usize, rowLength: i32, minRange: f64, maxRange: f64): i32 {
  const least = f64x2.splat(minRange);
  const most = f64x2.splat(maxRange);
  const last = at.width - 2;
  const rowBytes = (<usize>rowLength) << 2;
  let u = 0;
  for (; u <= last; u += 2) {
    const place = at.picture + ((<usize>(corner + 2 * u)) << 2);
    const above = v128.load(place);
    const below = v128.load(place + rowBytes);
    const a = evens(above);
    const b = odds(above);
    const c = evens(below);
    const d = odds(below);
    // False for NaN: no measurement.
    const isA = v128.and(f64x2.ge(a, least), f64x2.le(a, most));
    const isB = v128.and(f64x2.ge(b, least), f64x2.le(b, most));
    const isC = v128.and(f64x2.ge(c, least), f64x2.le(c, most));
    const isD = v128.and(f64x2.ge(d, least), f64x2.le(d, most));
    const nearest = f64x2.pmin(
      f64x2.pmin(where(isA, a), where(isB, b)),
      f64x2.pmin(where(isC, c), where(isD, d)),
    );
    const step = f64x2.pmax(f64x2.splat(SAME_SURFACE_M), f64x2.mul(f64x2.splat(4), sigmaOf(nearest)));
    const limit = f64x2.add(nearest, step);
    const takesA = v128.and(isA, f64x2.le(a, limit));
    const takesB = v128.and(isB, f64x2.le(b, limit));
    const takesC = v128.and(isC, f64x2.le(c, limit));
    const takesD = v128.and(isD, f64x2.le(d, limit));
    const sum = sumOf(v128.and(takesA, a), v128.and(takesB, b), v128.and(takesC, c), v128.and(takesD, d));
    const one = f64x2.splat(1);
    const readings = sumOf(
      v128.and(takesA, one),
      v128.and(takesB, one),
      v128.and(takesC, one),
      v128.and(takesD, one),
    );
    const mean = f64x2.div(sum, f64x2.pmax(readings, one));
    v128.store64_lane(out + ((<usize>u) << 2), f32x4.demote_f64x2_zero(mean), 0);
  }
  return u;
}

/** The first and the third of four numbers. */
function evens(lanes: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(lanes, lanes, 0, 2, 0, 2));
}

function odds(lanes: v128): v128 {
  return f64x2.promote_low_f32x4(v128.shuffle<f32>(lanes, lanes, 1, 3, 1, 3));
}

/** A measurement, or infinity where there is none. */
function where(isOne: v128, value: v128): v128 {
  return v128.bitselect(value, f64x2.splat(Infinity), isOne);
}

function sumOf(a: v128, b: v128, c: v128, d: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.add(a, b), c), d);
}

function high(lanes: v128): v128 {
  return v128.shuffle<f32>(lanes, lanes, 2, 3, 2, 3);
}

/** Mean of the readings of a block that belong to its nearest surface: averages noise, never mixes two surfaces. */
function blockDepth(corner: i32, rowLength: i32, stride: i32, minRange: f64, maxRange: f64): f32 {
  const end = corner + stride * rowLength;
  let nearest = Infinity;
  let farthest: f64 = 0;
  let all: f64 = 0;
  let readings = 0;
  for (let row = corner; row < end; row += rowLength) {
    for (let i = row; i < row + stride; i++) {
      const d = real(at.picture, i);
      // False for NaN: no measurement.
      if (!(d >= minRange && d <= maxRange)) continue;
      if (d < nearest) nearest = d;
      if (d > farthest) farthest = d;
      all += d;
      readings++;
    }
  }
  if (readings === 0) return 0;
  const limit = nearest + Math.max(SAME_SURFACE_M, 4 * depthSigma(nearest));
  if (farthest <= limit) return <f32>(all / <f64>readings);
  all = 0;
  readings = 0;
  for (let row = corner; row < end; row += rowLength) {
    for (let i = row; i < row + stride; i++) {
      const d = real(at.picture, i);
      if (!(d >= minRange && d <= limit)) continue;
      all += d;
      readings++;
    }
  }
  return <f32>(all / <f64>readings);
}

/** Points in the map, noise figures and the runs' bounds; r is map_R_depth by rows, t where the camera is. */
export function fillPoints(
  r0: f64,
  r1: f64,
  r2: f64,
  r3: f64,
  r4: f64,
  r5: f64,
  r6: f64,
  r7: f64,
  r8: f64,
  tx: f64,
  ty: f64,
  tz: f64,
): void {
  const far = f32x4.splat(Infinity);
  const near = f32x4.splat(-Infinity);
  const bytes = (<usize>at.count) << 2;
  for (let run: usize = 0, start: usize = 0; start < bytes; start += RUN_CELLS << 2, run += 4) {
    let lowX = far;
    let highX = near;
    let lowY = far;
    let highY = near;
    let lowZ = far;
    let highZ = near;
    let noisiest = f32x4.splat(0);
    for (let i = start; i < start + (RUN_CELLS << 2); i += 16) {
      const d = v128.load(at.depth + i);
      const measured = f32x4.ne(d, f32x4.splat(0));
      const rayX = v128.load(at.rayX + i);
      const rayY = v128.load(at.rayY + i);
      const d0 = f64x2.promote_low_f32x4(d);
      const d1 = f64x2.promote_low_f32x4(high(d));
      const a0 = f64x2.mul(f64x2.promote_low_f32x4(rayX), d0);
      const a1 = f64x2.mul(f64x2.promote_low_f32x4(high(rayX)), d1);
      const b0 = f64x2.mul(f64x2.promote_low_f32x4(rayY), d0);
      const b1 = f64x2.mul(f64x2.promote_low_f32x4(high(rayY)), d1);
      const px = v128.and(measured, turned(a0, b0, d0, a1, b1, d1, r0, r1, r2, tx));
      const py = v128.and(measured, turned(a0, b0, d0, a1, b1, d1, r3, r4, r5, ty));
      const pz = v128.and(measured, turned(a0, b0, d0, a1, b1, d1, r6, r7, r8, tz));
      const noise = v128.and(measured, both(sigmaOf(d0), sigmaOf(d1)));
      v128.store(at.x + i, px);
      v128.store(at.y + i, py);
      v128.store(at.z + i, pz);
      v128.store(at.sigma + i, noise);
      noisiest = f32x4.pmax(noisiest, noise);
      lowX = f32x4.pmin(lowX, v128.bitselect(px, far, measured));
      highX = f32x4.pmax(highX, v128.bitselect(px, near, measured));
      lowY = f32x4.pmin(lowY, v128.bitselect(py, far, measured));
      highY = f32x4.pmax(highY, v128.bitselect(py, near, measured));
      lowZ = f32x4.pmin(lowZ, v128.bitselect(pz, far, measured));
      highZ = f32x4.pmax(highZ, v128.bitselect(pz, near, measured));
    }
    store<f32>(at.minX + run, least(lowX));
    store<f32>(at.maxX + run, most(highX));
    store<f32>(at.minY + run, least(lowY));
    store<f32>(at.maxY + run, most(highY));
    store<f32>(at.minZ + run, least(lowZ));
    store<f32>(at.maxZ + run, most(highZ));
    store<f32>(at.maxSigma + run, most(noisiest));
  }
}

/** One coordinate of four points: r0·a + r1·b + r2·d + t. */
function turned(
  a0: v128,
  b0: v128,
  d0: v128,
  a1: v128,
  b1: v128,
  d1: v128,
  r0: f64,
  r1: f64,
  r2: f64,
  t: f64,
): v128 {
  const s0 = f64x2.splat(r0);
  const s1 = f64x2.splat(r1);
  const s2 = f64x2.splat(r2);
  const to = f64x2.splat(t);
  const p0 = f64x2.add(f64x2.add(f64x2.mul(s0, a0), f64x2.mul(s1, b0)), f64x2.mul(s2, d0));
  const p1 = f64x2.add(f64x2.add(f64x2.mul(s0, a1), f64x2.mul(s1, b1)), f64x2.mul(s2, d1));
  return both(f64x2.add(p0, to), f64x2.add(p1, to));
}

/** `depthSigma` of two distances. */
function sigmaOf(distances: v128): v128 {
  const beyond = f64x2.sub(distances, f64x2.splat(0.4));
  return f64x2.add(f64x2.splat(0.0012), f64x2.mul(f64x2.mul(f64x2.splat(0.0019), beyond), beyond));
}

function both(low: v128, high: v128): v128 {
  return v128.shuffle<f32>(f32x4.demote_f64x2_zero(low), f32x4.demote_f64x2_zero(high), 0, 1, 4, 5);
}

function least(lanes: v128): f32 {
  const two = f32x4.pmin(lanes, high(lanes));
  return f32x4.extract_lane(f32x4.pmin(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}

function most(lanes: v128): f32 {
  const two = f32x4.pmax(lanes, high(lanes));
  return f32x4.extract_lane(f32x4.pmax(two, v128.shuffle<f32>(two, two, 1, 0, 3, 2)), 0);
}

/** Normals are taken of every second row and column and stand for the three cells beside and below, too. */
const NORMAL_STEP: i32 = 2;
/** Cells between the ends of a difference: at 3 m a step of one cell is smaller than the noise. */
const NORMAL_REACH: i32 = 3;
/** A surface seen at a flatter angle covers no more than this many times its cell. */
const LEAST_COSINE: f64 = 0.08;

/**
 * Normals by the cross product of central differences; where the surface breaks off on one side the difference is
 * one-sided. The camera is at (ox, oy, oz).
 */
export function fillNormals(cellAngle: f64, ox: f64, oy: f64, oz: f64): void {
  const width = at.width;
  const height = at.height;
  for (let v = 0; v < height; v += NORMAL_STEP) {
    const hasBelow = v + 1 < height;
    for (let u = 0; u < width; u += NORMAL_STEP) {
      const i = v * width + u;
      if (hasBelow && u >= NORMAL_REACH && u + NORMAL_STEP + NORMAL_REACH < width) {
        fillTwoNormals(i, v, cellAngle, ox, oy, oz);
        u += NORMAL_STEP;
        continue;
      }
      fillNormal(i, u, v, cellAngle, ox, oy, oz);
      const hasRight = u + 1 < width;
      if (hasRight) copyNormal(i, i + 1);
      if (!hasBelow) continue;
      copyNormal(i, i + width);
      if (hasRight) copyNormal(i, i + width + 1);
    }
  }
}

/** The same as `fillNormal` of two cells that have cells within reach to both sides, and its copies. */
function fillTwoNormals(i: i32, v: i32, cellAngle: f64, ox: f64, oy: f64, oz: f64): void {
  const reach = NORMAL_REACH * at.width;
  const k = (<usize>i) << 2;
  const right = k + (NORMAL_REACH << 2);
  const left = k - (NORMAL_REACH << 2);
  // Beyond the picture a cell stands for itself, as it does where the surface breaks off.
  const down = v + NORMAL_REACH < at.height ? k + ((<usize>reach) << 2) : k;
  const up = v >= NORMAL_REACH ? k - ((<usize>reach) << 2) : k;
  const measured = v128.load(at.depth + k);
  const d = evens(measured);
  const zero = f64x2.splat(0);
  const jump = f64x2.add(
    f64x2.pmax(f64x2.splat(0.03), f64x2.mul(f64x2.splat(6), evens(v128.load(at.sigma + k)))),
    f64x2.mul(f64x2.splat(<f64>NORMAL_REACH * cellAngle), d),
  );
  const isRight = isSame(right, d, jump);
  const isLeft = isSame(left, d, jump);
  const isDown = down === k ? zero : isSame(down, d, jump);
  const isUp = up === k ? zero : isSame(up, d, jump);
  const x = evens(v128.load(at.x + k));
  const y = evens(v128.load(at.y + k));
  const z = evens(v128.load(at.z + k));
  const ax = f64x2.sub(orOwn(at.x + right, x, isRight), orOwn(at.x + left, x, isLeft));
  const ay = f64x2.sub(orOwn(at.y + right, y, isRight), orOwn(at.y + left, y, isLeft));
  const az = f64x2.sub(orOwn(at.z + right, z, isRight), orOwn(at.z + left, z, isLeft));
  const bx = f64x2.sub(orOwn(at.x + down, x, isDown), orOwn(at.x + up, x, isUp));
  const by = f64x2.sub(orOwn(at.y + down, y, isDown), orOwn(at.y + up, y, isUp));
  const bz = f64x2.sub(orOwn(at.z + down, z, isDown), orOwn(at.z + up, z, isUp));
  const cx = f64x2.sub(f64x2.mul(ay, bz), f64x2.mul(az, by));
  const cy = f64x2.sub(f64x2.mul(az, bx), f64x2.mul(ax, bz));
  const cz = f64x2.sub(f64x2.mul(ax, by), f64x2.mul(ay, bx));
  const length = f64x2.sqrt(dot(cx, cy, cz, cx, cy, cz));
  const hasSides = v128.and(v128.or(isRight, isLeft), v128.or(isDown, isUp));
  const isFlat = v128.and(
    v128.and(hasSides, f64x2.ne(d, zero)),
    v128.not(f64x2.lt(length, f64x2.splat(1e-12))),
  );
  const vx = f64x2.sub(f64x2.splat(ox), x);
  const vy = f64x2.sub(f64x2.splat(oy), y);
  const vz = f64x2.sub(f64x2.splat(oz), z);
  const facing = dot(cx, cy, cz, vx, vy, vz);
  const inverse = f64x2.div(f64x2.splat(1), length);
  const scale = v128.bitselect(f64x2.neg(inverse), inverse, f64x2.lt(facing, zero));
  const distance = f64x2.sqrt(dot(vx, vy, vz, vx, vy, vz));
  const cosine = f64x2.div(f64x2.abs(facing), f64x2.mul(length, distance));
  const across = f64x2.mul(f64x2.mul(f64x2.splat(cellAngle * cellAngle), d), d);
  const covered = f64x2.promote_low_f32x4(f32x4.demote_f64x2_zero(across));
  const slanted = f64x2.div(covered, f64x2.pmax(f64x2.splat(LEAST_COSINE), cosine));
  const none = f32x4.splat(0);
  const here = f32x4.ne(measured, none);
  const below = k + ((<usize>at.width) << 2);
  const there = f32x4.ne(v128.load(at.depth + below), none);
  spread(at.nx, k, below, v128.and(isFlat, f64x2.mul(cx, scale)), here, there);
  spread(at.ny, k, below, v128.and(isFlat, f64x2.mul(cy, scale)), here, there);
  spread(at.nz, k, below, v128.and(isFlat, f64x2.mul(cz, scale)), here, there);
  spread(at.area, k, below, v128.bitselect(slanted, covered, isFlat), here, there);
}

function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/** Whether two neighbours lie on the same surface as their cells. */
function isSame(neighbours: usize, d: v128, jump: v128): v128 {
  const other = evens(v128.load(at.depth + neighbours));
  return v128.and(f64x2.ne(other, f64x2.splat(0)), f64x2.lt(f64x2.abs(f64x2.sub(other, d)), jump));
}

/** A coordinate of two neighbours, or the cells' own where they lie on another surface. */
function orOwn(neighbours: usize, own: v128, isNeighbour: v128): v128 {
  return v128.bitselect(evens(v128.load(neighbours)), own, isNeighbour);
}

/** Writes two numbers to two cells each in this row and the next; none to holes. */
function spread(array: usize, k: usize, below: usize, values: v128, here: v128, there: v128): void {
  const two = f32x4.demote_f64x2_zero(values);
  const four = v128.shuffle<f32>(two, two, 0, 0, 1, 1);
  v128.store(array + k, v128.and(four, here));
  v128.store(array + below, v128.and(four, there));
}

function fillNormal(i: i32, u: i32, v: i32, cellAngle: f64, ox: f64, oy: f64, oz: f64): void {
  const width = at.width;
  const d = real(at.depth, i);
  const covered = <f32>(cellAngle * cellAngle * d * d);
  setNormal(i, 0, 0, 0, covered);
  if (d === 0) return;
  const jump = Math.max(0.03, 6 * real(at.sigma, i)) + <f64>NORMAL_REACH * cellAngle * d;
  const right = u + NORMAL_REACH < width ? neighbour(i, d, NORMAL_REACH, jump) : i;
  const left = u >= NORMAL_REACH ? neighbour(i, d, -NORMAL_REACH, jump) : i;
  const down = v + NORMAL_REACH < at.height ? neighbour(i, d, NORMAL_REACH * width, jump) : i;
  const up = v >= NORMAL_REACH ? neighbour(i, d, -NORMAL_REACH * width, jump) : i;
  if (right === left || down === up) return;
  const ax = real(at.x, right) - real(at.x, left);
  const ay = real(at.y, right) - real(at.y, left);
  const az = real(at.z, right) - real(at.z, left);
  const bx = real(at.x, down) - real(at.x, up);
  const by = real(at.y, down) - real(at.y, up);
  const bz = real(at.z, down) - real(at.z, up);
  const cx = ay * bz - az * by;
  const cy = az * bx - ax * bz;
  const cz = ax * by - ay * bx;
  const length = Math.sqrt(cx * cx + cy * cy + cz * cz);
  if (length < 1e-12) return;
  const vx = ox - real(at.x, i);
  const vy = oy - real(at.y, i);
  const vz = oz - real(at.z, i);
  const facing = cx * vx + cy * vy + cz * vz;
  const scale = facing < 0 ? -1 / length : 1 / length;
  const cosine = Math.abs(facing) / (length * Math.sqrt(vx * vx + vy * vy + vz * vz));
  const slanted = <f32>(<f64>covered / Math.max(LEAST_COSINE, cosine));
  setNormal(i, <f32>(cx * scale), <f32>(cy * scale), <f32>(cz * scale), slanted);
}

function setNormal(i: i32, nx: f32, ny: f32, nz: f32, area: f32): void {
  const k = (<usize>i) << 2;
  store<f32>(at.nx + k, nx);
  store<f32>(at.ny + k, ny);
  store<f32>(at.nz + k, nz);
  store<f32>(at.area + k, area);
}

/** Gives a cell's normal and area to one beside it; none to a hole. */
function copyNormal(from: i32, to: i32): void {
  const k = (<usize>from) << 2;
  if (real(at.depth, to) === 0) setNormal(to, 0, 0, 0, 0);
  else
    setNormal(to, load<f32>(at.nx + k), load<f32>(at.ny + k), load<f32>(at.nz + k), load<f32>(at.area + k));
}

/** Index of the neighbour if it lies on the same surface, else the cell itself. */
function neighbour(i: i32, d: f64, step: i32, jump: f64): i32 {
  const other = real(at.depth, i + step);
  return other !== 0 && Math.abs(other - d) < jump ? i + step : i;
}
