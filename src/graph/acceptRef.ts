/**
 * Which refs a query accepts. A consumer may ask only about what it can have read: the refs of the latest
 * Brief, and aliases whose survivor is in it.
 */
import { quoteInput, refuse, ROBOT_REF, type Refusal } from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';
import type { GraphState, Tombstone } from './types.js';

export type AcceptedRef =
  { readonly ok: true; readonly ref: string } | { readonly ok: false; readonly refusal: Refusal };

/** Follows aliases to the ref that answers; a ref that is no alias answers for itself. */
export function resolveAlias(state: Pick<GraphState, 'aliases'>, ref: string): string {
  let current = ref;
  // Merges keep chains flat; the bound only guards against a ring in a damaged store.
  for (let step = 0; step <= state.aliases.size; step += 1) {
    const survivor = state.aliases.get(current);
    if (survivor === undefined) {
      return current;
    }
    current = survivor;
  }
  return current;
}

/** The surviving ref for what a caller sent, or why it is refused. `robot` passes only where allowed. */
export function acceptRef(
  state: GraphState,
  latestRefs: ReadonlySet<string>,
  input: string,
  { allowRobot = false }: { readonly allowRobot?: boolean } = {},
): AcceptedRef {
  const asked = input.trim();
  if (asked === '') {
    return refused(refuse('invalid_tool_arguments', 'The ref is blank.'));
  }
  if (asked === ROBOT_REF && allowRobot) {
    return { ok: true, ref: ROBOT_REF };
  }
  const ref = resolveAlias(state, asked);
  if (state.entities.has(ref)) {
    return latestRefs.has(ref) ? { ok: true, ref } : refused(notFound(asked));
  }
  const tombstone = state.tombstones.get(ref);
  return refused(tombstone === undefined ? notFound(asked) : removed(asked, tombstone));
}

function notFound(ref: string): Refusal {
  return refuse('scene_graph_ref_not_found', `${quoteInput(ref)} is not in the latest Brief.`);
}

/** Also for the views of removed things, where the refusal is not wanted. */
export function removed(ref: string, tombstone: Tombstone): Refusal {
  const reason = quoteInput(tombstone.reason);
  return refuse(
    'scene_graph_ref_removed',
    `${quoteInput(ref)} was removed (${reason}) at ${isoFromStamp(tombstone.at.stamp)}.`,
  );
}

function refused(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal };
}
