/**
 * From what a door received to an execution event. Only the id is looked at first: a used id answers as it
 * did the first time whatever else stands in the call.
 */
import { quoteInput, refuse, type ConfirmedExecution, type Refusal } from '../protocol/index.js';
import type { ExecutionEvent } from './types.js';

const MAX_ID = 256;
export const MAX_TOOL_NAME = 128;
/** Characters of JSON in one part of the call: far above any tool's, far below what hurts the journal. */
const MAX_JSON = 65_536;
/** Levels of objects and arrays in one part: deeper ones could be read but not written again. */
const MAX_DEPTH = 64;

export type ParsedExecution =
  { readonly ok: true; readonly event: ExecutionEvent } | { readonly ok: false; readonly refusal: Refusal };

/** Undefined when the id can be a key, else why not. */
export function checkExecutionId(executionId: unknown): Refusal | undefined {
  if (typeof executionId !== 'string' || executionId.trim() === '') {
    return refuse('invalid_execution', 'execution_id is empty.');
  }
  if (executionId.length > MAX_ID) {
    return refuse(
      'invalid_execution',
      `execution_id has ${executionId.length} characters, at most ${MAX_ID} are allowed.`,
    );
  }
  return undefined;
}

/** The event of a call whose verdict is success, or the refusal. Texts in the free parts are read as JSON. */
export function parseExecution(call: ConfirmedExecution): ParsedExecution {
  const bad = checkExecutionId(call.executionId) ?? checkSizes(call);
  if (bad !== undefined) {
    return { ok: false, refusal: bad };
  }
  const verdict = readVerdict(call.evaluatorVerdict);
  if (!verdict.ok) {
    return verdict;
  }
  if (verdict.status !== 'success') {
    const reason = `The verdict is ${quoteInput(verdict.status)}, only 'success' is applied.`;
    return refused(refuse('verdict_not_success', reason));
  }
  const toolArguments = readObject('arguments', call.arguments);
  if (!toolArguments.ok) {
    return toolArguments;
  }
  const result = readJson('result', call.result);
  if (!result.ok) {
    return result;
  }
  const finishedAt = readTime(call.finishedAt);
  if (!finishedAt.ok) {
    return finishedAt;
  }
  return {
    ok: true,
    event: {
      kind: 'execution',
      executionId: call.executionId,
      toolName: call.toolName,
      arguments: toolArguments.value,
      result: result.value,
      verdictStatus: verdict.status,
      ...(finishedAt.stamp === undefined ? {} : { finishedAt: finishedAt.stamp }),
    },
  };
}

type Refused = { readonly ok: false; readonly refusal: Refusal };
type Read = { readonly ok: true; readonly value: unknown } | Refused;

function checkSizes(call: ConfirmedExecution): Refusal | undefined {
  if (typeof call.toolName !== 'string' || call.toolName.trim() === '') {
    return refuse('invalid_execution', 'tool_name is empty.');
  }
  if (call.toolName.length > MAX_TOOL_NAME) {
    return refuse(
      'too_large',
      `tool_name has ${call.toolName.length} characters, at most ${MAX_TOOL_NAME} are allowed.`,
    );
  }
  const parts = { arguments: call.arguments, result: call.result, evaluator_verdict: call.evaluatorVerdict };
  for (const [name, value] of Object.entries(parts)) {
    const size = sizeOf(value);
    if (size === undefined) {
      return refuse('invalid_execution', `${name} cannot be written as JSON.`);
    }
    if (size > MAX_JSON) {
      return refuse('too_large', `${name} has ${size} characters, at most ${MAX_JSON} are allowed.`);
    }
  }
  return undefined;
}

/** Characters of the value's JSON; undefined for a cycle or a bigint. */
function sizeOf(value: unknown): number | undefined {
  if (typeof value === 'string') {
    return value.length;
  }
  try {
    // The types say string, but undefined and functions have no JSON.
    return (JSON.stringify(value) as string | undefined)?.length ?? 0;
  } catch {
    return undefined;
  }
}

/** `{status}`, its JSON, or the bare status word. */
function readVerdict(verdict: unknown): { readonly ok: true; readonly status: string } | Refused {
  const looksLikeJson = typeof verdict === 'string' && /^\s*[{["]/.test(verdict);
  const read = looksLikeJson
    ? readJson('evaluator_verdict', verdict)
    : ({ ok: true, value: verdict } as const);
  if (!read.ok) {
    return read;
  }
  if (isDeep(read.value)) {
    return tooDeep('evaluator_verdict');
  }
  const status = isRecord(read.value) ? read.value['status'] : read.value;
  return { ok: true, status: typeof status === 'string' ? status : (JSON.stringify(status ?? '') ?? '') };
}

function readObject(name: string, value: unknown): Read {
  const read = readJson(name, value);
  if (!read.ok || isRecord(read.value)) {
    return read;
  }
  return read.value === undefined
    ? { ok: true, value: {} }
    : refused(refuse('invalid_execution', `${name} is not a JSON object.`));
}

/** Texts are JSON, blank ones nothing; other values are what they are, as JSON would carry them. */
function readJson(name: string, value: unknown): Read {
  if (value === undefined) {
    return { ok: true, value: undefined };
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.trim() === '') {
    return { ok: true, value: undefined };
  }
  try {
    const parsed = JSON.parse(text) as unknown;
    return isDeep(parsed) ? tooDeep(name) : { ok: true, value: parsed };
  } catch {
    return refused(refuse('invalid_execution', `${name} is not valid JSON: ${quoteInput(text)}.`));
  }
}

/** Whether objects and arrays are nested more than `MAX_DEPTH` deep; level by level, so no depth is too much. */
function isDeep(value: unknown): boolean {
  let level = [value].filter(isContainer);
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    level = level.flatMap((item): unknown[] => Object.values(item)).filter(isContainer);
  }
  return level.length > 0;
}

function tooDeep(name: string): Refused {
  return refused(refuse('invalid_execution', `${name} is nested more than ${MAX_DEPTH} levels deep.`));
}

/** Fractions of a second are kept to the nanosecond, which is why this does not go through `Date` alone. */
function readTime(
  iso: string | undefined,
): { readonly ok: true; readonly stamp: bigint | undefined } | Refused {
  if (iso === undefined) {
    return { ok: true, stamp: undefined };
  }
  const match = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/.exec(iso);
  const seconds = match === null ? Number.NaN : Date.parse(`${match[1]}Z`) / 1000;
  if (match === null || Number.isNaN(seconds)) {
    return refused(refuse('invalid_execution', `finished_at is not ISO 8601 in UTC: ${quoteInput(iso)}.`));
  }
  return { ok: true, stamp: BigInt(seconds) * 1_000_000_000n + BigInt((match[2] ?? '').padEnd(9, '0')) };
}

function refused(refusal: Refusal): Refused {
  return { ok: false, refusal };
}

function isContainer(value: unknown): value is object {
  return value !== null && typeof value === 'object';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
