import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { DepthImage } from '../camera/RgbdFrame.js';
import type { RigidTransform } from '../math/types.js';
import { rotationMatrix } from '../math/quaternion.js';
import { depthSigma } from './depthNoise.js';
import { RUN_CELLS } from './CellRuns.js';
import { CloudBuffers, type CloudArrays } from './CloudBuffers.js';

/**
 * The organised cloud that all geometry works on: one frame's depth thinned to at most 320×240,
 * as points in the map (z up), with normals. Structure of arrays; index = v · width + u.
 */
export interface CloudGrid extends CloudArrays {
  readonly width: number;
  readonly height: number;
  /** Depth pixels per grid cell along each side. */
  readonly stride: number;
  /** Width of one cell at unit distance (1 / focal length in cells). */
  readonly cellAngle: number;
  /** Where the camera is in the map. */
  readonly origin: readonly [number, number, number];
}

const MAX_WIDTH = 320;
const MAX_HEIGHT = 240;

/** Smallest stride that brings a picture to at most 320×240. */
export function gridStride(width: number, height: number): number {
  return Math.max(1, Math.ceil(width / MAX_WIDTH), Math.ceil(height / MAX_HEIGHT));
}

/**
 * Builds the cloud of one depth picture.
 * @param minRange readings nearer than this (metres) are no measurement
 * @param maxRange readings farther than this (metres) are no measurement
 * @param buffers where the cloud is built; the one built there before is overwritten
 */
export function buildCloudGrid(
  image: DepthImage,
  camera: PinholeCamera,
  map_T_depth: RigidTransform,
  minRange: number,
  maxRange: number,
  buffers = new CloudBuffers(),
): CloudGrid {
  const stride = gridStride(image.width, image.height);
  const width = Math.floor(image.width / stride);
  const height = Math.floor(image.height / stride);
  const grid: CloudGrid = {
    width,
    height,
    stride,
    ...buffers.arrays(width * height),
    cellAngle: stride / camera.fx,
    origin: [map_T_depth.translation[0], map_T_depth.translation[1], map_T_depth.translation[2]],
  };
  thinDepth(image, grid.depth, stride, minRange, maxRange);
  fillPoints(grid, buffers.rays(camera, stride, width, height), map_T_depth);
  fillNormals(grid);
  return grid;
}

/** Each cell's depth from its block of pixels; 0 where none of them is a measurement. */
function thinDepth(
  { width: rowLength, height, depthM }: DepthImage,
  out: Float32Array,
  stride: number,
  minRange: number,
  maxRange: number,
): void {
  const width = Math.floor(rowLength / stride);
  let i = 0;
  for (let top = 0; top + stride <= height; top += stride) {
    const corner = top * rowLength;
    if (stride === 2) thinTwoRows(depthM, out, corner, i, width, minRange, maxRange, rowLength);
    else
      for (let u = 0; u < width; u++)
        out[i + u] = blockDepth(depthM, corner + u * stride, rowLength, stride, minRange, maxRange);
    i += width;
  }
}

/** Readings that differ by less are of one surface at any distance, metres. */
const SAME_SURFACE_M = 0.01;

/** The same as `blockDepth` of each block, for the usual picture: most blocks hold four readings of one surface. */
function thinTwoRows(
  source: Float32Array,
  out: Float32Array,
  corner: number,
  first: number,
  width: number,
  minRange: number,
  maxRange: number,
  rowLength: number,
): void {
  for (let u = 0; u < width; u++) {
    const i = corner + 2 * u;
    const a = source[i];
    const b = source[i + 1];
    const c = source[i + rowLength];
    const d = source[i + rowLength + 1];
    const all = a + b + c + d;
    const nearAbove = a < b ? a : b;
    const nearBelow = c < d ? c : d;
    const nearest = nearAbove < nearBelow ? nearAbove : nearBelow;
    const farAbove = a < b ? b : a;
    const farBelow = c < d ? d : c;
    const farthest = farAbove < farBelow ? farBelow : farAbove;
    // The sum is NaN, and the comparison false, when one of the four is no measurement.
    if (all >= 0 && nearest >= minRange && farthest <= maxRange && farthest <= nearest + SAME_SURFACE_M)
      out[first + u] = all / 4;
    else out[first + u] = blockDepth(source, i, rowLength, 2, minRange, maxRange);
  }
}

/** Mean of the readings of a block that belong to its nearest surface: averages noise, never mixes two surfaces. */
function blockDepth(
  source: Float32Array,
  corner: number,
  rowLength: number,
  stride: number,
  minRange: number,
  maxRange: number,
): number {
  const end = corner + stride * rowLength;
  let nearest = Infinity;
  let farthest = 0;
  let all = 0;
  let count = 0;
  for (let row = corner; row < end; row += rowLength) {
    for (let i = row; i < row + stride; i++) {
      const d = source[i];
      // False for NaN: no measurement.
      if (!(d >= minRange && d <= maxRange)) continue;
      if (d < nearest) nearest = d;
      if (d > farthest) farthest = d;
      all += d;
      count++;
    }
  }
  if (count === 0) return 0;
  const limit = nearest + Math.max(SAME_SURFACE_M, 4 * depthSigma(nearest));
  return farthest <= limit ? all / count : meanUpTo(source, corner, end, rowLength, stride, minRange, limit);
}

function meanUpTo(
  source: Float32Array,
  corner: number,
  end: number,
  rowLength: number,
  stride: number,
  minRange: number,
  limit: number,
): number {
  let sum = 0;
  let count = 0;
  for (let row = corner; row < end; row += rowLength) {
    for (let i = row; i < row + stride; i++) {
      if (source[i] >= minRange && source[i] <= limit) {
        sum += source[i];
        count++;
      }
    }
  }
  return sum / count;
}

function fillPoints(
  grid: CloudGrid,
  rays: { x: Float32Array; y: Float32Array },
  map_T_depth: RigidTransform,
): void {
  const { x: rayX, y: rayY } = rays;
  const [r0, r1, r2, r3, r4, r5, r6, r7, r8] = rotationMatrix(map_T_depth.rotation);
  const [tx, ty, tz] = map_T_depth.translation;
  const { depth, x, y, z, sigma, runs } = grid;
  for (let start = 0, run = 0; start < depth.length; start += RUN_CELLS, run++) {
    const end = Math.min(start + RUN_CELLS, depth.length);
    let minX = FAR;
    let maxX = -FAR;
    let minY = FAR;
    let maxY = -FAR;
    let minZ = FAR;
    let maxZ = -FAR;
    let farthest = 0;
    for (let i = start; i < end; i++) {
      const d = depth[i];
      if (d === 0) {
        x[i] = y[i] = z[i] = sigma[i] = 0;
        continue;
      }
      const a = rayX[i] * d;
      const b = rayY[i] * d;
      const px = r0 * a + r1 * b + r2 * d;
      const py = r3 * a + r4 * b + r5 * d;
      const pz = r6 * a + r7 * b + r8 * d;
      x[i] = px + tx;
      y[i] = py + ty;
      z[i] = pz + tz;
      sigma[i] = depthSigma(d);
      let step = (px * BOUND_STEPS) | 0;
      minX = least(minX, step);
      maxX = most(maxX, step);
      step = (py * BOUND_STEPS) | 0;
      minY = least(minY, step);
      maxY = most(maxY, step);
      step = (pz * BOUND_STEPS) | 0;
      minZ = least(minZ, step);
      maxZ = most(maxZ, step);
      farthest = most(farthest, (d * BOUND_STEPS) | 0);
    }
    // One step wider than counted: the fraction was cut off.
    runs.minX[run] = (minX - 1) / BOUND_STEPS + tx;
    runs.maxX[run] = (maxX + 1) / BOUND_STEPS + tx;
    runs.minY[run] = (minY - 1) / BOUND_STEPS + ty;
    runs.maxY[run] = (maxY + 1) / BOUND_STEPS + ty;
    runs.minZ[run] = (minZ - 1) / BOUND_STEPS + tz;
    runs.maxZ[run] = (maxZ + 1) / BOUND_STEPS + tz;
    runs.maxSigma[run] = Math.max(depthSigma(0), depthSigma((farthest + 1) / BOUND_STEPS));
  }
}

/**
 * Bounds are counted from the camera in whole steps of a quarter of a millimetre: noise makes a branch for each new
 * least or most unpredictable, which takes longer than all else here; of integers they can be had without one.
 */
const BOUND_STEPS = 4096;
/** A hundred kilometres: farther than any reading. */
const FAR = 100_000 * BOUND_STEPS;

function least(a: number, b: number): number {
  const gap = (b - a) | 0;
  return (a + (gap & (gap >> 31))) | 0;
}

function most(a: number, b: number): number {
  const gap = (a - b) | 0;
  return (a - (gap & (gap >> 31))) | 0;
}

/** Normals are taken of every second row and column and stand for the three cells beside and below, too. */
const NORMAL_STEP = 2;
/** Cells between the ends of a difference: at 3 m a step of one cell is smaller than the noise. */
const NORMAL_REACH = 3;
/** A surface seen at a flatter angle covers no more than this many times its cell. */
const LEAST_COSINE = 0.08;

/**
 * Normals by the cross product of central differences; where the surface breaks off on one side the difference is
 * one-sided.
 */
function fillNormals(grid: CloudGrid): void {
  const { width, height } = grid;
  for (let v = 0; v < height; v += NORMAL_STEP) {
    for (let u = 0; u < width; u += NORMAL_STEP) {
      const i = v * width + u;
      fillNormal(grid, i, u, v);
      const hasRight = u + 1 < width;
      if (hasRight) copyNormal(grid, i, i + 1);
      if (v + 1 === height) continue;
      copyNormal(grid, i, i + width);
      if (hasRight) copyNormal(grid, i, i + width + 1);
    }
  }
}

function fillNormal(grid: CloudGrid, i: number, u: number, v: number): void {
  const { width, height, depth, x, y, z, nx, ny, nz, area, cellAngle, origin, sigma } = grid;
  const d = depth[i];
  nx[i] = ny[i] = nz[i] = 0;
  area[i] = cellAngle * cellAngle * d * d;
  if (d === 0) return;
  const jump = Math.max(0.03, 6 * sigma[i]) + NORMAL_REACH * cellAngle * d;
  const right = neighbour(depth, i, d, u + NORMAL_REACH < width, NORMAL_REACH, jump);
  const left = neighbour(depth, i, d, u >= NORMAL_REACH, -NORMAL_REACH, jump);
  const down = neighbour(depth, i, d, v + NORMAL_REACH < height, NORMAL_REACH * width, jump);
  const up = neighbour(depth, i, d, v >= NORMAL_REACH, -NORMAL_REACH * width, jump);
  if (right === left || down === up) return;
  const ax = x[right] - x[left];
  const ay = y[right] - y[left];
  const az = z[right] - z[left];
  const bx = x[down] - x[up];
  const by = y[down] - y[up];
  const bz = z[down] - z[up];
  const cx = ay * bz - az * by;
  const cy = az * bx - ax * bz;
  const cz = ax * by - ay * bx;
  const length = Math.sqrt(cx * cx + cy * cy + cz * cz);
  if (length < 1e-12) return;
  const vx = origin[0] - x[i];
  const vy = origin[1] - y[i];
  const vz = origin[2] - z[i];
  const facing = cx * vx + cy * vy + cz * vz;
  const scale = facing < 0 ? -1 / length : 1 / length;
  nx[i] = cx * scale;
  ny[i] = cy * scale;
  nz[i] = cz * scale;
  const cosine = Math.abs(facing) / (length * Math.sqrt(vx * vx + vy * vy + vz * vz));
  area[i] /= Math.max(LEAST_COSINE, cosine);
}

/** Gives a cell's normal and area to one beside it; none to a hole. */
function copyNormal({ depth, nx, ny, nz, area }: CloudGrid, from: number, to: number): void {
  const isHole = depth[to] === 0;
  nx[to] = isHole ? 0 : nx[from];
  ny[to] = isHole ? 0 : ny[from];
  nz[to] = isHole ? 0 : nz[from];
  area[to] = isHole ? 0 : area[from];
}

/** Index of the neighbour if it lies on the same surface, else the cell itself. */
function neighbour(
  depth: Float32Array,
  i: number,
  d: number,
  inside: boolean,
  step: number,
  jump: number,
): number {
  if (!inside) return i;
  const other = depth[i + step];
  return other !== 0 && Math.abs(other - d) < jump ? i + step : i;
}
