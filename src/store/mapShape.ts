import { hash, Map as ImmutableMap } from 'immutable';

/**
 * The order of an immutable map decides where several things fit equally well, so a restored map must go on exactly as
 * the stored one would have. Such a map is a list, in order of arrival, until it holds more than eight entries; then it
 * is a tree, in the order of its keys' hashes, and stays one when it shrinks. That is all there is to remember of it:
 * which of both it is, and its entries in order. What is a tree is told by what it does, not by looking inside.
 */

type Key = string | number;

/** Entries beyond which a list becomes a tree. */
const LIST_MAX = 8;

/** Whether new keys find their places by their hashes and not by their arrival. */
export function isTree<V>(map: ImmutableMap<Key, V>): boolean {
  if (map.size > LIST_MAX) return true;
  const [first] = map.keys();
  if (first === undefined) return false;
  const value = map.get(first) as V;
  const [late, early] = probesBeside(first);
  const one = map.deleteAll([...map.keys()].filter((key) => key !== first));
  const keys = [...one.set(late, value).set(early, value).keys()];
  return keys.indexOf(early) < keys.indexOf(late);
}

/** The map with these entries in this order that behaves as a list or a tree from here on. */
export function mapOfShape<V>(entries: readonly (readonly [Key, V])[], tree: boolean): ImmutableMap<Key, V> {
  const filled = ImmutableMap<Key, V>(entries);
  if (!tree || entries.length === 0 || entries.length > LIST_MAX) return filled;
  // It becomes a tree by growing beyond a list, and shrinks back.
  const strangers = Array.from({ length: LIST_MAX + 1 }, (_, k) => `\u0000${k}`);
  const value = entries[0][1];
  return ImmutableMap<Key, V>(strangers.map((key) => [key, value] as const))
    .withMutations((map) => entries.forEach(([key, each]) => map.set(key, each)))
    .deleteAll(strangers);
}

/** Two keys that are not `key`; a tree has the second one before the first. */
function probesBeside(key: Key): readonly [string, string] {
  const probes = ['\u0000a', '\u0000b', '\u0000c'].filter((probe) => probe !== key);
  const [a, b] = probes;
  return orderOf(a) > orderOf(b) ? [a, b] : [b, a];
}

/** Trees branch over five bits of the hash at a time, the lowest first. */
function orderOf(key: Key): number {
  const bits = hash(key);
  let order = 0;
  for (let shift = 0; shift < 35; shift += 5) order = order * 32 + ((shift < 32 ? bits >>> shift : 0) & 31);
  return order;
}
