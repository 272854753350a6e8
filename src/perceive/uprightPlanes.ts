import type { CloudGrid } from './CloudGrid.js';
import { rasterAround } from './CellRaster.js';
import { RUN_CELLS } from './CellRuns.js';

/**
 * Upright planes of one frame: walls and the fronts of built-in furniture. Peaks over direction and distance,
 * refined by the mean normal and the median distance of the inliers, kept when the seen surface is large.
 */

export interface UprightPlane {
  /** Unit normal towards the free side; z is 0. */
  readonly normalX: number;
  readonly normalY: number;
  /** normal · p + d = 0. */
  readonly d: number;
  readonly area: number;
  readonly indices: Int32Array;
}

export interface KnownUpright {
  readonly normalX: number;
  readonly normalY: number;
  readonly d: number;
  /** Extent along the wall and in height, metres. */
  readonly minAlong: number;
  readonly maxAlong: number;
  readonly minZ: number;
  readonly maxZ: number;
}

export interface UprightPlaneParameters {
  /** Surface that makes a wall, m². */
  readonly minWallArea: number;
  /** Surface from which on a plane is reported at all, m². */
  readonly minStripArea: number;
}

const DIRECTIONS = 72;
const DISTANCE_BIN = 0.05;
/** Bins to each side of the camera: 100 m, farther than any depth camera sees. */
const DISTANCE_BINS = 2000;
const MAX_WALLS = 6;
const ALONG_CELL = 0.1;
const SET_ASIDE = -1;
const PARALLEL_COS = 0.95;
/** So far before a wall there is furniture and what is on it, metres. */
const BEFORE_WALL_M = 0.5;
/** A patch of this size is surely part of a wall, and so are patches beside it of the smaller size, m². */
const WALL_PATCH_M2 = 0.8;
const SIDE_PATCH_M2 = 0.25;
/** A known wall reaches this far beyond what was seen of it, metres. */
const KNOWN_REACH_M = 0.3;
/** Planes are looked for on every second row and column; what belongs to one is taken from all. */
const SPARSE = 2;
const SPARSE_AREA = SPARSE * SPARSE;

/** Coordinate along a wall, for its extent. */
export function alongWall(normalX: number, normalY: number, x: number, y: number): number {
  return -normalY * x + normalX * y;
}

const LEAST_TOLERANCE_M = 0.03;

/** Distance from a wall's plane that still belongs to it. */
export function wallTolerance(sigma: number): number {
  return Math.max(LEAST_TOLERANCE_M, 3 * sigma);
}

/** What one frame shows of walls. */
export interface UprightPlanes {
  /** Large enough to be walls, or known to be: taken out of the picture. */
  readonly walls: readonly UprightPlane[];
  /** Perhaps the part of a wall that furniture leaves to be seen: reported, so that over frames it can grow into one. */
  readonly strips: readonly UprightPlane[];
}

/** Finds walls among free cells and marks them in `owner` with `firstId`, …. Known walls are tried first and need less. */
export function findUprightPlanes(
  grid: CloudGrid,
  owner: Int16Array,
  firstId: number,
  known: readonly KnownUpright[],
  parameters: UprightPlaneParameters,
): UprightPlanes {
  const planes: UprightPlane[] = [];
  const strips: UprightPlane[] = [];
  const upright = uprightCells(grid, owner);
  for (const wall of known) {
    const plane = collect(grid, owner, upright, wall, firstId + planes.length, wall);
    if (plane === undefined) continue;
    if (plane.area > parameters.minWallArea / 4) planes.push(plane);
    else mark(owner, plane.indices, 0);
  }
  for (let round = 0; round < MAX_WALLS; round++) {
    const seed = strongestPlane(grid, owner, upright);
    if (seed === undefined || seed.area < parameters.minStripArea / 2) break;
    const plane = collect(grid, owner, upright, seed, firstId + planes.length);
    if (plane === undefined || plane.area < parameters.minStripArea) {
      if (plane !== undefined) mark(owner, plane.indices, 0);
      break;
    }
    if (plane.area >= parameters.minWallArea) {
      planes.push(plane);
    } else {
      // Set aside while the others are looked for; its cells stay free for objects.
      mark(owner, plane.indices, SET_ASIDE);
      strips.push(plane);
    }
  }
  for (const strip of strips) mark(owner, strip.indices, 0);
  return {
    walls: planes,
    strips: strips.filter((strip) => ![...known, ...planes].some((wall) => isBefore(strip, wall))),
  };
}

/** What hangs or stands before a wall, facing as it does: a screen, a row of books. */
function isBefore(strip: WallPlane, wall: WallPlane): boolean {
  if (strip.normalX * wall.normalX + strip.normalY * wall.normalY < PARALLEL_COS) return false;
  // The planes' distance along the wall's normal; positive on the free side.
  const apart = wall.d - strip.d;
  return apart > 0.05 && apart < BEFORE_WALL_M;
}

/** Free cells with a level normal, of every second row and column, and the direction they face as a bin of the full turn. */
interface UprightCells {
  readonly indices: Int32Array;
  readonly directions: Uint8Array;
}

function uprightCells(grid: CloudGrid, owner: Int16Array): UprightCells {
  const { width, height, depth, nx, ny } = grid;
  const indices = new Int32Array(Math.ceil(width / SPARSE) * Math.ceil(height / SPARSE));
  const directions = new Uint8Array(indices.length);
  let count = 0;
  for (let v = 0; v < height; v += SPARSE) {
    const end = (v + 1) * width;
    for (let i = v * width; i < end; i += SPARSE) {
      if (owner[i] !== 0 || depth[i] === 0 || !(nx[i] * nx[i] + ny[i] * ny[i] > 0.85)) continue;
      indices[count] = i;
      const turn = (Math.atan2(ny[i], nx[i]) + Math.PI) / (2 * Math.PI);
      directions[count++] = Math.floor(turn * DIRECTIONS) % DIRECTIONS;
    }
  }
  return { indices: indices.subarray(0, count), directions: directions.subarray(0, count) };
}

interface WallPlane {
  readonly normalX: number;
  readonly normalY: number;
  readonly d: number;
}

interface Seed extends WallPlane {
  readonly area: number;
}

function strongestPlane(grid: CloudGrid, owner: Int16Array, upright: UprightCells): Seed | undefined {
  const histogram = new Float64Array(DIRECTIONS);
  const { indices, directions } = upright;
  for (let k = 0; k < indices.length; k++) {
    if (owner[indices[k]] === 0) histogram[directions[k]] += grid.area[indices[k]];
  }
  let best: Seed | undefined;
  for (const direction of peaksOf(histogram, 3)) {
    const seed = strongestDistance(grid, owner, upright, direction);
    if (seed !== undefined && (best === undefined || seed.area > best.area)) best = seed;
  }
  return best;
}

function peaksOf(histogram: Float64Array, most: number): number[] {
  const n = histogram.length;
  const smooth = Array.from(
    { length: n },
    (_, k) => histogram[(k + n - 1) % n] + 2 * histogram[k] + histogram[(k + 1) % n],
  );
  const peaks: number[] = [];
  for (let k = 0; k < n; k++) {
    if (smooth[k] > 0 && smooth[k] >= smooth[(k + n - 1) % n] && smooth[k] > smooth[(k + 1) % n])
      peaks.push(k);
  }
  return peaks.sort((a, b) => smooth[b] - smooth[a] || a - b).slice(0, most);
}

function strongestDistance(
  grid: CloudGrid,
  owner: Int16Array,
  upright: UprightCells,
  direction: number,
): Seed | undefined {
  const facing = cellsFacing(owner, upright, direction);
  let sx = 0;
  let sy = 0;
  for (let k = 0; k < facing.length; k++) {
    const i = facing[k];
    sx += grid.nx[i] * grid.area[i];
    sy += grid.ny[i] * grid.area[i];
  }
  const length = Math.hypot(sx, sy);
  if (length === 0) return undefined;
  const normalX = sx / length;
  const normalY = sy / length;
  // Distances from the camera, so that the size of the map does not matter.
  const [ox, oy] = grid.origin;
  const distances = new Float64Array(2 * DISTANCE_BINS + 1);
  for (let k = 0; k < facing.length; k++) {
    const i = facing[k];
    const bin =
      Math.round((normalX * (grid.x[i] - ox) + normalY * (grid.y[i] - oy)) / DISTANCE_BIN) + DISTANCE_BINS;
    distances[bin] += SPARSE_AREA * grid.area[i];
  }
  let bestBin = 0;
  let bestArea = 0;
  for (let bin = 1; bin < distances.length - 1; bin++) {
    const area = distances[bin - 1] + distances[bin] + distances[bin + 1];
    if (area > bestArea) {
      bestArea = area;
      bestBin = bin;
    }
  }
  return bestArea === 0
    ? undefined
    : {
        normalX,
        normalY,
        d: -(bestBin - DISTANCE_BINS) * DISTANCE_BIN - normalX * ox - normalY * oy,
        area: bestArea,
      };
}

/** Free cells that face a direction, give or take two bins. */
function cellsFacing(
  owner: Int16Array,
  { indices, directions }: UprightCells,
  direction: number,
): Int32Array {
  const out = new Int32Array(indices.length);
  let count = 0;
  for (let k = 0; k < indices.length; k++) {
    const gap = Math.abs(directions[k] - direction);
    if (Math.min(gap, DIRECTIONS - gap) <= 2 && owner[indices[k]] === 0) out[count++] = indices[k];
  }
  return out.subarray(0, count);
}

/** Refines a plane on its inliers twice, then claims the free cells of its largest connected patches. */
function collect(
  grid: CloudGrid,
  owner: Int16Array,
  upright: UprightCells,
  seed: WallPlane,
  id: number,
  known?: KnownUpright,
): UprightPlane | undefined {
  let plane: WallPlane = { normalX: seed.normalX, normalY: seed.normalY, d: seed.d };
  for (let round = 0; round < 2; round++) {
    const refined = refine(grid, owner, upright.indices, plane, round === 0 ? 0.08 : 0.04);
    if (refined === undefined) return undefined;
    plane = refined;
  }
  const inliers = inliersOf(grid, owner, plane, known);
  if (inliers.length === 0 && known === undefined) return undefined;
  const indices = known === undefined ? largePatches(grid, plane, inliers) : inliers;
  let area = 0;
  for (const i of indices) {
    owner[i] = id;
    area += grid.area[i];
  }
  return { ...plane, area, indices };
}

/** Free cells near a plane that face as it does, or have no normal; of a known wall, within its reach. */
function inliersOf(
  grid: CloudGrid,
  owner: Int16Array,
  { normalX, normalY, d }: WallPlane,
  known: KnownUpright | undefined,
): Int32Array {
  const { depth, x, y, sigma, nx, ny, nz, runs } = grid;
  const inliers = new Int32Array(owner.length);
  let count = 0;
  for (let start = 0, run = 0; start < owner.length; start += RUN_CELLS, run++) {
    const least = normalX * (normalX > 0 ? runs.minX : runs.maxX)[run];
    const most = normalX * (normalX > 0 ? runs.maxX : runs.minX)[run];
    const nearest = least + normalY * (normalY > 0 ? runs.minY : runs.maxY)[run] + d;
    const farthest = most + normalY * (normalY > 0 ? runs.maxY : runs.minY)[run] + d;
    const tolerance = wallTolerance(runs.maxSigma[run]);
    if (!(nearest <= tolerance && farthest >= -tolerance)) continue;
    const end = Math.min(start + RUN_CELLS, owner.length);
    for (let i = start; i < end; i++) {
      if (depth[i] === 0 || owner[i] !== 0) continue;
      const distance = Math.abs(normalX * x[i] + normalY * y[i] + d);
      if (distance > LEAST_TOLERANCE_M && distance > wallTolerance(sigma[i])) continue;
      if (nx[i] * normalX + ny[i] * normalY < 0.5 && (nx[i] !== 0 || ny[i] !== 0 || nz[i] !== 0)) continue;
      if (known === undefined || isWithin(grid, known, i)) inliers[count++] = i;
    }
  }
  return inliers.slice(0, count);
}

function isWithin(grid: CloudGrid, wall: KnownUpright, i: number): boolean {
  const along = alongWall(wall.normalX, wall.normalY, grid.x[i], grid.y[i]);
  return (
    along > wall.minAlong - KNOWN_REACH_M &&
    along < wall.maxAlong + KNOWN_REACH_M &&
    grid.z[i] > wall.minZ - KNOWN_REACH_M &&
    grid.z[i] < wall.maxZ + KNOWN_REACH_M
  );
}

/** The inliers in connected patches of some size: a wall is not made of what happens to lie in its plane elsewhere. */
function largePatches(grid: CloudGrid, plane: WallPlane, inliers: Int32Array): Int32Array {
  const along = new Float32Array(inliers.length);
  const heights = new Float32Array(inliers.length);
  const order = new Int32Array(inliers.length);
  for (let k = 0; k < inliers.length; k++) {
    along[k] = alongWall(plane.normalX, plane.normalY, grid.x[inliers[k]], grid.y[inliers[k]]);
    heights[k] = grid.z[inliers[k]];
    order[k] = k;
  }
  const raster = rasterAround(along, heights, order, ALONG_CELL);
  for (let k = 0; k < order.length; k++) raster.add(along[k], heights[k]);
  const { count, of } = raster.components();
  const areas = new Float64Array(count);
  const component = order.map((k) => of[raster.cellAt(along[k], heights[k])]);
  for (let k = 0; k < order.length; k++) areas[component[k]] += grid.area[inliers[k]];
  // What is not plainly a wall is one patch: books in a row under a screen lie in one plane, too.
  const largest = Math.max(...areas);
  const least = largest >= WALL_PATCH_M2 ? SIDE_PATCH_M2 : largest;
  return inliers.filter((_, k) => areas[component[k]] >= least);
}

function refine(
  grid: CloudGrid,
  owner: Int16Array,
  upright: Int32Array,
  plane: WallPlane,
  tolerance: number,
): WallPlane | undefined {
  let n = 0;
  let mx = 0;
  let my = 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let k = 0; k < upright.length; k++) {
    const i = upright[k];
    if (owner[i] !== 0) continue;
    const distance = plane.normalX * grid.x[i] + plane.normalY * grid.y[i] + plane.d;
    if (Math.abs(distance) > tolerance + 2 * grid.sigma[i]) continue;
    if (grid.nx[i] * plane.normalX + grid.ny[i] * plane.normalY < 0.85) continue;
    n++;
    mx += grid.x[i];
    my += grid.y[i];
    xx += grid.x[i] * grid.x[i];
    xy += grid.x[i] * grid.y[i];
    yy += grid.y[i] * grid.y[i];
  }
  if (n < 15) return undefined;
  mx /= n;
  my /= n;
  xx = xx / n - mx * mx;
  xy = xy / n - mx * my;
  yy = yy / n - my * my;
  // The normal is the direction of least spread of the footprint; turned to the side it faced before.
  const along = 0.5 * Math.atan2(2 * xy, xx - yy);
  let normalX = -Math.sin(along);
  let normalY = Math.cos(along);
  if (normalX * plane.normalX + normalY * plane.normalY < 0) {
    normalX = -normalX;
    normalY = -normalY;
  }
  return { normalX, normalY, d: -(normalX * mx + normalY * my) };
}

function mark(owner: Int16Array, indices: Int32Array, id: number): void {
  for (const i of indices) owner[i] = id;
}
