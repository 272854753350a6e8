import type { CloudGrid } from './CloudGrid.js';
import type { CellPixels } from './cellPixels.js';
import { isSeeThrough } from './labels.js';
import type { LiftedDetection } from './liftDetections.js';
import { ellipseOffset } from './pixelBoxes.js';

/**
 * Puts what geometry parted and what a detector names together, so that each thing is observed once: a piece takes the
 * name of the detection that it agrees with and keeps its better outline; pieces of one detection are joined, one piece
 * of several detections is parted by them; a detection without a piece makes a thing of its own cells.
 */

/** Cells of one thing in picture order and, where a detector knows it, its name. */
export interface NamedCells {
  readonly cells: Int32Array;
  readonly label?: string;
  readonly score?: number;
  /** The one piece of geometry that it is, by index; absent when a detection joined, parted or made it. */
  readonly piece?: number;
}

export interface NamingParameters {
  /** Score from which a detection may make, part or join things. */
  readonly createScore: number;
  /** Cells that make a thing. */
  readonly minCells: number;
}

/** A piece is one with a detection that claims this share of it; what others claim is parted off. */
const AGREED = 0.6;
/** A detection lies in a piece with this share of its cells. */
const WITHIN = 0.5;
/** What no detection claims of a parted piece stays a thing when it is this share of it. */
const REST_SHARE = 0.35;
/** Pieces of one detection lie this near each other, metres and standard deviations. */
const JOIN_GAP_M = 0.04;
const JOIN_GAP_SIGMAS = 4;
/** Of the middle of a flat thing's box this share must have been measured, and on one surface. */
const FLAT_SHARE = 0.6;

/**
 * @param owner structure that each cell belongs to, 0 = free
 * @param pieces what geometry parted, no cell in two
 * @returns every piece, named or not, and the things that only detections show; no cell in two
 */
export function nameThings(
  lifted: readonly LiftedDetection[],
  pieces: readonly Int32Array[],
  grid: CloudGrid,
  owner: Int16Array,
  pixels: CellPixels,
  parameters: NamingParameters,
): NamedCells[] {
  const claims = new ClaimTable(lifted, pieces, owner.length);
  const out: NamedCells[] = [];
  const partsOf = lifted.map((): NamedCells[] => []);
  pieces.forEach((piece, k) => {
    const owners = claims.ownersOf(k, parameters);
    if (owners.length === 0) {
      out.push({ cells: piece, piece: k });
      return;
    }
    const { parts, rest } = partPiece(piece, owners, claims, lifted, pixels, parameters);
    for (const [d, cells] of parts)
      partsOf[d].push({ cells, ...(parts.size === 1 && rest === undefined ? { piece: k } : {}) });
    if (rest !== undefined) out.push({ cells: rest });
  });
  const taken = new Uint8Array(owner.length);
  for (const { cells } of [...out, ...partsOf.flat()]) for (const i of cells) taken[i] = 1;
  lifted.forEach((own, d) => {
    const { label, score } = own.detection;
    const mine = partsOf[d].sort((a, b) => b.cells.length - a.cells.length);
    if (mine.length > 0) {
      const { joined, left } = joinParts(mine, grid, score >= parameters.createScore);
      out.push({ ...joined, label, score }, ...left);
      return;
    }
    if (score < parameters.createScore) return;
    const cells = ownCells(own, grid, owner, pixels, parameters).filter((i) => taken[i] === 0);
    if (cells.length < parameters.minCells) return;
    for (const i of cells) taken[i] = 1;
    out.push({ cells, label, score });
  });
  return out;
}

/** How many cells of each piece each detection claims. */
class ClaimTable {
  /** Number of the detection that claims a cell, from 1; 0 for none. */
  readonly claimedBy: Uint8Array;
  readonly #counts: readonly Map<number, number>[];

  constructor(
    readonly lifted: readonly LiftedDetection[],
    readonly pieces: readonly Int32Array[],
    cellCount: number,
  ) {
    this.claimedBy = new Uint8Array(cellCount);
    lifted.forEach(({ cells }, d) => cells.forEach((i) => (this.claimedBy[i] = d + 1)));
    this.#counts = pieces.map((piece) => {
      const counts = new Map<number, number>();
      for (const i of piece) {
        const d = this.claimedBy[i] - 1;
        if (d >= 0) counts.set(d, (counts.get(d) ?? 0) + 1);
      }
      return counts;
    });
  }

  /** Detections that a piece is, is a part of, or holds; the largest share first. */
  ownersOf(k: number, { createScore, minCells }: NamingParameters): number[] {
    const size = this.pieces[k].length;
    const isOwner = ([d, count]: [number, number]): boolean => {
      const { cells, detection } = this.lifted[d];
      if (count >= AGREED * size) return true;
      // It would part the piece.
      return detection.score >= createScore && count >= minCells && count >= WITHIN * cells.length;
    };
    return [...this.#counts[k]]
      .filter(isOwner)
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .map(([d]) => d);
  }
}

interface Parted {
  /** Cells by detection. */
  readonly parts: ReadonlyMap<number, Int32Array>;
  /** What no detection claims, when that is enough to be a thing. */
  readonly rest?: Int32Array;
}

function partPiece(
  piece: Int32Array,
  owners: readonly number[],
  { claimedBy }: ClaimTable,
  lifted: readonly LiftedDetection[],
  { u, v }: CellPixels,
  { minCells }: NamingParameters,
): Parted {
  const cellsOf = new Map<number, number[]>(owners.map((d) => [d, []]));
  const unclaimed: number[] = [];
  for (const i of piece) (cellsOf.get(claimedBy[i] - 1) ?? unclaimed).push(i);
  const isThing = unclaimed.length >= minCells && unclaimed.length > REST_SHARE * piece.length;
  if (!isThing) {
    for (const i of unclaimed) {
      const offset = (d: number): number => ellipseOffset(lifted[d].detection.box, u[i], v[i]);
      const nearest = owners.reduce((best, d) => (offset(d) < offset(best) ? d : best));
      cellsOf.get(nearest)?.push(i);
    }
  }
  const parts = new Map([...cellsOf].map(([d, cells]) => [d, Int32Array.from(cells).sort()]));
  return isThing ? { parts, rest: Int32Array.from(unclaimed) } : { parts };
}

/** The largest part and those that lie near it, as one; the others stay things without a name. */
function joinParts(
  parts: readonly NamedCells[],
  grid: CloudGrid,
  mayJoin: boolean,
): { readonly joined: NamedCells; readonly left: readonly NamedCells[] } {
  const [main, ...others] = parts;
  const near = others.filter(
    ({ cells }) => mayJoin && gapBetween(grid, main.cells, cells) <= slack(grid, main),
  );
  if (near.length === 0) return { joined: main, left: others };
  const cells = Int32Array.from([main, ...near].flatMap((part) => [...part.cells])).sort();
  return { joined: { cells }, left: others.filter((part) => !near.includes(part)) };
}

function slack(grid: CloudGrid, { cells }: NamedCells): number {
  return Math.max(JOIN_GAP_M, JOIN_GAP_SIGMAS * grid.sigma[cells[cells.length >> 1]]);
}

/** Points of a part that are tried against another's. */
const GAP_SAMPLES = 60;

/** Distance of the nearest of some points of each, metres. */
function gapBetween({ x, y, z }: CloudGrid, a: Int32Array, b: Int32Array): number {
  let least = Infinity;
  for (const i of sampled(a))
    for (const j of sampled(b)) {
      const distance = (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + (z[i] - z[j]) ** 2;
      if (distance < least) least = distance;
    }
  return Math.sqrt(least);
}

function sampled(cells: Int32Array): Int32Array {
  const n = Math.min(GAP_SAMPLES, cells.length);
  return Int32Array.from({ length: n }, (_, k) => cells[Math.floor((k * cells.length) / n)]);
}

/** Cells of a detection without a piece: its surface's largest cluster, else the flat thing on a structure. */
function ownCells(
  lifted: LiftedDetection,
  grid: CloudGrid,
  owner: Int16Array,
  pixels: CellPixels,
  { minCells }: NamingParameters,
): Int32Array {
  const cluster = largestCluster(grid, lifted.cells);
  if (cluster.length >= minCells) return cluster;
  const { label } = lifted.detection;
  // What nobody names may as well be that structure itself.
  if (label === undefined || isSeeThrough(label)) return new Int32Array(0);
  return flatCells(lifted, owner, pixels);
}

/**
 * A thing so thin that the structure under it took it in: what lies on that structure within the ellipse in the box,
 * since the corners of a box round a lying thing show what it lies on.
 */
function flatCells(
  { detection: { box }, core, inside }: LiftedDetection,
  owner: Int16Array,
  { u, v }: CellPixels,
): Int32Array {
  const counts = new Map<number, number>();
  for (const i of core) counts.set(owner[i], (counts.get(owner[i]) ?? 0) + 1);
  const [under, count] = [...counts].reduce((most, entry) => (entry[1] > most[1] ? entry : most), [0, 0]);
  if (under === 0 || count < FLAT_SHARE * core.length) return new Int32Array(0);
  return inside.filter((i) => owner[i] === under && ellipseOffset(box, u[i], v[i]) <= 1);
}

/** 8-neighbours whose points lie near each other, the largest such set, in picture order. */
function largestCluster(grid: CloudGrid, cells: Int32Array): Int32Array {
  const open = new Set(cells);
  let best: number[] = [];
  for (const seed of cells) {
    if (!open.delete(seed)) continue;
    const cluster = [seed];
    for (let at = 0; at < cluster.length; at++) {
      for (const j of neighboursOf(grid, cluster[at])) {
        if (!open.has(j) || !isNear(grid, cluster[at], j)) continue;
        open.delete(j);
        cluster.push(j);
      }
    }
    if (cluster.length > best.length) best = cluster;
  }
  return Int32Array.from(best).sort();
}

function neighboursOf({ width, height }: CloudGrid, i: number): number[] {
  const u = i % width;
  const v = (i - u) / width;
  const out: number[] = [];
  for (let b = Math.max(0, v - 1); b <= Math.min(height - 1, v + 1); b++)
    for (let a = Math.max(0, u - 1); a <= Math.min(width - 1, u + 1); a++)
      if (b !== v || a !== u) out.push(b * width + a);
  return out;
}

function isNear({ x, y, z, sigma, depth, cellAngle }: CloudGrid, i: number, j: number): boolean {
  const limit = Math.max(0.02, JOIN_GAP_SIGMAS * sigma[i]) + 1.5 * cellAngle * depth[i];
  return (x[i] - x[j]) ** 2 + (y[i] - y[j]) ** 2 + (z[i] - z[j]) ** 2 < limit * limit;
}
