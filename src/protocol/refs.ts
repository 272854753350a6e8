/** Refs: `<stem>_<n>`, the names of entities for ever. */
import { HYPOTHESIS_PREFIX, ROBOT_REF } from './words.js';

export const REF_PATTERN = /^[a-z][a-z0-9_]*_[0-9]+$/;
const MAX_STEM = 32;

export interface RefParts {
  readonly stem: string;
  readonly n: number;
}

/**
 * The stem of a label: lower-cased, runs of other characters than a–z and 0–9 made `_`, at most 32
 * characters; what leaves no letter at the front falls back to `object`.
 */
export function stemOf(label: string): string {
  const stem = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+/, '')
    .slice(0, MAX_STEM)
    .replace(/_+$/, '');
  if (stem === '') {
    return 'object';
  }
  return /^[a-z]/.test(stem) ? stem : `object_${stem}`.slice(0, MAX_STEM).replace(/_+$/, '');
}

/** `cup_2` from `cup` and 2. */
export function makeRef(stem: string, n: number): string {
  return `${stem}_${n}`;
}

/** Stem and number of a ref, or undefined when it is none (`robot` and hypotheses are none). */
export function parseRef(ref: string): RefParts | undefined {
  if (!REF_PATTERN.test(ref) || ref === ROBOT_REF || ref.startsWith(HYPOTHESIS_PREFIX)) {
    return undefined;
  }
  const cut = ref.lastIndexOf('_');
  return { stem: ref.slice(0, cut), n: Number(ref.slice(cut + 1)) };
}

/** The contract's order: by stem, then by number; texts that are no refs come after, by code unit. */
export function compareRefs(a: string, b: string): number {
  const left = parseRef(a);
  const right = parseRef(b);
  if (left === undefined || right === undefined) {
    return left === right ? compareText(a, b) : left === undefined ? 1 : -1;
  }
  return compareText(left.stem, right.stem) || left.n - right.n || compareText(a, b);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
