import {
  boxBottom,
  boxGap,
  boxTop,
  footprint,
  footprintArea,
  halfDiagonal,
  verticalGap,
} from '../math/box.js';
import { intersectConvex, polygonArea, type Point2 } from '../math/polygon.js';
import { isUnseenSinceExecution } from './moments.js';
import type { Box } from '../math/types.js';
import { EdgeTable } from './EdgeTable.js';
import { addRefsNear, placesOfState } from './placeIndex.js';
import { carriedRefs } from './holding.js';
import type { GraphParameters } from './parameters.js';
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
): Pick<GraphState, 'relations' | 'edges'> {
  const edges = new EdgeTable(state);
  const held = carriedRefs(state);
  const surroundings: Surroundings[] = [];
  for (const ref of touchedRefs) {
    const entity = state.entities.get(ref);
    if (entity === undefined || held.has(ref)) continue;
    surroundings.push({ entity, others: othersNear(state, entity, held, parameters) });
  }
  for (const { entity, others } of surroundings) updateOn(edges, entity, others, parameters);
  const done = new Set<string>();
  for (const { entity, others } of surroundings) {
    if (entity.kind !== 'object') continue;
    updateNear(state, edges, entity, others, held, done, parameters);
    done.add(entity.ref);
  }
  return edges.done();
}

/** A touched thing and what is not held around it. */
interface Surroundings {
  readonly entity: Entity;
  readonly others: readonly Entity[];
}

function othersNear(
  state: GraphState,
  { ref, box }: Entity,
  held: ReadonlySet<string>,
  parameters: GraphParameters,
): Entity[] {
  const others: Entity[] = [];
  const reach = halfDiagonal(box) + parameters.relations.nearLeaveM;
  for (const other of addRefsNear(new Set(), placesOfState(state), box.center, reach)) {
    const entity = other === ref || held.has(other) ? undefined : state.entities.get(other);
    if (entity !== undefined) others.push(entity);
  }
  return others;
}

function updateOn(
  edges: EdgeTable,
  entity: Entity,
  others: readonly Entity[],
  parameters: GraphParameters,
): void {
  if (entity.kind === 'wall' || entity.kind === 'floor') return;
  const previous = edges.of(entity.ref).findLast((edge) => edge.relation === 'on' && edge.ref === entity.ref);
  const support = supportOf(entity, previous, others, parameters);
  if (isSetAndUnseen(entity, previous)) return;
  if (previous !== undefined && previous.otherRef !== support?.ref) {
    edges.delete(previous);
  }
  if (support === undefined || previous?.otherRef === support.ref || previous?.setByExecution === true)
    return;
  edges.set({ ref: entity.ref, relation: 'on', otherRef: support.ref, setByExecution: false });
}

/** What an execution set holds until the thing has been looked at since. */
function isSetAndUnseen(entity: Entity, edge: RelationEdge | undefined): boolean {
  return edge?.setByExecution === true && isUnseenSinceExecution(entity);
}

/** The highest surface right under a thing: direct support only. */
function supportOf(
  entity: Entity,
  previous: RelationEdge | undefined,
  others: readonly Entity[],
  parameters: GraphParameters,
): Entity | undefined {
  const bottom = boxBottom(entity.box);
  let best: Entity | undefined;
  let bestHeight = -Infinity;
  for (const candidate of others) {
    if (candidate.kind === 'wall') continue;
    const height = boxTop(candidate.box);
    const stays = previous?.otherRef === candidate.ref;
    const gap = bottom - height;
    const { onGapMinM, onGapMaxM, onLeaveM, onOverlap, onLeaveOverlap } = parameters.relations;
    if (gap < (stays ? onGapMinM - 0.02 : onGapMinM) || gap > (stays ? onLeaveM : onGapMaxM)) continue;
    if (height < bestHeight || (height === bestHeight && best !== undefined && best.ref < candidate.ref))
      continue;
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

function updateNear(
  state: GraphState,
  edges: EdgeTable,
  entity: Entity,
  others: readonly Entity[],
  held: ReadonlySet<string>,
  done: ReadonlySet<string>,
  parameters: GraphParameters,
): void {
  const { nearM, nearLeaveM } = parameters.relations;
  const supported = new Set<string>();
  const wasNear = new Map<string, RelationEdge>();
  for (const edge of edges.of(entity.ref)) {
    const otherRef = edge.ref === entity.ref ? edge.otherRef : edge.ref;
    if (edge.relation === 'on') supported.add(otherRef);
    if (edge.relation === 'near') wasNear.set(otherRef, edge);
  }
  for (const other of others) {
    const existing = wasNear.get(other.ref);
    wasNear.delete(other.ref);
    // A pair of touched things is looked at once.
    if (other.kind !== 'object' || done.has(other.ref)) continue;
    const gap = quickGap(entity.box, other.box, nearLeaveM);
    if (gap <= (existing === undefined ? nearM : nearLeaveM) && !supported.has(other.ref)) {
      setNear(edges, existing, entity.ref, other.ref, gap);
    } else if (existing !== undefined && !existing.setByExecution) {
      edges.delete(existing);
    }
  }
  // What is left was near and is no longer around.
  for (const [otherRef, edge] of wasNear) {
    const isObject = state.entities.get(otherRef)?.kind === 'object';
    if (isObject && !held.has(otherRef) && !edge.setByExecution) edges.delete(edge);
  }
}

/** Millimetres are finer than any camera; rounding keeps an edge the same object while nothing moves. */
function setNear(
  edges: EdgeTable,
  existing: RelationEdge | undefined,
  ref: string,
  otherRef: string,
  gap: number,
): void {
  const distanceM = Math.round(gap * 1000) / 1000;
  if (existing?.distanceM === distanceM) return;
  edges.set({
    ref,
    relation: 'near',
    otherRef,
    distanceM,
    setByExecution: existing?.setByExecution ?? false,
  });
}

/** Gap of two boxes; Infinity without computing it when they are plainly farther apart than `limit`. */
function quickGap(a: Box, b: Box, limit: number): number {
  const dx = a.center[0] - b.center[0];
  const dy = a.center[1] - b.center[1];
  const reach = halfDiagonal(a) + halfDiagonal(b) + limit;
  return dx * dx + dy * dy > reach * reach || verticalGap(a, b) > limit ? Infinity : boxGap(a, b);
}
