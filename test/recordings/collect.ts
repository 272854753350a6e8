import { openRecording } from '../../src/recordings/openRecording.js';
import type { RawMessage, ReadRange, Recording } from '../../src/recordings/Recording.js';
import { SkipCounts } from '../../src/recordings/SkipCounts.js';

export interface Collected {
  readonly messages: readonly RawMessage[];
  readonly skipped: Record<string, number>;
  readonly recording: Recording;
}

/** Opens a recording, reads all of it (or a range) and closes it. */
export async function collect(path: string, range: ReadRange = {}): Promise<Collected> {
  const recording = await openRecording(path);
  try {
    const skipped = new SkipCounts();
    const messages: RawMessage[] = [];
    for await (const message of recording.messages({ ...range, skipped })) messages.push(message);
    return { messages, skipped: skipped.toObject(), recording };
  } finally {
    await recording.close();
  }
}

/** Topic, time and bytes: what must survive, in a form that assert prints. */
export function facts(messages: readonly RawMessage[]): unknown[] {
  return messages.map(({ topic, logTime, data }) => [topic, logTime, Buffer.from(data).toString('hex')]);
}

/** CDR of a std_msgs/String. */
export function stringCdr(text: string): Uint8Array {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const head = Buffer.alloc(8);
  head[1] = 1;
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes]);
}

export function isInTimeOrder(messages: readonly RawMessage[]): boolean {
  return messages.every(({ logTime }, i) => i === 0 || messages[i - 1].logTime <= logTime);
}
