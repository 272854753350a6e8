import { isCollection } from 'immutable';
import type { GraphState } from '../../src/graph/types.js';

/** All of a state, also what the hash leaves out, with the order of its maps. */
export function everythingOf(state: GraphState): unknown {
  const { places: _places, edges: _edges, ...rest } = state;
  return shownWhole(rest);
}

function shownWhole(value: unknown): unknown {
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (isCollection(value)) return [...(value as Iterable<unknown>)].map(shownWhole);
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value as unknown[], shownWhole);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shownWhole(item)]));
}
