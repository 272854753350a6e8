/**
 * A thing is in one place: in a hand, else in a container, else on a support. Two refs that turn out to be
 * one thing may have had two places; this leaves the merged thing with one of them.
 */
import type { RelationKind } from '../protocol/index.js';
import { takeOutOfContainers, touches } from './removeEntity.js';
import type { GraphState, RelationEdge } from './types.js';

/** Where a thing is said to be, the likelier places first. */
export interface Places {
  readonly containers: readonly string[];
  readonly supports: readonly string[];
}

interface Place {
  readonly relation: 'inside' | 'on';
  readonly ref: string;
}

/** Its containers, by their contents or by an edge, and what it stands on. */
export function placesOf(state: GraphState, ref: string): Places {
  const edges = state.relations.valueSeq().filter((edge) => edge.ref === ref);
  const holders = state.entities.filter(({ contents }) => contents.includes(ref)).keySeq();
  const targets = (relation: RelationKind): string[] =>
    edges
      .filter((edge) => edge.relation === relation)
      .map(({ otherRef }) => otherRef)
      .toArray();
  return { containers: [...new Set([...holders, ...targets('inside')])], supports: targets('on') };
}

/** Whether `ref` lies in `container` at any depth, by contents or by edges. */
export function liesIn(state: GraphState, ref: string, container: string): boolean {
  return reaches(ref, container, (at) => placesOf(state, at).containers);
}

/** The state with `ref` held, or in the first of the containers, or on the first of the supports, and nowhere else. */
export function settleIn(state: GraphState, ref: string, places: Places): GraphState {
  const isHeld = state.robot.holding.some((held) => held.ref === ref);
  const place = isHeld ? undefined : choose(state, ref, places);
  const containers = state.entities.filter(({ contents }) => contents.includes(ref));
  const stays = place?.relation === 'inside' && containers.has(place.ref);
  const out = containers.size > (stays ? 1 : 0) ? takeOutOfContainers(state, ref) : state;
  const container = stays ? state.entities.get(place.ref) : undefined;
  const entities = container === undefined ? out.entities : out.entities.set(container.ref, container);
  const relations = state.relations.filterNot((edge) => contradicts(state, edge, ref, isHeld, place));
  return { ...state, entities, relations };
}

function contradicts(
  state: GraphState,
  edge: RelationEdge,
  ref: string,
  isHeld: boolean,
  place: Place | undefined,
): boolean {
  if (!touches(edge, ref) || (edge.otherRef === ref && edge.relation === 'inside')) {
    return false;
  }
  // As when it is picked up: what it contains stays in it, all else stays behind.
  if (isHeld) {
    return true;
  }
  if (edge.relation !== 'on' && edge.relation !== 'inside') {
    return false;
  }
  return edge.ref === ref
    ? edge.relation !== place?.relation || edge.otherRef !== place.ref
    : placesOf(state, edge.ref).containers.includes(ref);
}

/** The first place that is not itself in or on the thing. */
function choose(state: GraphState, ref: string, { containers, supports }: Places): Place | undefined {
  const isFree = (target: string): boolean =>
    state.entities.has(target) &&
    target !== ref &&
    !reaches(target, ref, (at) => {
      const next = placesOf(state, at);
      return [...next.containers, ...next.supports];
    });
  const container = containers.find(isFree);
  if (container !== undefined) {
    return { relation: 'inside', ref: container };
  }
  const support = supports.find(isFree);
  return support === undefined ? undefined : { relation: 'on', ref: support };
}

function reaches(from: string, goal: string, next: (ref: string) => readonly string[]): boolean {
  const seen = new Set([from]);
  for (const ref of seen) {
    for (const target of next(ref)) {
      if (target === goal) {
        return true;
      }
      seen.add(target);
    }
  }
  return false;
}
