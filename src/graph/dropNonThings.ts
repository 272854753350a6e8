import { halfDiagonal } from '../math/box.js';
import { observedShare } from './absence.js';
import type { GraphParameters } from './parameters.js';
import { newStructures, partOf, structuresOf, type KnownStructures } from './partOfStructure.js';
import { addRefsNear, inMapOrder, placesOfState } from './placeIndex.js';
import { removeEntity } from './removeEntity.js';
import type { Entity, GraphState, Moment, Thing, Track } from './types.js';

/**
 * Entities that turn out to be no things are taken back: parts of furniture and walls once these are known, and pieces
 * that come and go while their place is in view. They leave a tombstone that says so, and go on as background: things before them are told apart by them as before. What somebody named, moved, holds
 * or filled is never taken back.
 * @param before the state that the frame was folded into
 * @param inView refs that the frame matched or looked for
 */
export function dropNonThings(
  before: GraphState,
  state: GraphState,
  inView: ReadonlySet<string>,
  now: Moment,
  parameters: GraphParameters,
): GraphState {
  const structures = structuresOf(state);
  // Out of view nothing changes but what is known of structure.
  const refs = withNeighbours(state, inView, newStructures(before, structures));
  let next = state;
  for (const ref of refs) {
    const entity = state.entities.get(ref);
    if (entity?.kind !== 'object' || isSettled(state, entity)) continue;
    const reason = whyNoThing(entity, structures, parameters);
    if (reason !== undefined) next = withBackground(removeEntity(next, ref, reason, now), entity);
  }
  return next;
}

/** Parts of a structure lie no farther beside its box than this, metres. */
const BESIDE_M = 0.5;

function withNeighbours(
  state: GraphState,
  refs: ReadonlySet<string>,
  structures: readonly Entity[],
): Iterable<string> {
  if (structures.length === 0) return refs;
  const all = new Set(refs);
  const places = placesOfState(state);
  for (const { box } of structures) addRefsNear(all, places, box.center, halfDiagonal(box) + BESIDE_M);
  return inMapOrder(all, state.entities);
}

function withBackground(state: GraphState, entity: Entity): GraphState {
  if (entity.missing) return state;
  const {
    ref: _ref,
    label: _label,
    labelShare: _share,
    containerState: _state,
    contents: _contents,
    missing: _missing,
    misses: _misses,
    firstMiss: _first,
    ...thing
  } = entity;
  const id = state.nextTrackId;
  const track: Track = { ...thing, id, isBackground: true };
  return { ...state, tracks: state.tracks.set(id, track), nextTrackId: id + 1 };
}

/** Why geometry alone does not make a thing of it; undefined: it may be one. */
export function whyNoThing(
  thing: Thing,
  structures: KnownStructures,
  parameters: GraphParameters,
): string | undefined {
  if (thing.kind !== 'object' || thing.labelVotes.size > 0) return undefined;
  if (thing.wholeViews < LEAST_WHOLE) return 'it was never seen whole';
  const whole = partOf(thing, structures);
  if (whole !== undefined) return `it is a part of ${whole}`;
  if (isFlicker(thing, parameters)) return 'it was seldom to be seen in its place';
  return undefined;
}

/** Whole views that a thing takes: a single one may be a chance of noise. */
const LEAST_WHOLE = 2;

/** Looks that decide whether it only flickers. Later it is established: what then stands close by joins with it for long. */
const LEAST_LOOKS = 10;
const MOST_LOOKS = 60;
/** Below the share that confirms by this, or things on the verge would come and go. */
const HYSTERESIS = 0.1;

function isFlicker(thing: Thing, { confirmation }: GraphParameters): boolean {
  const { opportunities } = thing;
  return (
    opportunities >= LEAST_LOOKS &&
    opportunities <= MOST_LOOKS &&
    observedShare(thing) < confirmation.share - HYSTERESIS
  );
}

/** Somebody said or did something with it. */
function isSettled(state: GraphState, entity: Entity): boolean {
  return (
    entity.label !== 'object' ||
    entity.labelVotes.size > 0 ||
    entity.contents.length > 0 ||
    entity.containerState !== '' ||
    entity.setByExecutionAt !== undefined ||
    state.robot.holding.some(({ ref }) => ref === entity.ref)
  );
}
