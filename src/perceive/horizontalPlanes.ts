import type { CloudGrid } from './CloudGrid.js';
import { CellRaster, rasterAround } from './CellRaster.js';
import { claimCells } from './claimCells.js';
import type { FlatHull } from './convexHull.js';
import { fitHeightSurface, HeightSurface } from './HeightSurface.js';
import { isWithinLevel, outlineOf } from './levelOutline.js';

/**
 * Level surfaces of one frame: floor, table tops, shelf boards. Peaks of the height histogram, parted into connected
 * patches, each fitted with its own surface. A small surface a little above a larger one is the top of an object and
 * left alone.
 */

export interface LevelPlane {
  readonly surface: HeightSurface;
  /** Where it was seen, 5 cm cells in the map's x and y, grown by one. */
  readonly extent: CellRaster;
  /** Mean height in the map, metres. */
  readonly z: number;
  /** Seen area in m². */
  readonly area: number;
  /** Cells of the cloud that belong to it. */
  readonly indices: Int32Array;
  /** Too little of it is seen to measure it: it is where it was known to be. */
  readonly isRecalled: boolean;
}

/** What one frame shows of level surfaces. */
export interface LevelPlanes {
  /** Taken out of the picture. */
  readonly planes: readonly LevelPlane[];
  /** Too small to be told from an object's top; reported, so that over frames they can grow into a support. */
  readonly strips: readonly LevelPlane[];
}

/** A level surface known from earlier frames: it needs less evidence to be found again. */
export interface KnownLevel {
  readonly z: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  /** Outline of what was seen of it so far, x y pairs; absent when only its height is known. */
  readonly hull?: FlatHull;
}

export interface LevelPlaneParameters {
  /** Surface that makes a support above a larger one (a quarter of what it must have there), m². */
  readonly minSupportArea: number;
  /** Surface that makes a support with nothing right under it, m². */
  readonly minBoardArea: number;
  /** Surface that makes any level patch, m². */
  readonly minPatchArea: number;
  /** Inliers: max(this, 3σ), metres. */
  readonly inlierM: number;
}

const BIN = 0.01;
const UPRIGHT = 0.85;
const SPARSE = 2;
const SPARSE_AREA = SPARSE * SPARSE;
const EXTENT_CELL = 0.05;
/** Cells of the cloud that make a patch at all. */
const MIN_PATCH_CELLS = 15;

/**
 * Finds level surfaces and marks their cells in `owner` (0 = free) with `firstId`, `firstId + 1`, ….
 */
export function findLevelPlanes(
  grid: CloudGrid,
  owner: Int16Array,
  firstId: number,
  known: readonly KnownLevel[],
  parameters: LevelPlaneParameters,
): LevelPlanes {
  const patches = candidatePatches(grid, known, parameters);
  const { planes: found, strips } = sortPatches(patches, known, parameters);
  const outlines = known.flatMap(outlineOf);
  const recalled = outlines.filter(({ level }) => !found.some((plane) => matchesKnown(level, plane)));
  const claims = [
    ...found.map((plane) => ({
      plane,
      outlines: outlines.filter(({ level }) => matchesKnown(level, plane)),
    })),
    ...recalled.map((outline) => ({ plane: recalledPlane(outline.level), outlines: [outline] })),
  ];
  const cells = claimCells(grid, owner, claims, firstId, parameters.inlierM);
  return { planes: claims.map(({ plane }, k) => ({ ...plane, indices: cells[k] })), strips };
}

/** A surface that this frame does not show enough of to find, at its known place. */
function recalledPlane(level: KnownLevel): LevelPlane {
  return {
    surface: new HeightSurface(0, 0, [level.z, 0, 0, 0, 0, 0]),
    extent: new CellRaster(EXTENT_CELL, level.minX, level.minY, level.minX, level.minY),
    z: level.z,
    area: 0,
    indices: new Int32Array(0),
    isRecalled: true,
  };
}

function candidatePatches(
  grid: CloudGrid,
  known: readonly KnownLevel[],
  parameters: LevelPlaneParameters,
): LevelPlane[] {
  const upward = upwardCells(grid);
  const taken = new Uint8Array(grid.depth.length);
  const patches: LevelPlane[] = [];
  for (const z of heightPeaks(grid, upward, known, parameters)) {
    const near: number[] = [];
    for (const i of upward)
      if (taken[i] === 0 && Math.abs(grid.z[i] - z) < 0.025 + 2 * grid.sigma[i]) near.push(i);
    for (const patch of splitPatches(grid, near)) {
      const plane = fitPatch(grid, patch, parameters);
      if (plane === undefined) continue;
      const isKnown = known.some((level) => matchesKnown(level, plane));
      if (plane.area < (isKnown ? parameters.minPatchArea / 4 : parameters.minPatchArea)) continue;
      for (const i of plane.indices) taken[i] = 1;
      patches.push(plane);
    }
  }
  return patches.sort((a, b) => b.area - a.area);
}

/**
 * Cells that face up: of every second row and column, which is plenty to find planes by. Areas are scaled to match;
 * what belongs to a plane is claimed from all cells later.
 */
function upwardCells(grid: CloudGrid): number[] {
  const out: number[] = [];
  for (let v = 0; v < grid.height; v += SPARSE) {
    for (let u = 0; u < grid.width; u += SPARSE) {
      const i = v * grid.width + u;
      if (grid.nz[i] > UPRIGHT) out.push(i);
    }
  }
  return out;
}

/** Heights of local maxima of the area histogram, strongest first, at most 12; known heights are always tried. */
function heightPeaks(
  grid: CloudGrid,
  upward: readonly number[],
  known: readonly KnownLevel[],
  parameters: LevelPlaneParameters,
): number[] {
  const histogram = new Map<number, number>();
  for (const i of upward) {
    const bin = Math.round(grid.z[i] / BIN);
    histogram.set(bin, (histogram.get(bin) ?? 0) + SPARSE_AREA * grid.area[i]);
  }
  const smooth = (bin: number): number =>
    (histogram.get(bin - 1) ?? 0) + (histogram.get(bin) ?? 0) + (histogram.get(bin + 1) ?? 0);
  const peaks: { z: number; area: number }[] = [];
  for (const bin of histogram.keys()) {
    const area = smooth(bin);
    if (area < parameters.minPatchArea / 2) continue;
    // Of equal neighbours the last filled bin counts: an exact camera puts a whole table into a single one.
    const next = smooth(bin + 1);
    if (area >= smooth(bin - 1) && (area > next || (area === next && !histogram.has(bin + 1))))
      peaks.push({ z: bin * BIN, area });
  }
  peaks.sort((a, b) => b.area - a.area || a.z - b.z);
  const heights = peaks.slice(0, 12).map((peak) => peak.z);
  for (const level of known) if (!heights.some((z) => Math.abs(z - level.z) < 0.015)) heights.push(level.z);
  return heights;
}

/** Parts cells of one height into connected patches. */
function splitPatches(grid: CloudGrid, indices: readonly number[]): number[][] {
  if (indices.length < MIN_PATCH_CELLS) return [];
  const raster = rasterAround(grid.x, grid.y, indices, EXTENT_CELL * 2);
  for (const i of indices) raster.add(grid.x[i], grid.y[i]);
  const { count, of } = raster.components();
  const patches: number[][] = Array.from({ length: count }, () => []);
  for (const i of indices) patches[of[raster.cellAt(grid.x[i], grid.y[i])]].push(i);
  return patches.filter((patch) => patch.length >= MIN_PATCH_CELLS);
}

function fitPatch(
  grid: CloudGrid,
  patch: readonly number[],
  parameters: LevelPlaneParameters,
): LevelPlane | undefined {
  const indices = Int32Array.from(patch);
  let area = 0;
  for (const i of indices) area += SPARSE_AREA * grid.area[i];
  const tolerance = (i: number): number => Math.max(parameters.inlierM, 3 * grid.sigma[i]);
  const surface = fitHeightSurface({ ...grid, indices }, area > 0.5, tolerance);
  if (surface === undefined || surface.slope > 0.09) return undefined;
  // Only what lies on the fitted surface counts: a book's cover 3 cm above the table is another surface.
  const inliers = indices.filter(
    (i) => Math.abs(grid.z[i] - surface.heightAt(grid.x[i], grid.y[i])) <= tolerance(i),
  );
  if (inliers.length < MIN_PATCH_CELLS) return undefined;
  const extent = rasterAround(grid.x, grid.y, inliers, EXTENT_CELL);
  let sum = 0;
  let seen = 0;
  for (const i of inliers) {
    sum += grid.z[i];
    seen += SPARSE_AREA * grid.area[i];
    extent.add(grid.x[i], grid.y[i]);
  }
  extent.dilate();
  return { surface, extent, z: sum / inliers.length, area: seen, indices: inliers, isRecalled: false };
}

/**
 * What counts as structure: what is known already, and large patches. A patch 2–30 cm above a larger one is an
 * object's top unless it is several times larger than a support must be; one with nothing under it (a shelf board)
 * needs less, and while it is too small it is still reported, since it may be the visible strip of a board.
 */
function sortPatches(
  patches: readonly LevelPlane[],
  known: readonly KnownLevel[],
  parameters: LevelPlaneParameters,
): { readonly planes: LevelPlane[]; readonly strips: LevelPlane[] } {
  const planes: LevelPlane[] = [];
  const strips: LevelPlane[] = [];
  for (const plane of patches) {
    const isTop =
      planes.some((lower) => standsOn(plane, lower)) || known.some((level) => topOf(level, plane));
    const isPart = planes.some((other) => Math.abs(plane.z - other.z) <= TOP_MIN_M && overlaps(plane, other));
    const needed = isTop ? 4 * parameters.minSupportArea : parameters.minBoardArea;
    if (isPart || plane.area >= needed || known.some((level) => matchesKnown(level, plane)))
      planes.push(plane);
    else if (!isTop) strips.push(plane);
  }
  return { planes, strips };
}

/** Nearer in height it is the same surface. */
const TOP_MIN_M = 0.015;
/** Shelf boards lie about this far apart; most things on a table are lower, metres. */
const TOP_MAX_M = 0.3;

function standsOn(plane: LevelPlane, lower: LevelPlane): boolean {
  const height = plane.z - lower.z;
  return height > TOP_MIN_M && height < TOP_MAX_M && lower.area > 2 * plane.area && overlaps(plane, lower);
}

function topOf(level: KnownLevel, plane: LevelPlane): boolean {
  const height = plane.z - level.z;
  if (level.hull === undefined || height < TOP_MIN_M || height > TOP_MAX_M) return false;
  return plane.extent.some((x, y) => isWithinLevel(level, x, y));
}

/** A surface is found again within this, metres: what lies flat on a table is about as thick. */
const KNOWN_GAP_M = 0.02;
/** … and within this of where it was seen before, metres. */
const REACH_M = 0.15;
/** The same for a floor that is only expected, at the robot's feet. */
const EXPECTED_GAP_M = 0.05;

/** Another surface of the same height elsewhere (a shelf as high as the table) is not this one. */
function matchesKnown(level: KnownLevel, plane: LevelPlane): boolean {
  const tolerance = level.hull === undefined ? EXPECTED_GAP_M : KNOWN_GAP_M;
  if (Math.abs(level.z - plane.z) > tolerance) return false;
  return plane.extent.some((x, y) => isWithinLevel(level, x, y, REACH_M));
}

function overlaps(small: LevelPlane, large: LevelPlane): boolean {
  return small.extent.some((x, y) => large.extent.has(x, y));
}
