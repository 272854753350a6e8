import type { RosTime } from '../time/Stamp.js';
import { CdrWriter } from './CdrWriter.js';
import type { InputSpec } from './inputs.js';
import type { PipelineFigures } from './LivePipeline.js';
import type { InputStatus } from './RawInput.js';
import { writeTime } from './writeBrief.js';

/**
 * What `/diagnostics` tells: one status for each input and for each part of the node. Silence must name itself:
 * an input that brings nothing says under which topic it was awaited, who publishes there and how, and why the
 * last message was dropped. Pure: from figures to statuses.
 */

export const LEVEL = { ok: 0, warn: 1, error: 2, stale: 3 } as const;
export type Level = (typeof LEVEL)[keyof typeof LEVEL];

export interface DiagnosticStatus {
  /** Without the node's name. */
  readonly name: string;
  readonly level: Level;
  readonly message: string;
  readonly values: Readonly<Record<string, string>>;
}

/** Silence for this long is a fault, also right after the start; within it nothing is said. */
export const SILENCE_S = 3;

/** What is told of one input. */
export interface InputFigures {
  readonly spec: InputSpec;
  readonly status: InputStatus;
  /** Of messages of this input, by cause. */
  readonly drops: ReadonlyMap<string, number>;
  readonly lastDropCause: string | undefined;
}

/** Depth pictures on their way from the topics to the pipeline, of all cameras. */
export interface DepthFigures {
  readonly received: number;
  /** Received and not handed on yet. */
  readonly pending: number;
  /** Received and never handed on, by cause. */
  readonly dropped: Readonly<Record<string, number>>;
}

/** Each depth picture that was received is used, dropped by a cause, or pending. */
export function frameStatus(
  depth: DepthFigures,
  { framesUsed, framesPending, dropped }: Pick<PipelineFigures, 'framesUsed' | 'framesPending' | 'dropped'>,
): DiagnosticStatus {
  const drops = new Map(Object.entries(depth.dropped));
  for (const [cause, count] of Object.entries(dropped)) drops.set(cause, (drops.get(cause) ?? 0) + count);
  return {
    name: 'frames',
    level: LEVEL.ok,
    message: framesUsed === 0 ? 'no frame used yet' : 'frames are used',
    values: {
      received: String(depth.received),
      used: String(framesUsed),
      pending: String(depth.pending + framesPending),
      ...droppedValues(drops),
    },
  };
}

function droppedValues(drops: ReadonlyMap<string, number>): Record<string, string> {
  return Object.fromEntries([...drops].map(([cause, count]) => [`dropped_${cause}`, String(count)]));
}

export function inputStatus(
  { spec, status, drops, lastDropCause }: InputFigures,
  uptimeS: number,
): DiagnosticStatus {
  const name = spec.camera === '' ? spec.kind : `${spec.camera} ${spec.kind}`;
  const { level, message } = judgeInput(spec, status, uptimeS);
  return {
    name,
    level,
    message,
    values: {
      topic: status.topic,
      type: status.type,
      publishers: String(status.publishers),
      offered: status.offered.join(', '),
      asked: status.asked,
      ...(status.mismatches.length === 0 ? {} : { mismatch: status.mismatches.join('; ') }),
      received: String(status.received),
      rate_hz: status.rateHz.toFixed(1),
      age_s: status.ageS === undefined ? 'never' : status.ageS.toFixed(1),
      last_drop_cause: lastDropCause ?? '',
      ...droppedValues(drops),
    },
  };
}

function judgeInput(
  { kind, required }: InputSpec,
  status: InputStatus,
  uptimeS: number,
): { level: Level; message: string } {
  const { topic, publishers, mismatches, ageS } = status;
  if (mismatches.length > 0) {
    return {
      level: LEVEL.error,
      message: `incompatible quality of service on ${topic}: ${mismatches[0] ?? ''}`,
    };
  }
  const silentS = ageS ?? uptimeS;
  // Camera info and static transforms may be sent once; having them is enough.
  const isLatched = kind === 'tf_static' || kind === 'color_info' || kind === 'depth_info';
  if (ageS !== undefined && (isLatched || silentS < SILENCE_S))
    return { level: LEVEL.ok, message: 'receiving' };
  if (silentS < SILENCE_S) return { level: LEVEL.ok, message: `waiting for ${topic}` };
  if (!required && publishers === 0)
    return { level: LEVEL.ok, message: `not used: nobody publishes ${topic}` };
  const since = ageS === undefined ? 'nothing received' : `nothing for ${SILENCE_S} s or more`;
  const who = publishers === 0 ? 'nobody publishes' : `${publishers} publisher(s) seen on`;
  return { level: required ? LEVEL.error : LEVEL.warn, message: `${since}: ${who} ${topic}` };
}

/** diagnostic_msgs/DiagnosticArray as CDR. */
export function writeDiagnostics(
  stamp: RosTime,
  nodeName: string,
  statuses: readonly DiagnosticStatus[],
): Buffer {
  const writer = new CdrWriter();
  writeTime(writer, stamp);
  return writer
    .string('')
    .sequence(statuses, (out, { name, level, message, values }) => {
      out.uint8(level).string(`${nodeName}: ${name}`).string(message).string('none');
      out.sequence(Object.entries(values), (pair, [key, value]) => pair.string(key).string(value));
    })
    .finish();
}

/** Whether the graph outlives the node: what is confirmed is refused while it does not though it should. */
export function storeStatus(store: PipelineFigures['store']): DiagnosticStatus {
  const name = 'store';
  if (store === undefined)
    return { name, level: LEVEL.ok, message: 'memory only: store.path is empty', values: { state: 'none' } };
  const { state, reason, notes } = store;
  const values = { state, reason, notes: notes.join('; ') };
  if (state !== 'ok')
    return {
      name,
      level: LEVEL.error,
      message: `${state}: ${reason}; confirmed executions are refused`,
      values,
    };
  return { name, level: notes.length > 0 ? LEVEL.warn : LEVEL.ok, message: notes[0] ?? 'ok', values };
}

/** Tells of each status once when its level or its message without figures changes. */
export class StatusLog {
  readonly #last = new Map<string, string>();

  constructor(private readonly say: (level: Level, text: string) => void) {}

  note(statuses: readonly DiagnosticStatus[]): void {
    for (const { name, level, message } of statuses) {
      const state = `${level} ${message.replace(/[\d.]+/g, '#')}`;
      const before = this.#last.get(name);
      if (before === state) continue;
      this.#last.set(name, state);
      // At the start only what is wrong is worth a line.
      if (before === undefined && level === LEVEL.ok) continue;
      this.say(level, `${name}: ${message}`);
    }
  }
}
