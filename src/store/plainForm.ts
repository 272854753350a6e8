import { isOrdered, List, Map as ImmutableMap } from 'immutable';
import { isTree, mapOfShape } from './mapShape.js';

/**
 * Any part of the graph's state as values that a file can hold, and back. It walks whatever is there, so a field that
 * is new in the state is stored without anybody's doing; a value of a kind it does not know is a fault and not left
 * out. Plain objects, lists, texts, numbers, big integers, truth values, `undefined` and typed arrays stay what they
 * are; maps, sets and immutable lists become tagged objects.
 */

const TAG = '@';

type Plain = object;
type Key = string | number;

interface TaggedMap {
  readonly [TAG]: 'map';
  readonly isTree: boolean;
  readonly entries: readonly (readonly [Key, unknown])[];
}

export function toPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return primitive(value);
  if (ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(toPlain);
  if (ImmutableMap.isMap(value) && !isOrdered(value)) {
    const map = value as ImmutableMap<Key, unknown>;
    const entries = [...map].map(([key, item]) => [key, toPlain(item)] as const);
    return { [TAG]: 'map', isTree: isTree(map), entries } satisfies TaggedMap;
  }
  if (List.isList(value)) return { [TAG]: 'list', items: value.toArray().map(toPlain) };
  if (value instanceof Map) return { [TAG]: 'native_map', items: [...value].map(toPlain) };
  if (value instanceof Set) return { [TAG]: 'native_set', items: [...value].map(toPlain) };
  return plainObject(value);
}

export function fromPlain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) return ownedCopy(value as Float64Array);
  if (Array.isArray(value)) return value.map(fromPlain);
  if (!(TAG in value)) return objectFrom(value);
  switch (value[TAG]) {
    case 'map': {
      const { entries, isTree: tree } = value as unknown as TaggedMap;
      return mapOfShape(
        entries.map(([key, item]) => [key, fromPlain(item)] as const),
        tree,
      );
    }
    case 'list':
      return List(itemsOf(value));
    case 'native_map':
      return new Map(itemsOf(value) as [unknown, unknown][]);
    case 'native_set':
      return new Set(itemsOf(value));
    default:
      throw new Error(`a stored value of the unknown kind ${JSON.stringify(value[TAG])}`);
  }
}

/** A view into a larger buffer would take all of that along wherever it is sent. */
function ownedCopy(view: Float64Array): Float64Array {
  return new (view.constructor as Float64ArrayConstructor)(view);
}

function itemsOf(tagged: object): unknown[] {
  return (tagged as { items: readonly unknown[] }).items.map(fromPlain);
}

function primitive(value: unknown): unknown {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new Error(`a ${typeof value} cannot be stored`);
  return value;
}

function plainObject(value: object): Plain {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    throw new Error(`a ${value.constructor.name} cannot be stored`);
  if (TAG in value) throw new Error(`an object with a field ${TAG} cannot be stored`);
  const plain: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) plain[key] = toPlain(item);
  return plain;
}

function objectFrom(value: object): object {
  const object: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) object[key] = fromPlain(item);
  return object;
}
