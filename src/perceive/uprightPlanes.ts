import type { CloudGrid } from './CloudGrid.js';
import type { Kernels } from './kernels/Kernels.js';

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

/** Reach of a wall of which no end is known. */
export const EVERYWHERE = { minAlong: -Infinity, maxAlong: Infinity, minZ: -Infinity, maxZ: Infinity };

export interface UprightPlaneParameters {
  /** Surface that makes a wall, m². */
  readonly minWallArea: number;
  /** Surface from which on a plane is reported at all, m². */
  readonly minStripArea: number;
}

const DIRECTIONS = 72;
const MAX_WALLS = 6;
const SET_ASIDE = -1;
const PARALLEL_COS = 0.95;
/** So far before a wall there is furniture and what is on it, metres. */
const BEFORE_WALL_M = 0.5;
/** A patch of this size is surely part of a wall, and so are patches beside it of the smaller size, m². */
const WALL_PATCH_M2 = 0.8;
const SIDE_PATCH_M2 = 0.25;
/** A known wall reaches this far beyond what was seen of it, metres. */
const KNOWN_REACH_M = 0.3;

/** Coordinate along a wall, for its extent. */
export function alongWall(normalX: number, normalY: number, x: number, y: number): number {
  return -normalY * x + normalX * y;
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
  firstId: number,
  known: readonly KnownUpright[],
  parameters: UprightPlaneParameters,
): UprightPlanes {
  const planes: UprightPlane[] = [];
  const strips: UprightPlane[] = [];
  const { kernels, owner } = grid;
  kernels.findUpright();
  for (const wall of known) {
    const plane = collect(grid, wall, firstId + planes.length, wall);
    if (plane === undefined) continue;
    if (plane.area > parameters.minWallArea / 4) planes.push(plane);
    else mark(owner, plane.indices, 0);
  }
  for (let round = 0; round < MAX_WALLS; round++) {
    const seed = strongestPlane(grid);
    if (seed === undefined || seed.area < parameters.minStripArea / 2) break;
    const plane = collect(grid, seed, firstId + planes.length);
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

interface WallPlane {
  readonly normalX: number;
  readonly normalY: number;
  readonly d: number;
}

interface Seed extends WallPlane {
  readonly area: number;
}

function strongestPlane(grid: CloudGrid): Seed | undefined {
  const { kernels, lists } = grid;
  kernels.directionHistogram();
  let best: Seed | undefined;
  for (const direction of peaksOf(lists.numbers.subarray(0, DIRECTIONS), 3)) {
    const seed = strongestDistance(grid, direction);
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

/** The plane that most of what faces a direction, give or take two bins, lies in. */
function strongestDistance(
  { kernels, lists: { numbers }, origin: [ox, oy] }: CloudGrid,
  direction: number,
): Seed | undefined {
  const facing = kernels.findFacing(direction);
  const [sumX, sumY] = numbers;
  const length = Math.hypot(sumX, sumY);
  if (length === 0) return undefined;
  const normalX = sumX / length;
  const normalY = sumY / length;
  // Distances from the camera, so that the size of the map does not matter.
  const area = kernels.strongestDistance(facing, normalX, normalY, ox, oy);
  if (area === 0) return undefined;
  return { normalX, normalY, d: -numbers[0] - normalX * ox - normalY * oy, area };
}

/** Refines a plane on its inliers twice, then claims the free cells of its largest connected patches. */
function collect(
  grid: CloudGrid,
  seed: WallPlane,
  id: number,
  known?: KnownUpright,
): UprightPlane | undefined {
  let plane: WallPlane = { normalX: seed.normalX, normalY: seed.normalY, d: seed.d };
  for (let round = 0; round < 2; round++) {
    const refined = refine(grid, plane, round === 0 ? 0.08 : 0.04);
    if (refined === undefined) return undefined;
    plane = refined;
  }
  const { kernels, lists } = grid;
  const { normalX, normalY } = plane;
  let count = inliersOf(kernels, plane, known);
  if (known === undefined) {
    if (count === 0) return undefined;
    // What is not plainly a wall is one patch: books in a row under a screen lie in one plane, too.
    count = kernels.largePatches(count, normalX, normalY, WALL_PATCH_M2, SIDE_PATCH_M2);
  }
  const area = kernels.ownFound(count, id);
  return { ...plane, area, indices: lists.found.slice(0, count) };
}

/** Finds the free cells near a plane that face as it does, or have no normal, within the reach of a known wall. */
function inliersOf(
  kernels: Kernels,
  { normalX, normalY, d }: WallPlane,
  known: KnownUpright | undefined,
): number {
  const { minAlong, maxAlong, minZ, maxZ } = known ?? EVERYWHERE;
  return kernels.wallInliers(
    normalX,
    normalY,
    d,
    known?.normalX ?? normalX,
    known?.normalY ?? normalY,
    minAlong - KNOWN_REACH_M,
    maxAlong + KNOWN_REACH_M,
    minZ - KNOWN_REACH_M,
    maxZ + KNOWN_REACH_M,
  );
}

function refine(
  { kernels, lists: { numbers } }: CloudGrid,
  plane: WallPlane,
  tolerance: number,
): WallPlane | undefined {
  const n = kernels.wallSums(plane.normalX, plane.normalY, plane.d, tolerance);
  if (n < 15) return undefined;
  const mx = numbers[0] / n;
  const my = numbers[1] / n;
  const xx = numbers[2] / n - mx * mx;
  const xy = numbers[3] / n - mx * my;
  const yy = numbers[4] / n - my * my;
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
