import type { CloudGrid } from './CloudGrid.js';
import { CellRaster } from './CellRaster.js';
import { claimCells } from './claimCells.js';
import type { FlatHull } from './convexHull.js';
import { fitHeightSurface, HeightSurface, setSurface, type CellList } from './HeightSurface.js';
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
const EXTENT_CELL = 0.05;
/** Cells of the cloud that make a patch at all. */
const MIN_PATCH_CELLS = 15;

/**
 * Finds level surfaces and marks their cells in `owner` (0 = free) with `firstId`, `firstId + 1`, ….
 */
export function findLevelPlanes(
  grid: CloudGrid,
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
  const cells = claimCells(grid, claims, firstId, parameters.inlierM);
  return { planes: claims.map(({ plane }, k) => ({ ...plane, indices: cells[k] })), strips };
}

/** A surface that this frame does not show enough of to find, at its known place. */
function recalledPlane(level: KnownLevel): LevelPlane {
  return {
    surface: new HeightSurface(0, 0, [level.z, 0, 0, 0, 0, 0]),
    extent: CellRaster.covering(EXTENT_CELL, level.minX, level.minY, level.minX, level.minY),
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
  const patches: LevelPlane[] = [];
  grid.kernels.findUpward();
  for (const z of heightPeaks(grid, known, parameters)) {
    for (const patch of patchesAt(grid, z)) {
      const plane = fitPatch(grid, patch, parameters);
      if (plane === undefined) continue;
      const isKnown = known.some((level) => matchesKnown(level, plane));
      if (plane.area < (isKnown ? parameters.minPatchArea / 4 : parameters.minPatchArea)) continue;
      grid.kernels.takeFound(plane.indices.length);
      patches.push(plane);
    }
  }
  return patches.sort((a, b) => b.area - a.area);
}

/** Heights of local maxima of the area histogram, strongest first, at most 12; known heights are always tried. */
function heightPeaks(
  grid: CloudGrid,
  known: readonly KnownLevel[],
  parameters: LevelPlaneParameters,
): number[] {
  const { areas, first } = heightHistogram(grid);
  const areaAt = (k: number): number => areas[k] ?? 0;
  const smooth = (k: number): number => areaAt(k - 1) + areaAt(k) + areaAt(k + 1);
  const peaks: { z: number; area: number }[] = [];
  for (let k = 0; k < areas.length; k++) {
    const area = smooth(k);
    if (areas[k] === 0 || area < parameters.minPatchArea / 2) continue;
    // Of equal neighbours the last filled bin counts: an exact camera puts a whole table into a single one.
    const next = smooth(k + 1);
    if (area >= smooth(k - 1) && (area > next || (area === next && areaAt(k + 1) === 0)))
      peaks.push({ z: (first + k) * BIN, area });
  }
  peaks.sort((a, b) => b.area - a.area || a.z - b.z);
  const heights = peaks.slice(0, 12).map((peak) => peak.z);
  for (const level of known) if (!heights.some((z) => Math.abs(z - level.z) < 0.015)) heights.push(level.z);
  return heights;
}

/** Area that faces up per height, m², and the height of the first bin as a multiple of `BIN`. */
function heightHistogram({ kernels, lists: { numbers } }: CloudGrid): { areas: Float64Array; first: number } {
  const place = kernels.heightHistogram(BIN);
  const [first, bins] = numbers;
  return { areas: new Float64Array(kernels.memory.buffer, place, bins), first };
}

/** Connected patches of one height that no plane has yet. */
function patchesAt({ kernels, lists: { patches, table } }: CloudGrid, z: number): CellList[] {
  const found: CellList[] = [];
  const count = kernels.findPatches(z, MIN_PATCH_CELLS);
  for (let k = 0; k < count; k++)
    found.push({
      place: patches.byteOffset + table[2 * k] * patches.BYTES_PER_ELEMENT,
      length: table[2 * k + 1],
    });
  return found;
}

/** A patch as a plane, whose cells are then in `found`. */
function fitPatch(
  grid: CloudGrid,
  patch: CellList,
  { inlierM }: LevelPlaneParameters,
): LevelPlane | undefined {
  const { kernels, lists } = grid;
  const area = kernels.sparseArea(patch.place, patch.length);
  const surface = fitHeightSurface(grid, patch, area > 0.5, inlierM);
  if (surface === undefined || surface.slope > 0.09) return undefined;
  // Only what lies on the fitted surface counts: a book's cover 3 cm above the table is another surface.
  setSurface(kernels, surface);
  const count = kernels.surfaceInliers(patch.place, patch.length, inlierM, MIN_PATCH_CELLS);
  if (count === 0) return undefined;
  const [minA, minB, columns, rows, heights, extentPlace] = lists.numbers;
  const cells = new Uint8Array(kernels.memory.buffer, extentPlace, columns * rows).slice();
  return {
    surface,
    extent: new CellRaster(EXTENT_CELL, minA, minB, columns, rows, cells),
    z: heights / count,
    area: kernels.sparseArea(lists.found.byteOffset, count),
    indices: lists.found.slice(0, count),
    isRecalled: false,
  };
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
