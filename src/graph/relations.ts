import { boxBottom, boxGap, boxTop, footprint, footprintArea } from '../math/box.js';
import { intersectConvex, polygonArea, type Point2 } from '../math/polygon.js';
import { isUnseenSinceExecution } from './moments.js';
import type { Vec3 } from '../math/types.js';
import type { GraphParameters } from './parameters.js';
import { relationKey, storedEdge } from './relationKey.js';
import type { Entity, GraphState, RelationEdge } from './types.js';

/**
 * Relations by geometry, with hysteresis that is part of the state: an edge is entered on clear evidence and left on
 * clear evidence, so that noise at a limit does not make it flicker. Only the things an observation touched are
 * looked at again. What an execution set stays until a clear look contradicts it.
 */

export function updateRelations(
  state: GraphState,
  touchedRefs: Iterable<string>,
  parameters: GraphParameters,
): GraphState['relations'] {
  const edges = state.relations.asMutable();
  const entities = [...state.entities.values()];
  const held = new Set(state.robot.holding.map((holding) => holding.ref));
  const onEdges = new Map<string, RelationEdge>();
  const nearOf = new Map<string, Set<string>>();
  for (const edge of state.relations.values()) {
    if (edge.relation === 'on') onEdges.set(edge.ref, edge);
    if (edge.relation === 'near') notePair(nearOf, edge.ref, edge.otherRef);
  }
  for (const ref of touchedRefs) {
    const entity = state.entities.get(ref);
    if (entity === undefined || held.has(ref)) continue;
    updateOn(edges, entity, onEdges.get(ref), entities, held, parameters);
  }
  for (const ref of touchedRefs) {
    const entity = state.entities.get(ref);
    if (entity === undefined || entity.kind !== 'object' || held.has(ref)) continue;
    updateNear(edges, entity, nearOf.get(ref), entities, held, parameters);
  }
  return edges.wasAltered() ? edges.asImmutable() : state.relations;
}

function updateOn(
  edges: GraphState['relations'],
  entity: Entity,
  previous: RelationEdge | undefined,
  entities: readonly Entity[],
  held: ReadonlySet<string>,
  parameters: GraphParameters,
): void {
  if (entity.kind === 'wall' || entity.kind === 'floor') return;
  const support = supportOf(entity, previous, entities, held, parameters);
  if (isSetAndUnseen(entity, previous)) return;
  if (previous !== undefined && previous.otherRef !== support?.ref) {
    edges.delete(relationKey(previous.ref, 'on', previous.otherRef));
  }
  if (support === undefined || previous?.otherRef === support.ref || previous?.setByExecution === true)
    return;
  setEdge(edges, { ref: entity.ref, relation: 'on', otherRef: support.ref, setByExecution: false });
}

/** What an execution set holds until the thing has been looked at since. */
function isSetAndUnseen(entity: Entity, edge: RelationEdge | undefined): boolean {
  return edge?.setByExecution === true && isUnseenSinceExecution(entity);
}

/** The highest surface right under a thing: direct support only. */
function supportOf(
  entity: Entity,
  previous: RelationEdge | undefined,
  entities: readonly Entity[],
  held: ReadonlySet<string>,
  parameters: GraphParameters,
): Entity | undefined {
  const bottom = boxBottom(entity.box);
  let best: Entity | undefined;
  let bestHeight = -Infinity;
  for (const candidate of entities) {
    if (candidate.ref === entity.ref || candidate.kind === 'wall' || held.has(candidate.ref)) continue;
    const height = boxTop(candidate.box);
    const stays = previous?.otherRef === candidate.ref;
    const gap = bottom - height;
    const { onGapMinM, onGapMaxM, onLeaveM, onOverlap, onLeaveOverlap } = parameters.relations;
    if (gap < (stays ? onGapMinM - 0.02 : onGapMinM) || gap > (stays ? onLeaveM : onGapMaxM)) continue;
    if (height <= bestHeight) continue;
    if (overlapShare(entity, candidate) < (stays ? onLeaveOverlap : onOverlap)) continue;
    best = candidate;
    bestHeight = height;
  }
  return best;
}

/** Share of the upper thing's footprint over the lower one. */
function overlapShare(upper: Entity, lower: Entity): number {
  const reach =
    Math.hypot(upper.box.size[0], upper.box.size[1]) + Math.hypot(lower.box.size[0], lower.box.size[1]);
  const apart = Math.hypot(
    upper.box.center[0] - lower.box.center[0],
    upper.box.center[1] - lower.box.center[1],
  );
  if (apart > reach / 2) return 0;
  const shared = polygonArea(intersectConvex(footprint(upper.box), outlineOf(lower)));
  return shared / Math.max(footprintArea(upper.box), 1e-6);
}

function outlineOf(entity: Entity): readonly Point2[] {
  const hull = entity.plane?.hull;
  if (hull === undefined || hull.length < 6) return footprint(entity.box);
  const corners: Point2[] = [];
  for (let k = 0; k < hull.length; k += 2) corners.push([hull[k], hull[k + 1]]);
  return corners;
}

function notePair(pairs: Map<string, Set<string>>, a: string, b: string): void {
  for (const [one, other] of [
    [a, b],
    [b, a],
  ]) {
    const known = pairs.get(one);
    if (known === undefined) pairs.set(one, new Set([other]));
    else known.add(other);
  }
}

function updateNear(
  edges: GraphState['relations'],
  entity: Entity,
  neighbours: ReadonlySet<string> | undefined,
  entities: readonly Entity[],
  held: ReadonlySet<string>,
  parameters: GraphParameters,
): void {
  const { nearM, nearLeaveM } = parameters.relations;
  for (const other of entities) {
    if (other.ref === entity.ref || other.kind !== 'object' || held.has(other.ref)) continue;
    const wasNear = neighbours?.has(other.ref) === true;
    const gap = quickGap(entity, other, nearLeaveM);
    if (gap === Infinity && !wasNear) continue;
    const supported =
      edges.has(relationKey(entity.ref, 'on', other.ref)) ||
      edges.has(relationKey(other.ref, 'on', entity.ref));
    const key = relationKey(entity.ref, 'near', other.ref);
    const existing = edges.get(key);
    if (!supported && gap <= (existing === undefined ? nearM : nearLeaveM)) {
      setNear(edges, existing, entity.ref, other.ref, gap);
    } else if (existing !== undefined && !existing.setByExecution) {
      edges.delete(key);
    }
  }
}

/** Millimetres are finer than any camera; rounding keeps an edge the same object while nothing moves. */
function setNear(
  edges: GraphState['relations'],
  existing: RelationEdge | undefined,
  ref: string,
  otherRef: string,
  gap: number,
): void {
  const distanceM = Math.round(gap * 1000) / 1000;
  if (existing?.distanceM !== distanceM) {
    setEdge(edges, {
      ref,
      relation: 'near',
      otherRef,
      distanceM,
      setByExecution: existing?.setByExecution ?? false,
    });
  }
}

/** Gap of two boxes; Infinity without computing it when they are plainly farther apart than `limit`. */
function quickGap(a: Entity, b: Entity, limit: number): number {
  const dx = a.box.center[0] - b.box.center[0];
  const dy = a.box.center[1] - b.box.center[1];
  const dz = a.box.center[2] - b.box.center[2];
  const reach = halfDiagonal(a.box.size) + halfDiagonal(b.box.size) + limit;
  return dx * dx + dy * dy + dz * dz > reach * reach ? Infinity : boxGap(a.box, b.box);
}

function halfDiagonal([x, y, z]: Vec3): number {
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

function setEdge(edges: GraphState['relations'], edge: RelationEdge): void {
  edges.set(relationKey(edge.ref, edge.relation, edge.otherRef), storedEdge(edge));
}
