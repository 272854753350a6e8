import { hash, Map as ImmutableMap } from 'immutable';
import type { Vec3 } from '../math/types.js';
import type { Entity, GraphState } from './types.js';

/**
 * Which entities lie near a place, so that the cost of a frame follows what is in view and not what is known: the
 * ground in squares, each with the refs that reach into it. Part of the state and, like it, never changed: a step
 * takes over the index before it and puts right what the step changed. It knows the entities it was made of; where
 * something else changed those, they are compared one by one.
 */
export interface PlaceIndex {
  /** What it was made of. */
  readonly entities: GraphState['entities'];
  /** Refs by the squares they reach into. */
  readonly squares: ImmutableMap<number, readonly string[]>;
  /** What reaches into too many squares, such as floors: near everything. */
  readonly wide: readonly string[];
  /** All floors, supports and walls. */
  readonly structures: readonly string[];
  /** Entities whose places were seen empty. */
  readonly missing: readonly string[];
}

const SQUARE_M = 1;
const MOST_SQUARES = 64;
/** One number per square; good to ±32 km. */
const OFFSET = 0x8000;
const SPAN = 0x10000;

export function noPlaces(): PlaceIndex {
  return { entities: ImmutableMap(), squares: ImmutableMap(), wide: [], structures: [], missing: [] };
}

/** The index of a state's entities, made up to date if need be. */
export function placesOfState({ places, entities }: Pick<GraphState, 'places' | 'entities'>): PlaceIndex {
  if (places.entities === entities) return places;
  const changed: string[] = [];
  for (const [ref, entity] of entities) if (places.entities.get(ref) !== entity) changed.push(ref);
  for (const ref of places.entities.keys()) if (!entities.has(ref)) changed.push(ref);
  return updatedPlaces(places, entities, changed);
}

/** The index after the entities named changed, came or went; all others must be as they were. */
export function updatedPlaces(
  places: PlaceIndex,
  entities: GraphState['entities'],
  changed: Iterable<string>,
): PlaceIndex {
  if (places.entities === entities) return places;
  const squares = places.squares.asMutable();
  let { wide, structures, missing } = places;
  for (const ref of changed) {
    const before = places.entities.get(ref);
    const after = entities.get(ref);
    if (before === after) continue;
    if (before?.missing !== after?.missing) missing = withOrWithout(missing, ref, after?.missing === true);
    if (isStructure(before) !== isStructure(after))
      structures = withOrWithout(structures, ref, isStructure(after));
    const from = before && reachOf(before);
    const to = after && reachOf(after);
    if (sameReach(from, to)) continue;
    if (from !== undefined) forEachSquare(from, (square) => leave(squares, square, ref));
    if (to !== undefined) forEachSquare(to, (square) => enter(squares, square, ref));
    const isWide = to !== undefined && to.isWide;
    if (isWide !== (from !== undefined && from.isWide)) wide = withOrWithout(wide, ref, isWide);
  }
  return { entities, squares: squares.asImmutable(), wide, structures, missing };
}

/**
 * Adds the refs of all that may come within `reach` metres of a point on the ground: everything whose footprint (or
 * what was sampled of its surface) does, and some more, in no order that means anything.
 */
export function addRefsNear(
  near: Set<string>,
  places: PlaceIndex,
  [x, y]: Vec3,
  reach: number,
): ReadonlySet<string> {
  for (const ref of places.wide) near.add(ref);
  const area = squaresWithin(x, y, reach);
  if ((area.x1 - area.x0 + 1) * (area.y1 - area.y0 + 1) > places.entities.size) {
    for (const ref of places.entities.keys()) near.add(ref);
  } else {
    forEachSquare(area, (square) => {
      for (const ref of places.squares.get(square) ?? []) near.add(ref);
    });
  }
  return near;
}

/** Refs in the order in which the map of entities has them: where several fit equally well, the first one is taken. */
export function inMapOrder(refs: ReadonlySet<string>, entities: GraphState['entities']): string[] {
  // A small map is a list in order of arrival; a larger one is a tree over five bits of the hash at a time.
  if (entities.size <= refs.size || entities.size <= SMALL_MAP)
    return [...entities.keys()].filter((ref) => refs.has(ref));
  const order = new Map<string, number>();
  for (const ref of refs) order.set(ref, lowBitsFirst(hash(ref)));
  return [...refs].sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0) || (a < b ? -1 : 1));
}

const SMALL_MAP = 64;

function lowBitsFirst(bits: number): number {
  let order = 0;
  for (let shift = 0; shift < 35; shift += 5) order = order * 32 + ((shift < 32 ? bits >>> shift : 0) & 31);
  return order;
}

function isStructure(entity: Entity | undefined): boolean {
  return entity !== undefined && entity.kind !== 'object';
}

interface Area {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
  /** Not entered into squares. */
  readonly isWide: boolean;
}

/** The squares an entity reaches into: those of the circle around its footprint and of its samples. */
function reachOf({ box, samples }: Entity): Area {
  const [x, y] = box.center;
  const radius = Math.sqrt(box.size[0] * box.size[0] + box.size[1] * box.size[1]) / 2;
  let x0 = x - radius;
  let x1 = x + radius;
  let y0 = y - radius;
  let y1 = y + radius;
  for (let k = 0; k < samples.length; k += 3) {
    x0 = Math.min(x0, samples[k]);
    x1 = Math.max(x1, samples[k]);
    y0 = Math.min(y0, samples[k + 1]);
    y1 = Math.max(y1, samples[k + 1]);
  }
  const area = { x0: squareOf(x0), x1: squareOf(x1), y0: squareOf(y0), y1: squareOf(y1) };
  const count = (area.x1 - area.x0 + 1) * (area.y1 - area.y0 + 1);
  return { ...area, isWide: !(count <= MOST_SQUARES) };
}

function squaresWithin(x: number, y: number, reach: number): Area {
  return {
    x0: squareOf(x - reach),
    x1: squareOf(x + reach),
    y0: squareOf(y - reach),
    y1: squareOf(y + reach),
    isWide: false,
  };
}

function squareOf(metres: number): number {
  return Math.floor(metres / SQUARE_M);
}

function sameReach(a: Area | undefined, b: Area | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.isWide || b.isWide) return a.isWide === b.isWide;
  return a.x0 === b.x0 && a.x1 === b.x1 && a.y0 === b.y0 && a.y1 === b.y1;
}

function forEachSquare({ x0, x1, y0, y1, isWide }: Area, visit: (square: number) => void): void {
  if (isWide) return;
  for (let x = x0; x <= x1; x++) for (let y = y0; y <= y1; y++) visit((x + OFFSET) * SPAN + y + OFFSET);
}

function enter(squares: PlaceIndex['squares'], square: number, ref: string): void {
  squares.set(square, [...(squares.get(square) ?? []), ref]);
}

function leave(squares: PlaceIndex['squares'], square: number, ref: string): void {
  const rest = (squares.get(square) ?? []).filter((other) => other !== ref);
  if (rest.length === 0) squares.delete(square);
  else squares.set(square, rest);
}

function withOrWithout(refs: readonly string[], ref: string, isIn: boolean): readonly string[] {
  const rest = refs.filter((other) => other !== ref);
  return isIn ? [...rest, ref] : rest;
}
