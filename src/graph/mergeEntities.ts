/** Two refs turn out to be one thing: one survives, the other becomes its alias. */
import { boxVolume } from '../math/box.js';
import { unionOfCells } from './cells.js';
import { isFragmentOf } from './fragments.js';
import { withSightingsOf } from './labelVotes.js';
import { earlierMoment, laterMoment } from './moments.js';
import { placesOf, settleIn } from './onePlace.js';
import { storedEdge, relationKey } from './relationKey.js';
import { MAX_LOG_ODDS } from './thing.js';
import type { Entity, GraphState, RelationEdge } from './types.js';

/** Shapes kept for the robust statistics of a merged thing. */
const KEPT_SHAPES = 60;
/** A whole must have been seen this often, as a share of its part's sightings, to be no passing confusion. */
const WELL_SEEN = 0.5;

/**
 * The state after `otherRef` was merged into `keepRef`, which is left in one place: held, else inside, else on,
 * its own before the other's. Both must be entities, else nothing changes.
 */
export function mergeEntities(state: GraphState, keepRef: string, otherRef: string): GraphState {
  const keep = state.entities.get(keepRef);
  const other = state.entities.get(otherRef);
  if (keep === undefined || other === undefined || keepRef === otherRef) {
    return state;
  }
  const rename = (ref: string): string => (ref === otherRef ? keepRef : ref);
  const entities = state.entities
    .delete(otherRef)
    .set(keepRef, combined(keep, other))
    .map((entity) => withRenamedContents(entity, rename));
  const merged = {
    ...state,
    entities,
    relations: renamedEdges(state, rename),
    robot: { ...state.robot, holding: renamedHolding(state, keepRef, rename) },
    aliases: state.aliases.map(rename).set(otherRef, keepRef),
  };
  const [own, others] = [placesOf(state, keepRef), placesOf(state, otherRef)];
  return settleIn(merged, keepRef, {
    containers: [...own.containers, ...others.containers].map(rename),
    supports: [...own.supports, ...others.supports].map(rename),
  });
}

function combined(keep: Entity, other: Entity): Entity {
  const only = oneNamed(keep, other) ?? wholeOf(keep, other);
  const better = only ?? (other.observations > keep.observations ? other : keep);
  const votes = keep.labelVotes.mergeWith((a, b) => a + b, other.labelVotes);
  const set = [keep.setByExecutionAt, other.setByExecutionAt].filter((moment) => moment !== undefined);
  return {
    ...keep,
    box: better.box,
    positionSigmaM: better.positionSigmaM,
    shapes: only?.shapes ?? [...keep.shapes, ...other.shapes].slice(-KEPT_SHAPES),
    cells: unionOfCells(better.cells, better === keep ? other.cells : keep.cells),
    // Both were often seen in the same frames: the sum would count those twice.
    observations: Math.max(keep.observations, other.observations),
    wholeViews: Math.max(keep.wholeViews, other.wholeViews),
    samples: better.samples,
    hits: better.hits,
    opportunities: better.opportunities,
    misses: 0,
    firstMiss: undefined,
    firstSeen: earlierMoment(keep.firstSeen, other.firstSeen),
    lastSeen: laterMoment(keep.lastSeen, other.lastSeen),
    existsLogOdds: Math.min(MAX_LOG_ODDS, Math.max(keep.existsLogOdds, other.existsLogOdds)),
    labelVotes: votes,
    ...withSightingsOf(keep, other),
    ...(keep.label === '' ? { label: other.label, labelShare: other.labelShare } : {}),
    containerState: keep.containerState === '' ? other.containerState : keep.containerState,
    contents: [...keep.contents, ...other.contents],
    missing: keep.missing && other.missing,
    ...(set.length === 0 ? {} : { setByExecutionAt: set.reduce(laterMoment) }),
  };
}

/** The whole of which the other is a fragment, unless it was seen so seldom that it may be a passing confusion. */
function wholeOf(a: Entity, b: Entity): Entity | undefined {
  const [part, whole] = boxVolume(a.box) < boxVolume(b.box) ? [a, b] : [b, a];
  const isWellSeen = whole.observations >= WELL_SEEN * part.observations;
  return isWellSeen && isFragmentOf(part, whole) ? whole : undefined;
}

/** The one of two that a detector knows as a thing: the other is a piece of it. */
function oneNamed(a: Entity, b: Entity): Entity | undefined {
  if (a.labelVotes.isEmpty() === b.labelVotes.isEmpty()) return undefined;
  return a.labelVotes.isEmpty() ? b : a;
}

function withRenamedContents(entity: Entity, rename: (ref: string) => string): Entity {
  const contents = [...new Set(entity.contents.map(rename))].filter((ref) => ref !== entity.ref);
  const same =
    contents.length === entity.contents.length && contents.every((ref, k) => ref === entity.contents[k]);
  return same ? entity : { ...entity, contents };
}

function renamedEdges(state: GraphState, rename: (ref: string) => string): GraphState['relations'] {
  return state.relations.withMutations((relations) => {
    for (const [key, edge] of state.relations) {
      const renamed: RelationEdge = { ...edge, ref: rename(edge.ref), otherRef: rename(edge.otherRef) };
      if (renamed.ref === edge.ref && renamed.otherRef === edge.otherRef) {
        continue;
      }
      relations.delete(key);
      const newKey = relationKey(renamed.ref, renamed.relation, renamed.otherRef);
      if (renamed.ref !== renamed.otherRef && !relations.has(newKey)) {
        relations.set(newKey, storedEdge(renamed));
      }
    }
  });
}

/** Holding both is holding one. */
function renamedHolding(
  state: GraphState,
  keepRef: string,
  rename: (ref: string) => string,
): GraphState['robot']['holding'] {
  const holdsKeep = state.robot.holding.some(({ ref }) => ref === keepRef);
  return state.robot.holding
    .filter(({ ref }) => !holdsKeep || rename(ref) === ref)
    .map((held) => ({ ...held, ref: rename(held.ref) }));
}
