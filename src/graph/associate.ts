import { boxVolume, halfDiagonal, intersectionVolume } from '../math/box.js';
import { solveAssignment } from '../math/solveAssignment.js';
import type { Box } from '../math/types.js';
import type { ObjectObservation } from '../perceive/observations.js';
import { likeness, UNLIKE } from '../perceive/likeness.js';
import { cellsOf, coveredShare, type Cells } from './cells.js';
import { liesWithin } from './fragments.js';
import { labelAgreement } from './labelVotes.js';
import type { GraphParameters } from './parameters.js';
import type { Thing } from './types.js';

/**
 * Which observation is which known thing, in one frame: one-to-one, by overlap of cells, distance of centres, label and
 * appearance. Observations that are pieces of a thing already matched, or that run several things together, are told
 * apart from new things, since depth pictures part and join things all the time.
 */

/** A known thing with the key it is stored under. */
export interface KnownThing<K> {
  readonly key: K;
  readonly thing: Thing;
  /** Confirmed things win ties against tentative ones. */
  readonly established: boolean;
}

export interface Association<K> {
  readonly matches: readonly { readonly observation: number; readonly key: K }[];
  /** Things that one observation shows run together with others: seen, shape unknown. */
  readonly touched: readonly K[];
  /** Observations that are parts of a known thing, beside the one it was matched with. */
  readonly pieces: readonly { readonly observation: number; readonly key: K }[];
  /** Observations that are nothing known. */
  readonly fresh: readonly number[];
}

interface Pair {
  readonly observation: number;
  readonly known: number;
  readonly cost: number;
}

/** An observation lies inside a thing from this share of its cells on, and the reverse. */
const INSIDE = 0.6;

export function associate<K>(
  observations: readonly ObjectObservation[],
  known: readonly KnownThing<K>[],
  parameters: GraphParameters,
): Association<K> {
  const cells = observations.map((observation) => cellsOf(observation.points));
  const near = nearbyThings(observations, known, parameters.association.maxGateM);
  const overlaps = new OverlapTable(cells, known);
  const pairs: Pair[] = [];
  observations.forEach((observation, o) => {
    for (const k of near[o]) {
      const cost = pairCost(observation, known[k], overlaps.at(o, k, observation.box), parameters);
      if (cost <= parameters.association.acceptCost) pairs.push({ observation: o, known: k, cost });
    }
  });
  const matched = solveBlocks(pairs, parameters.association.acceptCost);
  return classify(observations, known, near, overlaps, matched);
}

/**
 * For each observation the things whose boxes or centres come near it. One pass over plain numbers, since this is the
 * only step that looks at all things, in view or not.
 */
function nearbyThings<K>(
  observations: readonly ObjectObservation[],
  known: readonly KnownThing<K>[],
  maxGateM: number,
): number[][] {
  const n = known.length;
  const xs = new Float64Array(n);
  const ys = new Float64Array(n);
  const reaches = new Float64Array(n);
  known.forEach(({ thing: { box } }, k) => {
    xs[k] = box.center[0];
    ys[k] = box.center[1];
    reaches[k] = halfDiagonal(box);
  });
  return observations.map(({ box }) => {
    const own = halfDiagonal(box) + NEAR_SLACK_M;
    const near: number[] = [];
    for (let k = 0; k < n; k++) {
      const dx = xs[k] - box.center[0];
      const dy = ys[k] - box.center[1];
      const reach = Math.max(maxGateM, reaches[k] + own);
      if (dx * dx + dy * dy < reach * reach) near.push(k);
    }
    return near;
  });
}

/** Boxes farther apart than this share nothing, metres: two cells of the occupancy grid. */
export const NEAR_SLACK_M = 0.08;

/** Shares of cells in common, computed only for boxes that come near each other. */
class OverlapTable<K> {
  private readonly entries = new Map<number, Overlap>();

  constructor(
    private readonly cells: readonly Cells[],
    private readonly known: readonly KnownThing<K>[],
  ) {}

  at(o: number, k: number, box: Box): Overlap {
    const thing = this.known[k].thing;
    if (!boxesNear(box, thing.box)) return NO_OVERLAP;
    const key = o * this.known.length + k;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      entry = thing.cells.count > 0 ? overlapOf(this.cells[o], thing.cells) : boxOverlap(box, thing.box);
      this.entries.set(key, entry);
    }
    return entry;
  }
}

interface Overlap {
  /** Share of the observation's cells in the thing, and of the thing's in the observation. */
  readonly ofObservation: number;
  readonly ofThing: number;
}

const NO_OVERLAP: Overlap = { ofObservation: 0, ofThing: 0 };

function overlapOf(observed: Cells, thing: Cells): Overlap {
  const ofObservation = coveredShare(observed, thing);
  return ofObservation === 0 ? NO_OVERLAP : { ofObservation, ofThing: coveredShare(thing, observed) };
}

/** For a thing that was moved without being seen: only its box is known. */
function boxOverlap(observed: Box, thing: Box): Overlap {
  const shared = intersectionVolume(observed, thing);
  return { ofObservation: shared / boxVolume(observed), ofThing: shared / boxVolume(thing) };
}

function boxesNear(a: Box, b: Box): boolean {
  if (Math.abs(a.center[2] - b.center[2]) >= (a.size[2] + b.size[2]) / 2 + NEAR_SLACK_M) return false;
  const reach = halfDiagonal(a) + halfDiagonal(b) + NEAR_SLACK_M;
  const dx = a.center[0] - b.center[0];
  const dy = a.center[1] - b.center[1];
  return dx * dx + dy * dy < reach * reach;
}

function pairCost<K>(
  observation: ObjectObservation,
  candidate: KnownThing<K>,
  overlap: Overlap,
  parameters: GraphParameters,
): number {
  const { box } = candidate.thing;
  const dx = observation.box.center[0] - box.center[0];
  const dy = observation.box.center[1] - box.center[1];
  const dz = observation.box.center[2] - box.center[2];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const { minGateM, maxGateM } = parameters.association;
  const [sx, sy, sz] = box.size;
  const diagonal = Math.sqrt(sx * sx + sy * sy + sz * sz);
  const gate = Math.min(maxGateM, Math.max(minGateM, 0.5 * diagonal + 3 * observation.depthSigmaM));
  const shared = Math.max(overlap.ofObservation, overlap.ofThing);
  if (distance > gate && shared <= 0.3) return Infinity;
  // The mean of both shares prefers the thing of the same extent to one that merely contains the observation.
  const agreement = (overlap.ofObservation + overlap.ofThing) / 2;
  const o = 0.5 * shared + 0.5 * agreement;
  const label = labelAgreement(observation, candidate.thing);
  const appearance = likeness(observation.appearance, candidate.thing.appearance);
  const near = Math.min(1, distance / gate);
  const cost =
    appearance === undefined
      ? 0.5 * (1 - o) + 0.25 * near + 0.25 * (1 - label)
      : 0.4 * (1 - o) + 0.2 * near + 0.2 * (1 - label) + 0.2 * (1 - appearance);
  return candidate.established ? cost : cost + 0.02;
}

/** Solves the assignment apart for each connected block of pairs: blocks are small, frames are not. */
function solveBlocks(pairs: readonly Pair[], acceptCost: number): Map<number, number> {
  const matched = new Map<number, number>();
  const byObservation = groupBy(pairs, (pair) => pair.observation);
  const byKnown = groupBy(pairs, (pair) => pair.known);
  const done = new Set<number>();
  for (const start of byObservation.keys()) {
    if (done.has(start)) continue;
    const rows: number[] = [];
    const columns = new Map<number, number>();
    const open = [start];
    done.add(start);
    for (let o = open.pop(); o !== undefined; o = open.pop()) {
      rows.push(o);
      for (const pair of byObservation.get(o) ?? []) {
        if (columns.has(pair.known)) continue;
        columns.set(pair.known, columns.size);
        for (const other of byKnown.get(pair.known) ?? []) {
          if (done.has(other.observation)) continue;
          done.add(other.observation);
          open.push(other.observation);
        }
      }
    }
    solveBlock(rows, columns, byObservation, acceptCost, matched);
  }
  return matched;
}

function solveBlock(
  rows: readonly number[],
  columns: ReadonlyMap<number, number>,
  byObservation: ReadonlyMap<number, readonly Pair[]>,
  acceptCost: number,
  matched: Map<number, number>,
): void {
  if (rows.length > LARGEST_BLOCK || columns.size > LARGEST_BLOCK) {
    matchGreedily(rows, byObservation, matched);
    return;
  }
  // Each observation also has a column of its own that stands for "nothing known".
  const costs = rows.map((_, r) => {
    const row = new Array<number>(columns.size + rows.length).fill(Infinity);
    row[columns.size + r] = acceptCost + 1e-9;
    return row;
  });
  rows.forEach((o, r) => {
    for (const pair of byObservation.get(o) ?? []) {
      const column = columns.get(pair.known);
      if (column !== undefined) costs[r][column] = pair.cost;
    }
  });
  const known = [...columns.keys()];
  solveAssignment(costs).forEach((column, r) => {
    if (column !== undefined && column < known.length) matched.set(rows[r], known[column]);
  });
}

/** Blocks beyond this size come of noise, not of things; an exact answer there would stop the node for seconds. */
const LARGEST_BLOCK = 60;

/** The cheapest pairs first. */
function matchGreedily(
  rows: readonly number[],
  byObservation: ReadonlyMap<number, readonly Pair[]>,
  matched: Map<number, number>,
): void {
  const pairs = rows.flatMap((o) => byObservation.get(o) ?? []);
  const taken = new Set<number>();
  for (const { observation, known } of pairs.sort(
    (a, b) => a.cost - b.cost || a.observation - b.observation || a.known - b.known,
  )) {
    if (matched.has(observation) || taken.has(known)) continue;
    matched.set(observation, known);
    taken.add(known);
  }
}

function groupBy(pairs: readonly Pair[], keyOf: (pair: Pair) => number): Map<number, Pair[]> {
  const groups = new Map<number, Pair[]>();
  for (const pair of pairs) {
    const list = groups.get(keyOf(pair));
    if (list === undefined) groups.set(keyOf(pair), [pair]);
    else list.push(pair);
  }
  return groups;
}

function classify<K>(
  observations: readonly ObjectObservation[],
  known: readonly KnownThing<K>[],
  near: readonly (readonly number[])[],
  overlaps: OverlapTable<K>,
  matched: ReadonlyMap<number, number>,
): Association<K> {
  const taken = new Set(matched.values());
  const matches: { observation: number; key: K }[] = [];
  const touchedKeys: K[] = [];
  const pieces: { observation: number; key: K }[] = [];
  const fresh: number[] = [];
  observations.forEach((observation, o) => {
    const own = matched.get(o);
    const swallowed = near[o].filter(
      (k) =>
        k !== own &&
        known[k].established &&
        (own === undefined || !liesWithin(known[k].thing.box, known[own].thing.box)) &&
        !taken.has(k) &&
        overlaps.at(o, k, observation.box).ofThing >= INSIDE &&
        overlaps.at(o, k, observation.box).ofObservation < INSIDE,
    );
    if (
      swallowed.length > 0 &&
      !isNamedAs(observation, own, known) &&
      (own !== undefined ? known[own].established : swallowed.length > 1)
    ) {
      for (const k of swallowed) touchedKeys.push(known[k].key);
      if (own !== undefined) touchedKeys.push(known[own].key);
      return;
    }
    if (own !== undefined) {
      matches.push({ observation: o, key: known[own].key });
      return;
    }
    const whole = near[o].find((k) => known[k].established && isPieceOf(observation, known[k].thing));
    if (whole === undefined) fresh.push(o);
    else pieces.push({ observation: o, key: known[whole].key });
  });
  return { matches, touched: touchedKeys, pieces, fresh };
}

/** A detector saw it as one thing, and as the one that it was matched with. */
function isNamedAs<K>(
  { label }: ObjectObservation,
  own: number | undefined,
  known: readonly KnownThing<K>[],
): boolean {
  return label !== undefined && own !== undefined && known[own].thing.labelVotes.has(label);
}

/** It lies within the thing's box and does not look like something else lying in it. */
function isPieceOf(observation: ObjectObservation, thing: Thing): boolean {
  if (!boxesNear(observation.box, thing.box)) return false;
  if (!liesWithin(observation.box, thing.box)) return false;
  const alike = likeness(observation.appearance, thing.appearance);
  return alike === undefined || alike >= UNLIKE;
}
