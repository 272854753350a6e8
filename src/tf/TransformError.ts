/**
 * Why a lookup or an insertion was refused, with tf2's key terms in the words, since that is what people
 * search for. Kept apart from the buffer so that the texts can be read and tested in one place.
 */
import { shortFrameId } from '../input/frameId.js';
import { failure, type Failure } from '../math/Result.js';
import type { Stamp } from '../time/Stamp.js';

/** Refusals of an insertion; the names are tf2's codes TF_SELF_TRANSFORM and so on. */
export type InsertCause =
  | 'self_transform'
  | 'no_child_frame_id'
  | 'no_frame_id'
  | 'frame_id_too_long'
  | 'too_many_frames'
  | 'nan_input'
  | 'denormalized_quaternion'
  | 'old_data'
  | 'repeated_data';

export type LookupCause =
  | 'invalid_argument'
  | 'no_frame'
  | 'not_connected'
  | 'transform_loop'
  | 'future_extrapolation'
  | 'past_extrapolation';

/** What a frame's samples lack at the asked moment. `only` when the frame has a single sample. */
export interface Gap {
  readonly cause: 'future_extrapolation' | 'past_extrapolation';
  readonly asked: Stamp;
  readonly nearest: Stamp;
  readonly only: boolean;
}

/** Seconds with six decimals, as tf2 prints times. */
export function formatStamp(stamp: Stamp): string {
  const sign = stamp < 0n ? '-' : '';
  const micros = (stamp < 0n ? -stamp : stamp) / 1000n;
  return `${sign}${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`;
}

export function emptyFrameId(argument: string): Failure<'invalid_argument'> {
  return failure('invalid_argument', `frame_ids cannot be empty: ${argument} of the lookup`);
}

export function slashedFrameId(argument: string, frame: string): Failure<'invalid_argument'> {
  return failure(
    'invalid_argument',
    `frame_ids cannot start with a '/': ${argument} "${frame}" of the lookup`,
  );
}

export function unknownFrame(argument: string, frame: string): Failure<'no_frame'> {
  return failure('no_frame', `"${frame}", the ${argument} of the lookup, does not exist`);
}

export function notConnected(target: string, source: string): Failure<'not_connected'> {
  const detail = `Could not find a connection between '${target}' and '${source}': not part of the same tree`;
  return failure('not_connected', detail);
}

export function loopFound(frame: string): Failure<'transform_loop'> {
  return failure(
    'transform_loop',
    `The tf tree is invalid: it contains a loop or is too deep, at '${frame}'`,
  );
}

export function extrapolation(gap: Gap, frame: string, target: string, source: string): Failure<LookupCause> {
  const future = gap.cause === 'future_extrapolation';
  const which = gap.only ? 'only' : future ? 'latest' : 'earliest';
  const detail =
    `Lookup would require extrapolation into the ${future ? 'future' : 'past'}. ` +
    `Requested time ${formatStamp(gap.asked)} but the ${which} data of '${frame}' is at time ` +
    `${formatStamp(gap.nearest)}, when looking up transform from frame [${source}] to frame [${target}]`;
  return failure(gap.cause, detail);
}

/** Refusal of an insertion; the child frame is always named. */
export function insertRefused(cause: InsertCause, child: string, parent: string): Failure<InsertCause> {
  const edge = `transform of child_frame_id "${shortFrameId(child)}" with frame_id "${shortFrameId(parent)}"`;
  const reasons: Readonly<Record<InsertCause, string>> = {
    self_transform: 'frame_id and child_frame_id are the same',
    no_child_frame_id: 'child_frame_id is empty',
    no_frame_id: 'frame_id is empty',
    frame_id_too_long: 'a frame id is longer than any name',
    too_many_frames: 'more frame ids than are kept were named before',
    nan_input: 'it holds NaN or infinity',
    denormalized_quaternion: 'its quaternion is not of unit length',
    old_data: 'it is older than the cache reaches',
    repeated_data: 'the same sample came before',
  };
  return failure(cause, `Ignoring ${edge}: ${reasons[cause]}`);
}
