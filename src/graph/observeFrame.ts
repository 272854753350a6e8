import { makeRef, stemOf } from '../protocol/index.js';
import type { FrameObservation, ObjectObservation } from '../perceive/observations.js';
import { halfDiagonal } from '../math/box.js';
import { secondsFromDuration } from '../time/Stamp.js';
import { entityUnmatched, noLongerMissed, observedShare, trackUnmatched } from './absence.js';
import { associate, NEAR_SLACK_M, type KnownThing } from './associate.js';
import { joinObservations } from './joinObservations.js';
import { trackKey } from './knownScene.js';
import { mergeDoubles } from './mergeDoubles.js';
import { dropNonThings, whyNoThing } from './dropNonThings.js';
import { carriedRefs, gripperPlaces } from './holding.js';
import { compareMoments } from './moments.js';
import { settledLabel, shareOf } from './labelVotes.js';
import { isSurelyNamed, wasCarried, withNewVotes } from './namedThing.js';
import type { GraphParameters } from './parameters.js';
import { movedTo, refoundEntity } from './refound.js';
import { moveHeld } from './relocate.js';
import { addRefsNear, inMapOrder, placesOfState, updatedPlaces } from './placeIndex.js';
import { structuresOf } from './partOfStructure.js';
import { removeEntity } from './removeEntity.js';
import { updateRelations } from './relations.js';
import { isWhole, newStructure, structureDistance, structureSeenAgain } from './structures.js';
import { newThing, seenAgain, touched } from './thing.js';
import type { Entity, GraphState, Moment, Thing, Track } from './types.js';

/**
 * One frame's observation folded into the graph: associate, update, confirm, merge, relate.
 * Pure; the caller counts the revision.
 */

/** A key into the state: a ref (entity) or a track's number. */
type Key = string | number;

export function observeFrame(
  state: GraphState,
  frame: FrameObservation,
  parameters: GraphParameters,
): GraphState {
  const now: Moment = { epoch: state.epoch, stamp: frame.stamp };
  const seen = new Set<string>();
  const changed = new Set<string>();
  const moved = moveHeld(
    {
      ...state,
      graphTime:
        state.graphTime === undefined || frame.stamp > state.graphTime ? frame.stamp : state.graphTime,
    },
    frame.map_T_grippers,
    frame.map_T_base,
  );
  let next: GraphState = { ...moved, places: placesOfState(moved) };
  next = foldObjects(next, frame, now, parameters, seen, changed);
  next = foldStructures(next, frame, now, seen);
  next = confirmTracks(next, now, parameters, seen);
  for (const ref of seen) changed.add(ref);
  next = { ...next, places: updatedPlaces(next.places, next.entities, changed) };
  next = dropNonThings(state, next, inViewOf(seen, frame), now, parameters);
  next = removeMissed(next, now, parameters);
  next = forgetTracks(next, now, parameters);
  next = mergeDoubles(next, seen, parameters);
  next = { ...next, places: placesOfState(next) };
  return { ...next, ...updateRelations(next, seen, parameters) };
}

/** Refs that the frame matched or looked for. */
function inViewOf(seen: ReadonlySet<string>, { visibility }: FrameObservation): ReadonlySet<string> {
  return new Set([...seen, ...(visibility?.keys() ?? [])]);
}

function foldObjects(
  state: GraphState,
  frame: FrameObservation,
  now: Moment,
  parameters: GraphParameters,
  seen: Set<string>,
  changed: Set<string>,
): GraphState {
  const known = knownObjects(state, frame.objects, parameters);
  const association = associate(frame.objects, known, parameters);
  const entities = state.entities.asMutable();
  const tracks = state.tracks.asMutable();
  for (const { observation, key } of association.matches) {
    const pieces = association.pieces.filter((piece) => piece.key === key);
    const o = joinObservations(
      frame.objects[observation],
      pieces.map((piece) => frame.objects[piece.observation]),
    );
    if (typeof key === 'string') {
      seen.add(key);
      entities.update(key, (entity) => entity && entitySeenAgain(entity, o, frame, now, parameters));
    } else {
      tracks.update(
        key,
        (track) => track && { ...seenAgain(track, o, now, parameters), hits: track.hits + 1 },
      );
    }
  }
  for (const key of association.touched) {
    if (typeof key === 'string') {
      changed.add(key);
      entities.update(key, (entity) => entity && touched(entity, now));
    } else tracks.update(key, (track) => track && touched(track, now));
  }
  const matched = new Set([...association.matches.map(({ key }) => key), ...association.touched]);
  foldVisibility(frame, entities, tracks, matched, now, parameters, changed);
  let { nextTrackId } = state;
  const isInGripper = gripperPlaces(state);
  for (const observation of association.fresh) {
    // What is seen where a gripper carries something is that thing, which is known already, or the hand.
    if (isInGripper(frame.objects[observation].box)) continue;
    const id = nextTrackId++;
    tracks.set(id, { ...newThing(frame.objects[observation], now), id, isBackground: false });
  }
  return {
    ...state,
    entities: entities.asImmutable(),
    tracks: tracks.asImmutable(),
    nextTrackId,
  };
}

/** What the frame shows of the places of things that it did not match. */
function foldVisibility(
  frame: FrameObservation,
  entities: GraphState['entities'],
  tracks: GraphState['tracks'],
  matched: ReadonlySet<Key>,
  now: Moment,
  parameters: GraphParameters,
  changed: Set<string>,
): void {
  if (frame.visibility === undefined) return;
  for (const [ref, visibility] of frame.visibility) {
    const entity = entities.get(ref);
    if (entity === undefined || matched.has(ref) || isBeforeExecution(entity, now)) continue;
    changed.add(ref);
    entities.set(ref, entityUnmatched(entity, visibility, now, parameters));
  }
  for (const [id, track] of tracks) {
    const visibility = frame.visibility.get(trackKey(id));
    if (visibility !== undefined && !matched.has(id)) tracks.set(id, trackUnmatched(track, visibility));
  }
}

/** A frame from before an execution that set the thing's place says nothing about where it is now. */
function entitySeenAgain(
  entity: Entity,
  observation: ObjectObservation,
  frame: FrameObservation,
  now: Moment,
  parameters: GraphParameters,
): Entity {
  if (isBeforeExecution(entity, now)) return entity;
  const carried = wasCarried(entity, observation, frame.visibility?.get(entity.ref));
  const seen = noLongerMissed(seenAgain(entity, observation, now, parameters, carried));
  return { ...withNewVotes(seen, observation, frame.isNamed === true), missing: false };
}

function isBeforeExecution({ setByExecutionAt }: Entity, now: Moment): boolean {
  return setByExecutionAt !== undefined && compareMoments(now, setByExecutionAt) < 0;
}

/** What comes near an observation. Held things and their contents are out of association: they move with the gripper. */
function knownObjects(
  state: GraphState,
  objects: readonly ObjectObservation[],
  { association }: GraphParameters,
): KnownThing<Key>[] {
  const near = new Set<string>();
  for (const { box } of objects) {
    const reach = Math.max(association.maxGateM, halfDiagonal(box) + NEAR_SLACK_M);
    addRefsNear(near, state.places, box.center, reach);
  }
  const held = carriedRefs(state);
  const known: KnownThing<Key>[] = [];
  for (const ref of inMapOrder(near, state.entities)) {
    const entity = state.entities.get(ref);
    if (entity?.kind === 'object' && !held.has(entity.ref))
      known.push({ key: entity.ref, thing: entity, established: true });
  }
  for (const track of state.tracks.values()) {
    if (track.kind === 'object') known.push({ key: track.id, thing: track, established: track.isBackground });
  }
  return known;
}

function foldStructures(
  state: GraphState,
  frame: FrameObservation,
  now: Moment,
  seen: Set<string>,
): GraphState {
  const entities = state.entities.asMutable();
  const tracks = state.tracks.asMutable();
  let { nextTrackId } = state;
  for (const observation of frame.structures) {
    const structures = state.places.structures.flatMap((ref) => entities.get(ref) ?? []);
    const key = nearestStructure(structures, [...tracks.values()], observation);
    if (typeof key === 'string') {
      seen.add(key);
      entities.update(key, (entity) => entity && structureSeenAgain(entity, observation, now));
    } else if (typeof key === 'number') {
      tracks.update(key, (track) => track && structureSeenAgain(track, observation, now));
    } else {
      const id = nextTrackId++;
      tracks.set(id, { ...newStructure(observation, now), id, isBackground: false });
    }
  }
  return { ...state, entities: entities.asImmutable(), tracks: tracks.asImmutable(), nextTrackId };
}

function nearestStructure(
  entities: readonly Entity[],
  tracks: readonly Track[],
  observation: FrameObservation['structures'][number],
): Key | undefined {
  let best: Key | undefined;
  let least = Infinity;
  const consider = (key: Key, thing: Thing, handicap: number): void => {
    const distance = structureDistance(thing, observation);
    if (distance !== undefined && distance + handicap < least) {
      least = distance + handicap;
      best = key;
    }
  };
  for (const entity of entities) consider(entity.ref, entity, 0);
  for (const track of tracks) consider(track.id, track, 0.02);
  return best;
}

function confirmTracks(
  state: GraphState,
  now: Moment,
  parameters: GraphParameters,
  seen: Set<string>,
): GraphState {
  const ready = [...state.tracks.values()].filter((track) => isConfirmed(track, now, parameters));
  if (ready.length === 0) return state;
  const structures = structuresOf(state);
  const entities = state.entities.asMutable();
  const tracks = state.tracks.asMutable();
  const refCounters = state.refCounters.asMutable();
  for (const track of ready.sort((a, b) => a.id - b.id)) {
    const { id, isBackground: _, ...thing } = track;
    const reason = whyNoThing(thing, structures, parameters);
    if (reason !== undefined) {
      tracks.set(id, { ...track, isBackground: true });
      continue;
    }
    const moved = refoundEntity(state.entities, thing, now);
    if (moved !== undefined && entities.get(moved.ref) === moved) {
      tracks.delete(id);
      seen.add(moved.ref);
      entities.set(moved.ref, movedTo(moved, thing));
      continue;
    }
    const label = settledLabel(thing) ?? (thing.kind === 'object' ? 'object' : thing.kind);
    const stem = stemOf(label);
    const n = (refCounters.get(stem) ?? 0) + 1;
    refCounters.set(stem, n);
    const ref = makeRef(stem, n);
    tracks.delete(id);
    seen.add(ref);
    entities.set(ref, {
      ...thing,
      ref,
      label,
      labelShare: labelShareOf(thing, label),
      containerState: '',
      contents: [],
      missing: false,
      misses: 0,
    });
  }
  return {
    ...state,
    entities: entities.asImmutable(),
    tracks: tracks.asImmutable(),
    refCounters: refCounters.asImmutable(),
  };
}

function isConfirmed(track: Track, now: Moment, parameters: GraphParameters): boolean {
  if (track.lastSeen.stamp !== now.stamp || track.lastSeen.epoch !== now.epoch) return false;
  const { hits, spanS, strongSpanS, share } = parameters.confirmation;
  return (
    isWhole(track) &&
    observedShare(track) >= share &&
    track.hits >= hits &&
    secondsFromDuration(now.stamp - track.firstSeen.stamp) >= (isSurelyNamed(track) ? strongSpanS : spanS)
  );
}

/** Certainty of a label from geometry alone stays low: it says little more than "a thing". */
const GEOMETRY_LABEL_SHARE = 0.3;

function labelShareOf(thing: Thing, label: string): number {
  if (thing.kind !== 'object') return 1;
  return thing.labelVotes.isEmpty() ? GEOMETRY_LABEL_SHARE : shareOf(thing, label);
}

/** Long missing things go for good; their tombstone says why. */
function removeMissed(state: GraphState, now: Moment, parameters: GraphParameters): GraphState {
  let next = state;
  for (const ref of state.places.missing) {
    const entity = state.entities.get(ref);
    const firstMiss = entity?.firstMiss;
    if (entity?.missing !== true || firstMiss === undefined || firstMiss.epoch !== now.epoch) continue;
    if (secondsFromDuration(now.stamp - firstMiss.stamp) < parameters.absence.removeAfterS) continue;
    next = removeEntity(next, entity.ref, 'its place was seen empty', now);
  }
  return next;
}

/** The background of a room stays; what was there for this long and is not seen again is forgotten, too, seconds. */
const FORGET_BACKGROUND_S = 300;

function forgetTracks(state: GraphState, now: Moment, parameters: GraphParameters): GraphState {
  const stale = [...state.tracks.values()].filter(({ lastSeen, isBackground }) => {
    const limit = isBackground ? FORGET_BACKGROUND_S : parameters.confirmation.forgetS;
    return lastSeen.epoch !== now.epoch || secondsFromDuration(now.stamp - lastSeen.stamp) > limit;
  });
  if (stale.length === 0) return state;
  return { ...state, tracks: state.tracks.deleteAll(stale.map((track) => track.id)) };
}
