import type { Vec3 } from '../math/types.js';
import { distance, intervalAt, presentObjects } from './matchObjects.js';
import type { PresentObject } from './matchObjects.js';
import { isStructure, secondsFromIso } from './replayResult.js';
import type { BriefRecord, ReplayResult } from './replayResult.js';
import type { Truth, TruthObject } from './truth.js';

/**
 * What only the course of time shows: refs that changed the thing they name, things that were declared gone
 * while they stood there, and how soon a true change was noticed. At each stored Brief a live ref names the
 * nearest object within that object's tolerance. Resolution is that of the history (0.5 s).
 */

export interface ChangeScore {
  readonly kind: 'removed' | 'moved';
  readonly id: string;
  /** The ref that named the object before the change; undefined: it had not been found. */
  readonly ref?: string;
  /** Seconds from the first picture that could show it until the graph had it: removed → gone or missing; moved → at the new place. */
  readonly noticedAfterS?: number;
  /** Moved only: it is the same ref at the new place. */
  readonly sameRef?: boolean;
  /** Refs still live at the old place at the end. */
  readonly staleRefs: readonly string[];
}

export interface TimeScore {
  readonly snapshots: number;
  /** Refs that named one object and later another. */
  readonly swappedRefs: readonly { readonly ref: string; readonly from: string; readonly to: string }[];
  /** Refs that were `missing` while their object stood there and no other ref named it. */
  readonly falselyMissing: readonly { readonly ref: string; readonly id: string; readonly atS: number }[];
  readonly changes: readonly ChangeScore[];
  /** For objects that rest in more than one place: in how many of these rests a live ref named it. */
  readonly rests: readonly { readonly id: string; readonly found: number; readonly of: number }[];
}

interface Named {
  readonly ref: string;
  readonly position: Vec3;
  readonly isLive: boolean;
  /** The nearest object within its tolerance. */
  readonly id?: string;
}

interface Snapshot {
  readonly timeS: number;
  readonly named: readonly Named[];
  readonly present: readonly PresentObject[];
}

export function scoreOverTime(truth: Truth, result: ReplayResult): TimeScore {
  const snapshots = makeSnapshots(truth, result);
  return {
    snapshots: snapshots.length,
    swappedRefs: findSwaps(snapshots),
    falselyMissing: findFalselyMissing(snapshots),
    changes: truth.changes
      .filter(({ firstAfter }) => firstAfter <= (snapshots.at(-1)?.timeS ?? -Infinity))
      .map((change) => scoreChange(truth, change, snapshots)),
    rests: truth.objects
      .filter(({ intervals }) => intervals.length > 1)
      .map((object) => scoreRests(object, snapshots)),
  };
}

function makeSnapshots(truth: Truth, result: ReplayResult): Snapshot[] {
  const lastPosition = new Map<string, Vec3>();
  const snapshots = result.history.flatMap((brief) => snapshotOfBrief(truth, brief, lastPosition) ?? []);
  if (result.endS !== undefined) {
    const final = result.graph.entities
      .filter((entity) => !isStructure(entity))
      .map(({ ref, box, freshness }) => ({ ref, position: box.center, isLive: freshness !== 'missing' }));
    snapshots.push(nameAll(truth, result.endS, final));
  }
  return snapshots;
}

/** A missing thing may come without a position: then its last one holds. */
function snapshotOfBrief(
  truth: Truth,
  brief: BriefRecord,
  lastPosition: Map<string, Vec3>,
): Snapshot | undefined {
  const timeS = secondsFromIso(brief.updatedAt);
  if (timeS === undefined) return undefined;
  const things = brief.objects.filter((object) => !isStructure(object));
  for (const { ref, coarsePosition } of things) {
    const [x, y, z] = coarsePosition ?? [];
    if (x !== undefined && y !== undefined && z !== undefined) lastPosition.set(ref, [x, y, z]);
  }
  const placed = things.flatMap(({ ref, freshness }) => {
    const position = lastPosition.get(ref);
    return position === undefined ? [] : [{ ref, position, isLive: freshness !== 'missing' }];
  });
  return nameAll(truth, timeS, placed);
}

function nameAll(truth: Truth, timeS: number, placed: readonly Omit<Named, 'id'>[]): Snapshot {
  const present = presentObjects(truth, timeS).filter(({ object }) => !object.coarse);
  const named = placed.map((entity) => {
    const nearest = present
      .map((object) => ({ object, d: distance(object.center, entity.position) }))
      .filter(({ object, d }) => d <= object.object.positionToleranceM)
      .sort((a, b) => a.d - b.d)[0];
    return nearest === undefined ? entity : { ...entity, id: nearest.object.object.id };
  });
  return { timeS, named, present };
}

function findSwaps(snapshots: readonly Snapshot[]): TimeScore['swappedRefs'] {
  const firstName = new Map<string, string>();
  const swaps = new Map<string, { ref: string; from: string; to: string }>();
  for (const { named, present } of snapshots) {
    for (const { ref, id, isLive, position } of named) {
      if (!isLive || id === undefined) continue;
      const from = firstName.get(ref);
      if (from === undefined) firstName.set(ref, id);
      else if (from !== id && !fits(present, from, position)) swaps.set(ref, { ref, from, to: id });
    }
  }
  return [...swaps.values()];
}

/** Could the position still be that object's? Then two neighbours are merely too near to tell. */
function fits(present: readonly PresentObject[], id: string, position: Vec3): boolean {
  return present.some(
    ({ object, center }) => object.id === id && distance(center, position) <= object.positionToleranceM,
  );
}

function findFalselyMissing(snapshots: readonly Snapshot[]): TimeScore['falselyMissing'] {
  const found = new Map<string, { ref: string; id: string; atS: number }>();
  for (const { named, timeS } of snapshots) {
    const live = new Set(named.filter(({ isLive }) => isLive).map(({ id }) => id));
    for (const { ref, id, isLive } of named) {
      if (!isLive && id !== undefined && !live.has(id) && !found.has(ref))
        found.set(ref, { ref, id, atS: timeS });
    }
  }
  return [...found.values()];
}

function scoreChange(
  truth: Truth,
  change: Truth['changes'][number],
  snapshots: readonly Snapshot[],
): ChangeScore {
  const { kind, id, lastBefore, firstAfter } = change;
  const before = snapshots.filter(({ timeS }) => timeS <= lastBefore + 0.1);
  const untilS = kind === 'moved' ? endOfRest(truth, id, firstAfter) : Infinity;
  const after = snapshots.filter(({ timeS }) => timeS >= firstAfter - 1e-3 && timeS <= untilS);
  const ref = before
    .flatMap(({ named }) => named)
    .findLast((entity) => entity.isLive && entity.id === id)?.ref;
  const noticed =
    kind === 'removed'
      ? after.find(
          ({ named }) => ref !== undefined && !named.some((entity) => entity.ref === ref && entity.isLive),
        )
      : after.find(({ named }) => named.some((entity) => entity.isLive && entity.id === id));
  const newRef = noticed?.named.find((entity) => entity.isLive && entity.id === id)?.ref;
  return {
    kind,
    id,
    ...(ref !== undefined && { ref }),
    ...(noticed !== undefined && { noticedAfterS: Math.max(0, noticed.timeS - firstAfter) }),
    ...(kind === 'moved' && noticed !== undefined && ref !== undefined && { sameRef: newRef === ref }),
    staleRefs: staleRefs(truth, id, lastBefore, snapshots.at(-1)),
  };
}

function endOfRest(truth: Truth, id: string, timeS: number): number {
  const object = truth.objects.find((candidate) => candidate.id === id);
  return (object === undefined ? undefined : intervalAt(object, timeS))?.to ?? timeS;
}

function scoreRests(object: TruthObject, snapshots: readonly Snapshot[]): TimeScore['rests'][number] {
  const found = object.intervals.filter(({ from, to }) =>
    snapshots.some(
      ({ timeS, named }) =>
        timeS >= from &&
        timeS <= to + 0.1 &&
        named.some((entity) => entity.isLive && entity.id === object.id),
    ),
  );
  return { id: object.id, found: found.length, of: object.intervals.length };
}

/** Live at the end where the object was before the change, and naming nothing that is there now. */
function staleRefs(truth: Truth, id: string, lastBefore: number, end: Snapshot | undefined): string[] {
  const old = presentObjects(truth, lastBefore).find(({ object }) => object.id === id);
  if (old === undefined || end === undefined) return [];
  return end.named
    .filter((entity) => entity.isLive && entity.id === undefined)
    .filter(({ position }) => distance(position, old.center) <= old.object.positionToleranceM)
    .map(({ ref }) => ref);
}
