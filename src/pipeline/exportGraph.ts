import { canonicalHash } from '../graph/canonicalHash.js';
import { detailOf } from '../graph/queries.js';
import type { GraphState, RelationEdge } from '../graph/types.js';
import { boxGap } from '../math/box.js';
import { compareRefs, recordToJson } from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';

/**
 * The whole graph as plain JSON (`graph.json`): a contract that scripts rely on. Every field of an entity is
 * always there, empty ones too, and everything is in ref order, so that equal graphs give equal bytes.
 *
 * @param images ref → file names of its stored views, relative to the folder of the file.
 */
export function exportGraph(
  state: GraphState,
  images: ReadonlyMap<string, readonly string[]>,
): Record<string, unknown> {
  const entities = [...state.entities.values()].sort((a, b) => compareRefs(a.ref, b.ref));
  return {
    ...(state.graphTime === undefined ? {} : { graph_time: isoFromStamp(state.graphTime) }),
    coordinate_frame: state.mapFrame,
    revision: state.revision,
    entities: entities.map((entity) => ({
      container_state: '',
      contents: [],
      support: null,
      aliases: [],
      ...recordToJson(detailOf(entity, state)),
      kind: entity.kind,
      images: images.get(entity.ref) ?? [],
    })),
    relations: [...state.relations.values()].sort(compareEdges).map((edge) => relationJson(edge, state)),
    tombstones: [...state.tombstones.values()]
      .sort((a, b) => compareRefs(a.ref, b.ref))
      .map(({ ref, label, reason, at }) => ({ ref, label, reason, time: isoFromStamp(at.stamp) })),
    state_hash: canonicalHash(state),
  };
}

function compareEdges(a: RelationEdge, b: RelationEdge): number {
  return (
    compareRefs(a.ref, b.ref) || compareText(a.relation, b.relation) || compareRefs(a.otherRef, b.otherRef)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** `distance_m` as queries give it: for `near` the gap between the boxes, else between centres. */
function relationJson({ ref, relation, otherRef }: RelationEdge, state: GraphState): Record<string, unknown> {
  const a = state.entities.get(ref)?.box;
  const b = state.entities.get(otherRef)?.box;
  const between = ([x, y, z]: readonly number[], [u, v, w]: readonly number[]): number =>
    Math.hypot(x - u, y - v, z - w);
  const distance = a && b && (relation === 'near' ? boxGap(a, b) : between(a.center, b.center));
  return { ref, relation, other_ref: otherRef, ...(distance !== undefined && { distance_m: distance }) };
}
