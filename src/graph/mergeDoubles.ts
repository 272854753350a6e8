import { boxVolume, halfDiagonal, intersectionVolume } from '../math/box.js';
import { ALIKE, likeness } from '../perceive/likeness.js';
import { isFragmentOf } from './fragments.js';
import { areNamedApart, settledLabel } from './labelVotes.js';
import { mergeEntities } from './mergeEntities.js';
import { compareMoments } from './moments.js';
import type { GraphParameters } from './parameters.js';
import { addRefsNear, inMapOrder, placesOfState, updatedPlaces, type PlaceIndex } from './placeIndex.js';
import { relationKey } from './relationKey.js';
import { normalizeLabel } from './synonyms.js';
import type { Entity, GraphState } from './types.js';

/**
 * Two entities in one place: a double, or a piece of a thing that was once seen apart from it. The frames decide: each
 * one that shows only one of them is evidence for one thing, each that shows both is evidence for two (much more so
 * when they lie beside each other than when one lies within the other). The older ref survives, the younger becomes
 * its alias.
 */

const BESIDE = 5;
const WITHIN = 1;
/** Evidence for two is not piled up beyond this, so that a mistake can be mended. */
const MOST_FOR_TWO = -50;

export function mergeDoubles(
  state: GraphState,
  seen: ReadonlySet<string>,
  parameters: GraphParameters,
): GraphState {
  let next = state;
  let places = placesOfState(state);
  for (const ref of seen) {
    for (const candidate of candidatesFor(next, places, ref, seen)) {
      const entity = next.entities.get(ref);
      const other = next.entities.get(candidate);
      if (entity?.kind !== 'object' || other?.kind !== 'object' || other.ref === ref) continue;
      // A pair that was seen whole is looked at once.
      if (seen.has(other.ref) && other.ref < ref) continue;
      next = checkPair(next, entity, other, seen.has(other.ref), parameters);
      if (next.entities !== places.entities) places = updatedPlaces(places, next.entities, [ref, candidate]);
    }
  }
  return next;
}

/** What may share its place, and what was seen with it: far apart, that is evidence for two. */
function candidatesFor(
  state: GraphState,
  places: PlaceIndex,
  ref: string,
  seen: ReadonlySet<string>,
): readonly string[] {
  const entity = state.entities.get(ref);
  if (entity?.kind !== 'object') return [];
  const candidates = new Set<string>();
  addRefsNear(candidates, places, entity.box.center, halfDiagonal(entity.box));
  for (const other of seen) if (state.mergeEvidence.has(pairKey(ref, other))) candidates.add(other);
  return inMapOrder(candidates, state.entities);
}

function checkPair(
  state: GraphState,
  a: Entity,
  b: Entity,
  bothSeen: boolean,
  parameters: GraphParameters,
): GraphState {
  const shared = intersectionVolume(a.box, b.box);
  const nested = shared / Math.min(boxVolume(a.box), boxVolume(b.box)) > parameters.merge.overlap;
  const key = pairKey(a.ref, b.ref);
  const known = state.mergeEvidence.get(key);
  const isFragment = isFragmentOf(a, b) || isFragmentOf(b, a);
  if (!nested && !isFragment && (!bothSeen || known === undefined)) return state;
  if (isKnownInside(state, a, b) || areKnownApart(a, b)) return state;
  const step = isFragment ? 1 : stepFor(a, b, nested, bothSeen);
  const evidence = Math.max(MOST_FOR_TWO, (known ?? 0) + step);
  if (evidence < parameters.merge.checks || isHeld(state, a.ref) || isHeld(state, b.ref)) {
    return evidence === known ? state : { ...state, mergeEvidence: state.mergeEvidence.set(key, evidence) };
  }
  const [keep, drop] = olderFirst(a, b);
  const touching = state.mergeEvidence.keySeq().filter((pair) => pair.split(' ').includes(drop.ref));
  return mergeEntities(
    { ...state, mergeEvidence: state.mergeEvidence.deleteAll(touching) },
    keep.ref,
    drop.ref,
  );
}

/** Shown both, but one within the other and alike: the inside and the outside of one bowl, the slats of one chair. */
function stepFor(a: Entity, b: Entity, nested: boolean, bothSeen: boolean): number {
  if (!bothSeen) return 1;
  if (!nested) return -BESIDE;
  const alike = likeness(a.appearance, b.appearance);
  return alike !== undefined && alike >= ALIKE ? 1 : -WITHIN;
}

/** Whoever carries: the box around a body holds what is in its hands and on its lap. */
const BODIES: ReadonlySet<string> = new Set(['person', 'hand', 'arm', 'human', 'cat', 'dog', 'robot']);

/** Things with two names that nobody mixes up; and what a body's box holds, which is never taken for a part of it. */
function areKnownApart(a: Entity, b: Entity): boolean {
  if (areNamedApart(a, b)) return true;
  const [isBodyA, isBodyB] = [a, b].map((entity) => BODIES.has(normalizeLabel(settledLabel(entity) ?? '')));
  return isBodyA !== isBodyB;
}

/** Key of an unordered pair of refs. */
function pairKey(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

/** What a container is known to hold lies in it, but is not it. */
function isKnownInside(state: GraphState, a: Entity, b: Entity): boolean {
  return (
    a.contents.includes(b.ref) ||
    b.contents.includes(a.ref) ||
    state.relations.has(relationKey(a.ref, 'inside', b.ref)) ||
    state.relations.has(relationKey(b.ref, 'inside', a.ref))
  );
}

function isHeld(state: GraphState, ref: string): boolean {
  return state.robot.holding.some((holding) => holding.ref === ref);
}

function olderFirst(a: Entity, b: Entity): [Entity, Entity] {
  const order = compareMoments(a.firstSeen, b.firstSeen);
  return order < 0 || (order === 0 && a.ref < b.ref) ? [a, b] : [b, a];
}
