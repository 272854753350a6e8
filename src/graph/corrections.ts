/** What a person or an agent puts right: relabel, merge, forget. Pure; a refusal leaves the state as it was. */
import { Map as ImmutableMap } from 'immutable';
import { quoteInput, refuse, safeInput, type CorrectionAnswer, type Refusal } from '../protocol/index.js';
import { removed, resolveAlias } from './acceptRef.js';
import { changedRefs } from './changedRefs.js';
import { mergeEntities } from './mergeEntities.js';
import { nameProblem } from './nameProblem.js';
import { nextRevision } from './nextRevision.js';
import { liesIn } from './onePlace.js';
import { removeEntity } from './removeEntity.js';
import type { CorrectionEvent, Entity, GraphState } from './types.js';

export interface CorrectionOutcome {
  readonly state: GraphState;
  readonly answer: CorrectionAnswer;
}

const MAX_WHY = 160;
/** Votes a told label weighs at least, so that a few contrary detections do not flip it back. */
const TOLD_VOTES = 20;

export function applyCorrection(state: GraphState, event: CorrectionEvent): CorrectionOutcome {
  const after = corrected(state, event);
  if ('success' in after) {
    return { state, answer: after };
  }
  const answer = {
    success: true,
    changedRefs: changedRefs(state, after),
    revision: nextRevision(state, after),
  } as const;
  return { state: after, answer };
}

function corrected(state: GraphState, event: CorrectionEvent): GraphState | Refusal {
  switch (event.correction) {
    case 'relabel': {
      const entity = findEntity(state, event.ref);
      return 'success' in entity ? entity : relabel(state, entity, event.label);
    }
    case 'merge':
      return merge(state, event.keepRef, event.otherRef);
    case 'forget':
      return forget(state, event.ref, event.why);
  }
}

/** Gives an entity a told label; its ref stays. */
export function relabel(state: GraphState, entity: Entity, labelInput: string): GraphState | Refusal {
  const label = labelInput.trim();
  const problem = nameProblem('label', label);
  if (problem !== undefined) {
    return refuse('invalid_tool_arguments', problem);
  }
  const votes = Math.max(
    TOLD_VOTES,
    entity.labelVotes.reduce((sum, vote) => sum + vote, 0),
  );
  const told: Entity = { ...entity, label, labelShare: 1, labelVotes: ImmutableMap([[label, votes]]) };
  return { ...state, entities: state.entities.set(entity.ref, told) };
}

function merge(state: GraphState, keepRef: string, otherRef: string): GraphState | Refusal {
  const keep = findEntity(state, keepRef);
  if ('success' in keep) {
    return keep;
  }
  const other = findEntity(state, otherRef);
  if ('success' in other) {
    return other;
  }
  if (keep.ref === other.ref) {
    return refuse(
      'invalid_tool_arguments',
      `${quoteInput(keepRef)} and ${quoteInput(otherRef)} are the same thing already.`,
    );
  }
  if (keep.kind !== other.kind) {
    return refuse('effect_impossible', `A ${keep.kind} and a ${other.kind} cannot be one thing.`);
  }
  if (liesIn(state, keep.ref, other.ref) || liesIn(state, other.ref, keep.ref)) {
    return refuse(
      'effect_impossible',
      `${quoteInput(keepRef)} and ${quoteInput(otherRef)} cannot be one thing: one is inside the other.`,
    );
  }
  return mergeEntities(state, keep.ref, other.ref);
}

function forget(state: GraphState, ref: string, why: string): GraphState | Refusal {
  const entity = findEntity(state, ref);
  if ('success' in entity) {
    return entity;
  }
  if (why.length > MAX_WHY) {
    return refuse('too_large', `why has at most ${MAX_WHY} characters, got ${why.length}.`);
  }
  const reason = safeInput(why.trim(), MAX_WHY);
  return removeEntity(state, entity.ref, reason === '' ? 'forgotten' : reason);
}

function findEntity(state: GraphState, input: string): Entity | Refusal {
  const asked = input.trim();
  if (asked === '') {
    return refuse('invalid_tool_arguments', 'The ref is blank.');
  }
  const ref = resolveAlias(state, asked);
  const tombstone = state.tombstones.get(ref);
  return (
    state.entities.get(ref) ??
    (tombstone === undefined
      ? refuse('scene_graph_ref_not_found', `${quoteInput(asked)} is not in the graph.`)
      : removed(asked, tombstone))
  );
}
