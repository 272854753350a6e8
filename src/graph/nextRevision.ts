import type { GraphState } from './types.js';

/** What a Brief, a query or the state's hash can show; the fields that make a new revision. */
const SHOWN = [
  'graphTime',
  'epoch',
  'mapFrame',
  'entities',
  'relations',
  'robot',
  'aliases',
  'tombstones',
] as const;

const REVISION_MAX = 0xffffffff;

/**
 * The revision after an event: one more when it changed anything that can be seen from outside, told by the
 * identity of the immutable parts (no hashing per frame). Tentative tracks and a ledger entry that changed
 * nothing else do not count.
 */
export function nextRevision(before: GraphState, after: GraphState): number {
  const changed = SHOWN.some((field) => before[field] !== after[field]);
  return changed ? Math.min(REVISION_MAX, before.revision + 1) : before.revision;
}
