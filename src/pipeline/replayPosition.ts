import { createHash } from 'node:crypto';
import type { Recording } from '../recordings/Recording.js';
import type { TopicAssignment } from '../recordings/resolveTopics.js';
import type { RecordingPosition } from '../store/SceneStore.js';

/** What a replay reads, and from where. */
export interface ReplayedSpan {
  readonly recording: Recording;
  readonly assignment: TopicAssignment;
  /** Anything else that decides what becomes of the messages. */
  readonly how: Readonly<Record<string, unknown>>;
  readonly fromS: number;
}

/** Stops and starts are given in seconds, with less than nanoseconds' precision. */
const SAME_MOMENT_S = 1e-6;

/**
 * Where a replay into a store begins: where the stored graph stands, if that was stopped in this very recording at the
 * moment at which the replay shall begin; else anew.
 */
export function replayPosition(
  span: ReplayedSpan,
  stored: RecordingPosition | undefined,
): { readonly position: RecordingPosition; readonly goesOn: boolean } {
  const recording = keyOf(span);
  const goesOn =
    stored?.recording === recording &&
    stored.untilS !== undefined &&
    Math.abs(stored.untilS - span.fromS) < SAME_MOMENT_S;
  return { position: goesOn ? stored : { recording, fromS: span.fromS, messages: 0 }, goesOn };
}

function keyOf({ recording, assignment, how }: ReplayedSpan): string {
  const topics = Object.entries(assignment.topics).map(([role, { name, type, count }]) => [
    role,
    name,
    type,
    count,
  ]);
  const told = [String(recording.start), String(recording.end), recording.messageCount, topics.sort(), how];
  return createHash('sha256').update(JSON.stringify(told)).digest('hex');
}
