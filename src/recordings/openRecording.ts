import { stat } from 'node:fs/promises';
import type { Stamp } from '../time/Stamp.js';
import { isoFromStamp } from '../time/Stamp.js';
import { mergeByTime } from './mergeByTime.js';
import { openPart } from './openPart.js';
import { readBagFolder } from './readBagFolder.js';
import type { RawMessage, ReadRange, Recording, RecordingPart, TopicInfo, Truncation } from './Recording.js';
import { RecordingError } from './RecordingError.js';

/**
 * Opens a recording: a `.mcap` or `.db3` file, or a rosbag2 folder. A file that ends early is opened with what is
 * readable, and said so in `warnings`.
 * @throws RecordingError when there is nothing that could be read as a recording; the text says what was found.
 */
export async function openRecording(path: string): Promise<Recording> {
  const info = await stat(path).catch(() => undefined);
  if (!info) throw new RecordingError(`${path} does not exist`);
  if (!info.isDirectory()) return new JoinedRecording(path, [await openPart(path)], []);
  const { files, messageCompression, warnings } = await readBagFolder(path);
  const parts: RecordingPart[] = [];
  try {
    for (const file of files) parts.push(await openPart(file, messageCompression));
  } catch (error) {
    await Promise.all(parts.map((part) => part.close()));
    throw error;
  }
  return new JoinedRecording(path, parts, warnings);
}

/** The files of a recording as one, in log-time order also where the files overlap. */
class JoinedRecording implements Recording {
  readonly topics: readonly TopicInfo[];
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;
  readonly truncations: readonly Truncation[];
  readonly warnings: readonly string[];

  constructor(
    readonly path: string,
    readonly parts: readonly RecordingPart[],
    warnings: readonly string[],
  ) {
    this.topics = joinTopics(parts);
    this.truncations = parts.flatMap((part) => part.truncation ?? []);
    this.warnings = [...warnings, ...this.truncations.map(truncationText)];
    for (const { start, end } of parts) {
      if (start !== undefined && (this.start === undefined || start < this.start)) this.start = start;
      if (end !== undefined && (this.end === undefined || end > this.end)) this.end = end;
    }
  }

  get messageCount(): number {
    return this.topics.reduce((sum, topic) => sum + topic.count, 0);
  }

  messages(range: ReadRange = {}): AsyncIterableIterator<RawMessage> {
    const runs = this.parts
      .filter(({ start, end }) => {
        if (start === undefined || end === undefined) return true;
        return (
          !(range.to !== undefined && start > range.to) && !(range.from !== undefined && end < range.from)
        );
      })
      .map((part) => ({ start: part.start ?? 0n, open: () => part.messages(range) }));
    return mergeByTime(runs);
  }

  async close(): Promise<void> {
    await Promise.all(this.parts.map((part) => part.close()));
  }
}

function joinTopics(parts: readonly RecordingPart[]): TopicInfo[] {
  const byKey = new Map<string, TopicInfo>();
  for (const topic of parts.flatMap((part) => part.topics)) {
    const key = `${topic.name}\n${topic.type}`;
    const known = byKey.get(key);
    byKey.set(key, {
      ...topic,
      count: topic.count + (known?.count ?? 0),
      qos: known?.qos || topic.qos,
      schema: known?.schema ?? topic.schema,
    });
  }
  return [...byKey.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function truncationText({ file, byteOffset, stamp, reason }: Truncation): string {
  const until =
    stamp === undefined ? 'no message is readable' : `readable until ${isoFromStamp(stamp)} (${stamp} ns)`;
  return `${file} ends early at byte ${byteOffset}: ${reason}; ${until}`;
}
