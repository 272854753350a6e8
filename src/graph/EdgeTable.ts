import { Map as ImmutableMap } from 'immutable';
import { relationKey, storedEdge } from './relationKey.js';
import type { GraphState, RelationEdge } from './types.js';

/** Keys of the edges that touch a ref, by ref, and the edges it was made of. */
export interface EdgeIndex {
  readonly relations: GraphState['relations'];
  readonly keys: ImmutableMap<string, readonly string[]>;
}

export function noEdges(): EdgeIndex {
  return { relations: ImmutableMap(), keys: ImmutableMap() };
}

/** The index of a state's edges, made anew where something changed them without it. */
export function edgesOfState({ edges, relations }: Pick<GraphState, 'edges' | 'relations'>): EdgeIndex {
  if (edges.relations === relations) return edges;
  const keys = new Map<string, string[]>();
  for (const [key, { ref, otherRef }] of relations) {
    for (const end of [ref, otherRef]) {
      const known = keys.get(end);
      if (known === undefined) keys.set(end, [key]);
      else known.push(key);
    }
  }
  return { relations, keys: ImmutableMap(keys) };
}

/** Edges of a state that begin or end at a ref, without looking at all of them where its index is up to date. */
export function edgesOf(state: Pick<GraphState, 'edges' | 'relations'>, ref: string): RelationEdge[] {
  const { edges, relations } = state;
  if (edges.relations !== relations)
    return [...relations.values()].filter((edge) => edge.ref === ref || edge.otherRef === ref);
  return (edges.keys.get(ref) ?? []).flatMap((key) => relations.get(key) ?? []);
}

/** Edges while they are being changed: by their ends, without looking at all of them. */
export class EdgeTable {
  readonly #before: EdgeIndex;
  readonly #relations: GraphState['relations'];
  readonly #keys: EdgeIndex['keys'];

  constructor(state: Pick<GraphState, 'edges' | 'relations'>) {
    this.#before = edgesOfState(state);
    this.#relations = this.#before.relations.asMutable();
    this.#keys = this.#before.keys.asMutable();
  }

  /** Edges that begin or end at a ref. */
  of(ref: string): RelationEdge[] {
    const found: RelationEdge[] = [];
    for (const key of this.#keys.get(ref) ?? []) {
      const edge = this.#relations.get(key);
      if (edge !== undefined) found.push(edge);
    }
    return found;
  }

  set(edge: RelationEdge): void {
    const key = relationKey(edge.ref, edge.relation, edge.otherRef);
    if (!this.#relations.has(key)) {
      for (const end of [edge.ref, edge.otherRef]) this.#keys.set(end, [...(this.#keys.get(end) ?? []), key]);
    }
    this.#relations.set(key, storedEdge(edge));
  }

  delete(edge: RelationEdge): void {
    const key = relationKey(edge.ref, edge.relation, edge.otherRef);
    this.#relations.delete(key);
    for (const end of [edge.ref, edge.otherRef]) {
      const rest = (this.#keys.get(end) ?? []).filter((other) => other !== key);
      if (rest.length === 0) this.#keys.delete(end);
      else this.#keys.set(end, rest);
    }
  }

  /** The part of a state that changes with its edges; the table must not be used after. */
  done(): Pick<GraphState, 'edges' | 'relations'> {
    if (!this.#relations.wasAltered()) return { relations: this.#before.relations, edges: this.#before };
    const relations = this.#relations.asImmutable();
    return { relations, edges: { relations, keys: this.#keys.asImmutable() } };
  }
}
