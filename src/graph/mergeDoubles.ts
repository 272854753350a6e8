import { coveredShare } from './cells.js';
import { mergeEntities } from './mergeEntities.js';
import { pairKey } from './observeFrame.js';
import type { GraphParameters } from './parameters.js';
import type { Entity, GraphState } from './types.js';

/**
 * Two entities that keep overlapping and were never seen as two in one frame are one: the older ref survives, the
 * younger becomes its alias. Checked only for what this frame showed.
 */
export function mergeDoubles(
  state: GraphState,
  seen: ReadonlySet<string>,
  parameters: GraphParameters,
): GraphState {
  let next = state;
  for (const ref of seen) {
    const entity = next.entities.get(ref);
    if (entity === undefined || entity.kind !== 'object') continue;
    for (const other of [...next.entities.values()]) {
      if (other.ref === ref || other.kind !== 'object' || !boxesTouch(entity, other)) continue;
      next = checkPair(next, entity, other, parameters);
      if (!next.entities.has(ref)) break;
    }
  }
  return next;
}

function checkPair(state: GraphState, a: Entity, b: Entity, parameters: GraphParameters): GraphState {
  const key = pairKey(a.ref, b.ref);
  if (state.distinctPairs.has(key) || isHeld(state, a.ref) || isHeld(state, b.ref)) return state;
  const overlap = Math.max(coveredShare(a.cells, b.cells), coveredShare(b.cells, a.cells));
  const evidence = state.mergeEvidence.get(key) ?? 0;
  if (overlap <= parameters.merge.overlap) {
    return evidence === 0 ? state : { ...state, mergeEvidence: state.mergeEvidence.delete(key) };
  }
  if (evidence + 1 < parameters.merge.checks) {
    return { ...state, mergeEvidence: state.mergeEvidence.set(key, evidence + 1) };
  }
  const [keep, drop] = olderFirst(a, b);
  return mergeEntities({ ...state, mergeEvidence: state.mergeEvidence.delete(key) }, keep.ref, drop.ref);
}

function isHeld(state: GraphState, ref: string): boolean {
  return state.robot.holding.some((holding) => holding.ref === ref);
}

function olderFirst(a: Entity, b: Entity): [Entity, Entity] {
  const earlier =
    a.firstSeen.epoch - b.firstSeen.epoch ||
    (a.firstSeen.stamp < b.firstSeen.stamp ? -1 : a.firstSeen.stamp > b.firstSeen.stamp ? 1 : 0);
  return earlier < 0 || (earlier === 0 && a.ref < b.ref) ? [a, b] : [b, a];
}

function boxesTouch(a: Entity, b: Entity): boolean {
  const reach =
    (Math.hypot(a.box.size[0], a.box.size[1]) + Math.hypot(b.box.size[0], b.box.size[1])) / 2 + 0.04;
  return (
    Math.hypot(a.box.center[0] - b.box.center[0], a.box.center[1] - b.box.center[1]) < reach &&
    Math.abs(a.box.center[2] - b.box.center[2]) < (a.box.size[2] + b.box.size[2]) / 2 + 0.04
  );
}
