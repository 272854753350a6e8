/**
 * Confirmed executions. A call is applied wholly or not at all, and exactly once: its id stands in the
 * ledger, which is part of the state, so whoever has the state has the ledger.
 */
import {
  executionUpdateSchema,
  recordFromJson,
  recordToJson,
  refuse,
  safeInput,
  type AppliedEffect,
  type ExecutionAnswer,
  type ExecutionUpdate,
  type Refusal,
} from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';
import { changedRefs } from './changedRefs.js';
import { applyEffect } from './effects.js';
import type { EffectsTable } from './effectsTable.js';
import { momentIn } from './moments.js';
import { nextRevision } from './nextRevision.js';
import { checkExecutionId, MAX_TOOL_NAME } from './parseExecution.js';
import type { ExecutionEvent, GraphState, LedgerEntry } from './types.js';

export interface ExecutionOutcome {
  readonly state: GraphState;
  readonly answer: ExecutionAnswer;
}

/** A call cannot have ended this long after all that was seen, nanoseconds: it bears another clock's time. */
const MAX_AHEAD_NS = 3_600_000_000_000n;

/**
 * Applies a call with a success verdict; everything else leaves the state as it was and says why.
 * @param grippers names of the robot's grippers; empty: it has told of none, and any name will do
 */
export function applyExecution(
  state: GraphState,
  event: ExecutionEvent,
  effects: EffectsTable,
  grippers: readonly string[] = [],
): ExecutionOutcome {
  const badId = checkExecutionId(event.executionId);
  if (badId !== undefined) {
    return { state, answer: badId };
  }
  const earlier = state.ledger.get(event.executionId);
  if (earlier !== undefined) {
    return { state, answer: answerOf(earlier, true) };
  }
  if (event.verdictStatus !== 'success') {
    return { state, answer: refuse('verdict_not_success', "Only the verdict 'success' is applied.") };
  }
  const planned = badTime(state, event) ?? plan(state, event, effects, grippers);
  return 'success' in planned ? { state, answer: planned } : commit(state, event, planned);
}

/** The answer a ledger entry stands for: the first one, or (with `alreadyApplied`) its repetition. */
export function answerOf(entry: LedgerEntry, alreadyApplied: boolean): ExecutionAnswer {
  const update = recordFromJson(executionUpdateSchema, JSON.parse(entry.updateJson) as unknown);
  if (!update.ok) {
    return refuse('internal_error', 'The stored answer of this execution cannot be read.');
  }
  const { applied, changedRefs: refs, revision } = entry;
  return { success: true, applied, alreadyApplied, changedRefs: refs, revision, update: update.value };
}

/** A time far ahead would keep every look from now until then from saying anything of the thing. */
function badTime({ graphTime }: GraphState, { finishedAt }: ExecutionEvent): Refusal | undefined {
  if (finishedAt === undefined || graphTime === undefined || finishedAt - graphTime <= MAX_AHEAD_NS) {
    return undefined;
  }
  const times = `finished_at ${isoFromStamp(finishedAt)} is more than an hour after the newest data, ${isoFromStamp(graphTime)}`;
  return refuse('invalid_execution', `${times}: it has to be on the data's clock, or left out.`);
}

interface Plan {
  readonly after: GraphState;
  readonly update: ExecutionUpdate;
  readonly isApplied: boolean;
}

function plan(
  state: GraphState,
  event: ExecutionEvent,
  effects: EffectsTable,
  grippers: readonly string[],
): Plan | Refusal {
  const wanted = effects.get(event.toolName);
  const toolName = safeInput(event.toolName, MAX_TOOL_NAME);
  if (wanted === undefined) {
    const update = { toolName, effects: [], note: 'no_effect_defined' };
    return { after: state, update, isApplied: false };
  }
  const applied: AppliedEffect[] = [];
  let after = state;
  for (const effect of wanted) {
    const done = applyEffect(after, event, effect, grippers);
    if ('success' in done) {
      return done;
    }
    after = done.state;
    applied.push(done.applied);
  }
  return { after, update: { toolName, effects: applied }, isApplied: true };
}

function commit(
  before: GraphState,
  event: ExecutionEvent,
  { after, update, isApplied }: Plan,
): ExecutionOutcome {
  const entry: LedgerEntry = {
    executionId: event.executionId,
    toolName: event.toolName,
    argumentsJson: JSON.stringify(event.arguments ?? {}),
    resultJson: JSON.stringify(event.result ?? null),
    verdictStatus: event.verdictStatus,
    at:
      event.finishedAt === undefined && before.graphTime === undefined
        ? undefined
        : momentIn(before, event.finishedAt),
    applied: isApplied,
    changedRefs: changedRefs(before, after),
    revision: nextRevision(before, after),
    updateJson: JSON.stringify(recordToJson(update)),
  };
  const state = { ...after, ledger: after.ledger.set(entry.executionId, entry) };
  return { state, answer: answerOf(entry, false) };
}
