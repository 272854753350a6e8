import { storedEdge, relationKey } from './relationKey.js';
import { momentIn } from './moments.js';
import type { GraphState, Moment, RelationEdge } from './types.js';

/** Removes an entity with its edges, from hands and containers; a tombstone is left. Unknown refs change nothing. */
export function removeEntity(
  state: GraphState,
  ref: string,
  reason: string,
  at: Moment = momentIn(state),
): GraphState {
  const entity = state.entities.get(ref);
  if (entity === undefined) {
    return state;
  }
  const detached = letGo(
    takeOutOfContainers(
      removeEdges(state, (edge) => touches(edge, ref)),
      ref,
    ),
    ref,
  );
  return {
    ...detached,
    entities: detached.entities.delete(ref),
    tombstones: detached.tombstones.set(ref, { ref, label: entity.label, reason, at }),
  };
}

/** The state without the edges that `drop` picks. */
export function removeEdges(state: GraphState, drop: (edge: RelationEdge) => boolean): GraphState {
  const relations = state.relations.filterNot(drop);
  return relations.size === state.relations.size ? state : { ...state, relations };
}

/** The state with an edge, stored under its key. */
export function addEdge(state: GraphState, edge: RelationEdge): GraphState {
  const key = relationKey(edge.ref, edge.relation, edge.otherRef);
  return { ...state, relations: state.relations.set(key, storedEdge(edge)) };
}

/** No container lists the ref any more. */
export function takeOutOfContainers(state: GraphState, ref: string): GraphState {
  const holders = state.entities.filter(({ contents }) => contents.includes(ref));
  if (holders.isEmpty()) {
    return state;
  }
  const emptied = holders.map((entity) => ({
    ...entity,
    contents: entity.contents.filter((item) => item !== ref),
  }));
  return { ...state, entities: state.entities.merge(emptied) };
}

/** The robot holds the ref no more. */
export function letGo(state: GraphState, ref: string): GraphState {
  const holding = state.robot.holding.filterNot((held) => held.ref === ref);
  return holding.size === state.robot.holding.size ? state : { ...state, robot: { ...state.robot, holding } };
}

export function touches(edge: RelationEdge, ref: string): boolean {
  return edge.ref === ref || edge.otherRef === ref;
}
