import { deserialize, serialize } from 'node:v8';
import type { Map as ImmutableMap } from 'immutable';
import { edgesOfState, noEdges } from '../graph/EdgeTable.js';
import { emptyState } from '../graph/emptyState.js';
import { noPlaces, placesOfState, type PlaceIndex } from '../graph/placeIndex.js';
import type { GraphState } from '../graph/types.js';
import { isTree, mapOfShape } from './mapShape.js';
import { fromPlain, toPlain } from './plainForm.js';

/**
 * The graph's state as rows and back. Maps of many things are a row per thing; everything else is one row, the head. States
 * share structure, so what changed between two of them is what is not the same object: only that is written. The
 * indices of places and edges are made anew, but for the order of their lists. A field that was not stored yet begins
 * as in an empty graph.
 */

/** How each field is kept. A new field of the state needs a line here: without it nothing compiles. */
const KEPT = {
  revision: 'head',
  epoch: 'head',
  graphTime: 'head',
  mapFrame: 'head',
  nextTrackId: 'head',
  robot: 'head',
  refCounters: 'rows',
  entities: 'rows',
  tracks: 'rows',
  aliases: 'rows',
  tombstones: 'rows',
  relations: 'rows',
  mergeEvidence: 'rows',
  ledger: 'rows',
  places: 'derived',
  edges: 'derived',
} as const satisfies Record<keyof GraphState, 'head' | 'rows' | 'derived'>;

type KeptAs<How> = {
  [Field in keyof typeof KEPT]: (typeof KEPT)[Field] extends How ? Field : never;
}[keyof typeof KEPT];
type RowField = KeptAs<'rows'>;
type HeadField = KeptAs<'head'>;
type AnyMap = ImmutableMap<string | number, unknown>;

const ROW_FIELDS = fieldsKeptAs('rows');
const HEAD_FIELDS = fieldsKeptAs('head');
const HEAD = 'head';

export interface RowKey {
  /** The state's field, or the head. */
  readonly part: string;
  readonly key: string;
}

export interface StoredRow extends RowKey {
  readonly body: Uint8Array;
}

export interface RowChanges {
  readonly written: readonly StoredRow[];
  readonly removed: readonly RowKey[];
}

interface RowOrder {
  readonly isTree: boolean;
  readonly keys?: readonly string[];
}

interface Head {
  readonly fields: Pick<GraphState, HeadField>;
  /** Of the maps that are rows: whether they are trees; the order of those that are lists. */
  readonly orders: Readonly<Partial<Record<RowField, RowOrder>>>;
  /** Lists of the index of places, in their order. */
  readonly places: Pick<PlaceIndex, 'wide' | 'structures' | 'missing'>;
}

/** What must be written so that rows of `before` become those of `after`; undefined: there are none yet. */
export function rowChanges(before: GraphState | undefined, after: GraphState): RowChanges {
  const written: StoredRow[] = [];
  const removed: RowKey[] = [];
  if (before === after) return { written, removed };
  for (const part of ROW_FIELDS) {
    const [old, now] = [before?.[part] as AnyMap | undefined, after[part] as AnyMap];
    if (old === now) continue;
    for (const [key, value] of now) {
      if (old === undefined || old.get(key) !== value)
        written.push({ part, key: String(key), body: pack([key, value]) });
    }
    for (const key of old?.keys() ?? []) if (!now.has(key)) removed.push({ part, key: String(key) });
  }
  written.push({ part: HEAD, key: '', body: pack(headOf(after)) });
  return { written, removed };
}

/**
 * The state that the rows were made of, in the order in which they were first written.
 * @throws Error when they are not a whole state
 */
export function stateFromRows(rows: Iterable<StoredRow>): GraphState {
  const parts = new Map<string, [string | number, unknown][]>(ROW_FIELDS.map((part) => [part, []]));
  let head: Head | undefined;
  for (const { part, body } of rows) {
    if (part === HEAD) head = unpack(body) as Head;
    else partOf(parts, part).push(unpack(body) as [string | number, unknown]);
  }
  if (head === undefined) throw new Error('the stored graph has no head');
  const state: Record<string, unknown> = { ...emptyState(head.fields.mapFrame), ...head.fields };
  for (const part of ROW_FIELDS) {
    const { isTree: tree, keys } = head.orders[part] ?? { isTree: false };
    state[part] = mapOfShape(inOrder(partOf(parts, part), keys), tree);
  }
  return withIndices(state as unknown as Omit<GraphState, 'places' | 'edges'>, head.places);
}

/**
 * Any value of the state as bytes: JSON where that has a word for all of it, since it is read several times as fast; else
 * as V8 serialises it, which later versions can read, and which begins with a byte that no JSON does.
 */
export function pack(value: unknown): Uint8Array {
  return hasJson(value) ? Buffer.from(JSON.stringify(value)) : serialize(toPlain(value));
}

export function unpack(body: Uint8Array): unknown {
  return fromPlain(plainFromBytes(body));
}

/** What was packed, before it becomes a part of the state again. */
export function plainFromBytes(body: Uint8Array): unknown {
  if (body[0] === V8_BEGIN) return deserialize(body);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
  return JSON.parse(text) as unknown;
}

const V8_BEGIN = 0xff;

/** Whether JSON gives back the very same value: texts, truth values, plain numbers, and lists and records of them. */
function hasJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value === 'string') return true;
  if (typeof value !== 'object') return typeof value === 'boolean';
  if (value === null) return true;
  if (Array.isArray(value)) return value.every(hasJson);
  if (Object.getPrototypeOf(value) !== Object.prototype || '@' in value) return false;
  return Object.values(value).every(hasJson);
}

function headOf(state: GraphState): Head {
  const { wide, structures, missing } = placesOfState(state);
  return {
    fields: Object.fromEntries(HEAD_FIELDS.map((field) => [field, state[field]])) as Head['fields'],
    orders: Object.fromEntries(ROW_FIELDS.map((part) => [part, orderOf(state[part] as AnyMap)])),
    places: { wide, structures, missing },
  };
}

function orderOf(map: AnyMap): RowOrder {
  return isTree(map) ? { isTree: true } : { isTree: false, keys: [...map.keys()].map(String) };
}

function inOrder<V>(
  entries: readonly (readonly [string | number, V])[],
  keys: readonly string[] | undefined,
): readonly (readonly [string | number, V])[] {
  if (keys === undefined) return entries;
  const byKey = new Map(entries.map((entry) => [String(entry[0]), entry]));
  return keys.map((key) => byKey.get(key) ?? missingRow(key));
}

function missingRow(key: string): never {
  throw new Error(`the stored graph lacks ${key}`);
}

function partOf<V>(parts: ReadonlyMap<string, V>, part: string): V {
  const found = parts.get(part);
  if (found === undefined) throw new Error(`the stored graph has rows of the unknown part ${part}`);
  return found;
}

function withIndices(state: Omit<GraphState, 'places' | 'edges'>, lists: Head['places']): GraphState {
  const bare = { ...state, places: noPlaces(), edges: noEdges() };
  return { ...bare, places: { ...placesOfState(bare), ...lists }, edges: edgesOfState(bare) };
}

function fieldsKeptAs<How extends 'head' | 'rows'>(how: How): readonly KeptAs<How>[] {
  return Object.entries(KEPT).flatMap(([field, kept]) => (kept === how ? [field as KeptAs<How>] : []));
}
