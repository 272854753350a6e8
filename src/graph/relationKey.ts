import { compareRefs, type RelationKind } from '../protocol/index.js';
import type { RelationEdge } from './types.js';

/** The key of an edge in `GraphState.relations`; `near` has one key for both directions. */
export function relationKey(ref: string, relation: RelationKind, otherRef: string): string {
  const turned = relation === 'near' && compareRefs(ref, otherRef) > 0;
  return turned ? `${otherRef} ${relation} ${ref}` : `${ref} ${relation} ${otherRef}`;
}

/** The edge as it is stored: `near` with the lesser ref first. */
export function storedEdge(edge: RelationEdge): RelationEdge {
  const turned = edge.relation === 'near' && compareRefs(edge.ref, edge.otherRef) > 0;
  return turned ? { ...edge, ref: edge.otherRef, otherRef: edge.ref } : edge;
}
