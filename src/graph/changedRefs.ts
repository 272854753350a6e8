import { compareRefs } from '../protocol/index.js';
import type { GraphState } from './types.js';

/**
 * Refs whose record, holding or own edges differ between two states, removed ones included, in ref order.
 * `near` does not count: losing a neighbour is no change of the neighbour.
 */
export function changedRefs(before: GraphState, after: GraphState): string[] {
  const changed = new Set<string>();
  addDifferent(before.entities, after.entities, (ref) => changed.add(ref));
  addDifferent(before.relations, after.relations, (key) => {
    const edge = after.relations.get(key) ?? before.relations.get(key);
    if (edge !== undefined && edge.relation !== 'near') {
      changed.add(edge.ref);
    }
  });
  if (before.robot.holding !== after.robot.holding) {
    const held = (state: GraphState): Map<string, unknown> =>
      new Map(state.robot.holding.map((item) => [item.ref, item]));
    addDifferent(held(before), held(after), (ref) => changed.add(ref));
  }
  return [...changed].sort(compareRefs);
}

interface Table {
  keys(): Iterable<string>;
  get(key: string): unknown;
}

function addDifferent(before: Table, after: Table, add: (key: string) => void): void {
  if (before === after) {
    return;
  }
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    if (before.get(key) !== after.get(key)) {
      add(key);
    }
  }
}
