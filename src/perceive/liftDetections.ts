import type { Detection } from '../camera/Detection.js';
import type { CellPixels } from './cellPixels.js';
import type { CloudGrid } from './CloudGrid.js';
import { boxOverlapShare, containedShare, isInMask, relativeOffset } from './pixelBoxes.js';

/**
 * From pixels that a detector names to cells of the cloud: of what lies in the box (or mask) only the surface that the
 * detection is about, told by its depth, without what other detections in front of it claim.
 */

export interface LiftParameters {
  /** Score from which a detection may name what geometry found. */
  readonly confirmScore: number;
  /** Score from which a detection may also make, part or join things. */
  readonly createScore: number;
  /** Most detections of one picture, the surest first. */
  readonly maxPerImage: number;
}

/** One detection and what of the cloud it speaks of. */
export interface LiftedDetection {
  readonly detection: Detection;
  /** Free cells on its surface, in picture order; no cell is in two detections. */
  readonly cells: Int32Array;
  /** Cells in the box or mask, measured and in the colour picture, whatever they belong to. */
  readonly inside: Int32Array;
  /** Those of them that are most likely its own: the middle of the box, or the whole mask. */
  readonly core: Int32Array;
}

/** Of the box this share of each side is the middle, where a thing is most likely itself. */
const MIDDLE = 0.6;
/** Of the core this share must be free of structure, or the detection speaks of something flat. */
const FREE_SHARE = 0.25;
/** Two boxes that share this much are two names for one thing: the surer one counts. */
const SAME_BOX = 0.7;
/** Half the depth of a thing, metres: at least this, at most as much as it is wide. */
const LEAST_BAND_M = 0.12;
const MAD_SIGMAS = 3.5 * 1.4826;
/** A surface ends at a step in depth of this, metres and standard deviations. */
const GAP_M = 0.05;
const GAP_SIGMAS = 6;
/** Width of a bin when the commonest depth is looked for, metres. */
const DEPTH_BIN_M = 0.03;
/** A detection whose box lies in another's by this share is in front of or a part of it: its cells are its own. */
const CONTAINED = 0.8;

/** Surest first, at most so many, one for each thing. */
export function usableDetections(
  detections: readonly Detection[],
  { confirmScore, maxPerImage }: LiftParameters,
): Detection[] {
  const surest = detections
    .filter(({ score, box }) => score >= confirmScore && box[2] > box[0] && box[3] > box[1])
    .sort((a, b) => b.score - a.score)
    .slice(0, maxPerImage);
  const kept: Detection[] = [];
  for (const detection of surest)
    if (!kept.some((other) => boxOverlapShare(other.box, detection.box) > SAME_BOX)) kept.push(detection);
  return kept;
}

/**
 * @param owner structure that each cell belongs to, 0 = free
 * @returns in the order of `detections`
 */
export function liftDetections(
  detections: readonly Detection[],
  grid: CloudGrid,
  owner: Int16Array,
  pixels: CellPixels,
): LiftedDetection[] {
  const found = detections.map((detection) => {
    const inside = cellsInside(detection, grid, pixels);
    const core = coreOf(detection, inside, pixels);
    return { detection, inside, core, cells: surfaceCells(grid, owner, inside, core) };
  });
  const claims = claimCells(found, pixels, grid.depth.length);
  return found.map((lifted, k) => ({ ...lifted, cells: lifted.cells.filter((i) => claims[i] === k + 1) }));
}

function cellsInside(
  { box: [u0, v0, u1, v1], mask }: Detection,
  { depth }: CloudGrid,
  { u, v }: CellPixels,
): Int32Array {
  const cells: number[] = [];
  for (let i = 0; i < depth.length; i++) {
    if (u[i] < u0 || u[i] > u1 || v[i] < v0 || v[i] > v1 || u[i] < 0) continue;
    if (mask === undefined || isInMask(mask, u[i], v[i])) cells.push(i);
  }
  return Int32Array.from(cells);
}

function coreOf({ box, mask }: Detection, inside: Int32Array, { u, v }: CellPixels): Int32Array {
  return mask === undefined ? inside.filter((i) => relativeOffset(box, u[i], v[i]) <= MIDDLE) : inside;
}

/** Free cells inside whose depth follows on from that of the core without a step; none when the core is structure. */
function surfaceCells(grid: CloudGrid, owner: Int16Array, inside: Int32Array, core: Int32Array): Int32Array {
  const free = core.filter((i) => owner[i] === 0);
  if (free.length === 0 || free.length < FREE_SHARE * core.length) return new Int32Array(0);
  const cells = inside.filter((i) => owner[i] === 0);
  const mode = commonestDepth(grid, free);
  const near = free.map((i) => grid.depth[i]).filter((d) => Math.abs(d - mode) < 2 * DEPTH_BIN_M);
  const band = bandOf(grid, inside, mode, Float32Array.from(near));
  const depths = Float32Array.from(cells, (i) => grid.depth[i]).sort();
  const gap = Math.max(GAP_M, GAP_SIGMAS * sigmaAt(grid, free));
  const [low, high] = stretchAround(depths, mode, gap);
  return cells.filter((i) => {
    const d = grid.depth[i];
    return d >= low && d <= high && Math.abs(d - mode) <= band;
  });
}

function sigmaAt(grid: CloudGrid, cells: Int32Array): number {
  return grid.sigma[cells[cells.length >> 1]];
}

/** How far from its commonest depth the thing may reach. */
function bandOf(grid: CloudGrid, inside: Int32Array, mode: number, depths: Float32Array): number {
  const deviations = depths.map((d) => Math.abs(d - mode)).sort();
  const mad = deviations.length === 0 ? 0 : deviations[deviations.length >> 1];
  const width = Math.sqrt(inside.length) * grid.cellAngle * mode;
  return Math.max(LEAST_BAND_M, MAD_SIGMAS * mad, width);
}

/** Middle of the fullest bin, its neighbours counted with it; of equals the nearest. */
function commonestDepth(grid: CloudGrid, cells: Int32Array): number {
  const counts = new Map<number, number>();
  for (const i of cells) {
    const bin = Math.floor(grid.depth[i] / DEPTH_BIN_M);
    counts.set(bin, (counts.get(bin) ?? 0) + 1);
  }
  let best = 0;
  let most = 0;
  for (const bin of [...counts.keys()].sort((a, b) => a - b)) {
    const own = counts.get(bin) ?? 0;
    const count = 2 * own + (counts.get(bin - 1) ?? 0) + (counts.get(bin + 1) ?? 0);
    if (count <= most) continue;
    most = count;
    best = bin;
  }
  return (best + 0.5) * DEPTH_BIN_M;
}

/** The stretch of sorted depths around a value that no gap interrupts. */
function stretchAround(sorted: Float32Array, value: number, gap: number): [number, number] {
  let at = sorted.findIndex((d) => d >= value);
  if (at < 0) at = sorted.length - 1;
  let low = at;
  let high = at;
  while (low > 0 && sorted[low] - sorted[low - 1] <= gap) low--;
  while (high < sorted.length - 1 && sorted[high + 1] - sorted[high] <= gap) high++;
  return [sorted[low], sorted[high]];
}

/**
 * Which detection each cell goes to (number from 1, 0 = none): to the smaller of two boxes that lie in each other,
 * else to that in whose box it lies nearer to the middle.
 */
function claimCells(found: readonly LiftedDetection[], { u, v }: CellPixels, count: number): Uint8Array {
  const claims = new Uint8Array(count);
  found.forEach(({ detection: { box }, cells }, k) => {
    for (const i of cells) {
      if (claims[i] === 0) {
        claims[i] = k + 1;
        continue;
      }
      const other = found[claims[i] - 1].detection.box;
      if (yields(other, box, u[i], v[i])) claims[i] = k + 1;
    }
  });
  return claims;
}

/** Whether `holder` gives up a pixel to `asker`. */
function yields(holder: Detection['box'], asker: Detection['box'], u: number, v: number): boolean {
  if (containedShare(asker, holder) >= CONTAINED) return containedShare(holder, asker) < CONTAINED;
  if (containedShare(holder, asker) >= CONTAINED) return false;
  return relativeOffset(asker, u, v) < relativeOffset(holder, u, v);
}
