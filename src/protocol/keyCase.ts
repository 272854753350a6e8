/**
 * Records are camelCase inside TypeScript and snake_case in JSON. The schemas are written once, in JSON's
 * names; the TypeScript types and both conversions follow from them by rule: `distance_m` is `distanceM`.
 */

type CamelKey<Key> = Key extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<CamelKey<Tail>>}` : Key;

/** The TypeScript side of a JSON record: camelCase, read-only all the way down. */
export type Camel<T> = T extends readonly unknown[]
  ? { readonly [Index in keyof T]: Camel<T[Index]> }
  : T extends object
    ? { readonly [Key in keyof T as CamelKey<Key & string>]: Camel<T[Key]> }
    : T;

/** `coarse_position` → `coarsePosition`. */
export function camelKey(key: string): string {
  return key.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** `coarsePosition` → `coarse_position`. */
export function snakeKey(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Renames every key of plain objects, in arrays too; leaves values and byte arrays as they are. */
export function renameKeys(value: unknown, rename: (key: string) => string): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => renameKeys(item, rename));
  }
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) {
    return value;
  }
  const renamed = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => [rename(key), renameKeys(item, rename)] as const);
  return Object.fromEntries(renamed);
}
