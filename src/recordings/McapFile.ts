import { basename } from 'node:path';
import type { Stamp } from '../time/Stamp.js';
import { MAX_UNPACKED_BYTES, decompressorsReady } from './decompress.js';
import { FileBytes } from './FileBytes.js';
import type { McapBlock, McapIndex } from './McapIndex.js';
import {
  MCAP_MAGIC,
  Opcode,
  RECORD_HEADER_BYTES,
  parseChunk,
  parseMessage,
  recordsIn,
  type McapChannel,
} from './mcapRecords.js';
import { mergeByTime } from './mergeByTime.js';
import { readMcapSummary } from './readMcapSummary.js';
import type { MessageCompression } from './openPart.js';
import { rawMessage } from './rawMessage.js';
import type { RawMessage, ReadRange, RecordingPart, TopicInfo, Truncation } from './Recording.js';
import { RecordingError } from './RecordingError.js';
import { rosTypeName } from './rosTypeName.js';
import { scanMcap } from './scanMcap.js';
import { SkipCounts } from './SkipCounts.js';
import { unpackChunk } from './unpackChunk.js';
import { unpackPayload } from './unpackPayload.js';

/**
 * One MCAP file. Reads by its index where it has a good one and walks through it otherwise, so a file cut anywhere
 * plays to its last whole record. At a time only the chunks that overlap the current log time are in memory.
 * A chunk that fails its checksum, cannot be unpacked or read is left out and counted; the others are played.
 */
export class McapFile implements RecordingPart {
  readonly topics: readonly TopicInfo[];
  readonly #topicByChannel = new Map<number, TopicInfo>();

  private constructor(
    readonly file: FileBytes,
    readonly index: McapIndex,
    readonly messageCompression: MessageCompression,
  ) {
    this.topics = this.#collectTopics();
  }

  static async open(path: string, messageCompression: MessageCompression = 'none'): Promise<McapFile> {
    await decompressorsReady();
    const file = await FileBytes.open(path);
    try {
      const magic = await file.read(0, MCAP_MAGIC.length);
      if (!magic.every((byte, i) => byte === MCAP_MAGIC[i])) {
        throw new RecordingError(`${path} is not an MCAP file: it does not begin with the MCAP magic bytes`);
      }
      const index = (await readMcapSummary(file)) ?? (await scanMcap(file, basename(path)));
      return new McapFile(file, index, messageCompression);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  get start(): Stamp | undefined {
    return this.index.start;
  }

  get end(): Stamp | undefined {
    return this.index.end;
  }

  get truncation(): Truncation | undefined {
    return this.index.truncation;
  }

  messages(range: ReadRange = {}): AsyncIterableIterator<RawMessage> {
    const wanted = range.topics && new Set(range.topics);
    const skipped = range.skipped ?? new SkipCounts();
    const runs = this.index.blocks
      .filter((block) => this.#isInRange(block, range, wanted))
      .map((block) => ({ start: block.start, open: () => this.#readBlock(block, range, wanted, skipped) }));
    return mergeByTime(runs);
  }

  async close(): Promise<void> {
    await this.file.close();
  }

  #isInRange(block: McapBlock, range: ReadRange, wanted: ReadonlySet<string> | undefined): boolean {
    if (range.from !== undefined && block.end < range.from) return false;
    if (range.to !== undefined && block.start > range.to) return false;
    if (!wanted || !block.channelIds) return true;
    for (const id of block.channelIds) {
      const topic = this.#topicByChannel.get(id);
      // A channel that nothing declares is let in, so that reading counts its messages.
      if (!topic || wanted.has(topic.name)) return true;
    }
    return false;
  }

  async *#readBlock(
    block: McapBlock,
    range: ReadRange,
    wanted: ReadonlySet<string> | undefined,
    skipped: SkipCounts,
  ): AsyncGenerator<RawMessage, void, void> {
    const bytes = await this.#blockBytes(block, skipped);
    if (!bytes) return;
    const messages: RawMessage[] = [];
    const records = recordsIn(bytes);
    let step = records.next();
    for (; step.done !== true; step = records.next()) {
      if (step.value.opcode !== Opcode.message) continue;
      const message = this.#messageOf(step.value.content, wanted, skipped);
      if (!message) continue;
      if (range.from !== undefined && message.logTime < range.from) continue;
      if (range.to !== undefined && message.logTime > range.to) continue;
      messages.push(message);
    }
    if (step.value < bytes.length) skipped.add('malformed_record');
    // Stable: messages of one log time keep the order in which they were written.
    messages.sort((a, b) => (a.logTime < b.logTime ? -1 : a.logTime > b.logTime ? 1 : 0));
    yield* messages;
  }

  /** The records of a block; undefined, and counted, when they cannot be had. */
  async #blockBytes(block: McapBlock, skipped: SkipCounts): Promise<Uint8Array | undefined> {
    if (block.length > MAX_UNPACKED_BYTES) {
      skipped.add('chunk_too_large');
      return undefined;
    }
    let bytes: Uint8Array;
    try {
      bytes = await this.file.read(block.offset, block.length);
    } catch {
      skipped.add('chunk_unreadable');
      return undefined;
    }
    if (block.kind === 'run') return bytes;
    if (bytes[0] !== Opcode.chunk) {
      skipped.add('malformed_record');
      return undefined;
    }
    const unpacked = unpackChunk(parseChunk(bytes.subarray(RECORD_HEADER_BYTES)));
    if (unpacked.ok) return unpacked.bytes;
    skipped.add(unpacked.cause);
    return undefined;
  }

  #messageOf(
    content: Uint8Array,
    wanted: ReadonlySet<string> | undefined,
    skipped: SkipCounts,
  ): RawMessage | undefined {
    const message = parseMessage(content);
    const topic = message && this.#topicByChannel.get(message.channelId);
    if (!message || !topic) {
      skipped.add(message ? 'unknown_channel' : 'malformed_record');
      return undefined;
    }
    if (wanted && !wanted.has(topic.name)) return undefined;
    const data = unpackPayload(message.data, this.messageCompression, skipped);
    return data && rawMessage(topic, message.logTime, data, skipped);
  }

  /** One topic for all channels of the same name and type: recorders open a channel per publisher or per split. */
  #collectTopics(): TopicInfo[] {
    const byKey = new Map<string, TopicInfo>();
    const { channels, schemas, counts } = this.index;
    const keyOf = (channel: McapChannel): string => `${channel.topic}\n${typeOf(channel)}`;
    const typeOf = (channel: McapChannel): string => rosTypeName(schemas.get(channel.schemaId)?.name ?? '');
    for (const channel of channels.values()) {
      const schema = schemas.get(channel.schemaId);
      const known = byKey.get(keyOf(channel));
      byKey.set(keyOf(channel), {
        name: channel.topic,
        type: typeOf(channel),
        encoding: channel.encoding,
        count: (known?.count ?? 0) + (counts.get(channel.id) ?? 0),
        qos: known?.qos || (channel.metadata.get('offered_qos_profiles') ?? ''),
        // Only ros2msg text can be read here; with IDL our own definition of that type is used instead.
        schema:
          known?.schema ?? (schema?.encoding === 'ros2msg' && schema.text !== '' ? schema.text : undefined),
      });
    }
    for (const channel of channels.values()) this.#topicByChannel.set(channel.id, byKey.get(keyOf(channel))!);
    return [...byKey.values()];
  }
}
