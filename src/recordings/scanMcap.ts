import type { Stamp } from '../time/Stamp.js';
import { MAX_UNPACKED_BYTES } from './decompress.js';
import type { FileBytes } from './FileBytes.js';
import type { McapBlock, McapIndex } from './McapIndex.js';
import {
  MCAP_MAGIC,
  Opcode,
  RECORD_HEADER_BYTES,
  parseChannel,
  parseChunk,
  parseMessage,
  parseSchema,
  recordContentLength,
  recordsIn,
  type McapChannel,
  type McapRecord,
  type McapSchema,
} from './mcapRecords.js';
import { unpackChunk } from './unpackChunk.js';

/** Messages outside of chunks are read in runs of about this size, so that memory stays bounded. */
const MAX_RUN_BYTES = 4 * 1024 * 1024;

/** All other records (attachments, indexes, metadata) are stepped over unread. */
const READ_OPCODES: ReadonlySet<number> = new Set([
  Opcode.schema,
  Opcode.channel,
  Opcode.message,
  Opcode.chunk,
  Opcode.dataEnd,
]);

/**
 * The index of a file without a usable summary, found by walking through all its records: what a recorder that
 * lost power leaves behind. Ends at the last whole record and says where that was. Chunks are unpacked once here,
 * since nothing else tells which topics a cut file has; nothing of them is kept.
 */
export async function scanMcap(file: FileBytes, name: string): Promise<McapIndex> {
  const walk = new McapWalk();
  let offset = MCAP_MAGIC.length;
  let reason = 'the closing records are missing';
  let isWhole = false;
  while (offset < file.size) {
    const header = await file.peek(offset, RECORD_HEADER_BYTES);
    const length = recordContentLength(header, 0);
    if (length === undefined || length > file.size - offset - RECORD_HEADER_BYTES) {
      reason = 'the last record is cut';
      break;
    }
    const opcode = header[0];
    if (opcode === 0) {
      reason = 'no record begins here';
      break;
    }
    if (opcode === Opcode.footer) {
      isWhole = true;
      break;
    }
    if (length > MAX_UNPACKED_BYTES) {
      walk.addOversized(opcode, offset, length);
    } else if (READ_OPCODES.has(opcode)) {
      const bytes = await file.peek(offset, RECORD_HEADER_BYTES + length);
      walk.add({ opcode, offset, content: bytes.subarray(RECORD_HEADER_BYTES) });
    }
    offset += RECORD_HEADER_BYTES + length;
  }
  const truncation = isWhole
    ? undefined
    : { file: name, byteOffset: Math.min(offset, file.size), stamp: walk.end, reason };
  return walk.index(truncation);
}

/** Collects what the walk comes by. */
class McapWalk {
  readonly #channels = new Map<number, McapChannel>();
  readonly #schemas = new Map<number, McapSchema>();
  readonly #blocks: McapBlock[] = [];
  readonly #counts = new Map<number, number>();
  #run: { offset: number; length: number; start: Stamp; end: Stamp; channelIds: Set<number> } | undefined;
  #isPastData = false;
  #start: Stamp | undefined;
  #end: Stamp | undefined;

  get end(): Stamp | undefined {
    return this.#end;
  }

  add(record: McapRecord): void {
    if (record.opcode === Opcode.message) {
      this.#addToRun(record);
      return;
    }
    if (record.opcode === Opcode.chunk) {
      this.#closeRun();
      this.#addChunk(record);
    } else if (record.opcode === Opcode.dataEnd) {
      this.#isPastData = true;
    }
    this.#addDeclaration(record);
  }

  index(truncation: McapIndex['truncation']): McapIndex {
    this.#closeRun();
    return {
      channels: this.#channels,
      schemas: this.#schemas,
      blocks: this.#blocks,
      counts: this.#counts,
      start: this.#start,
      end: this.#end,
      truncation,
    };
  }

  #addDeclaration(record: McapRecord): void {
    if (record.opcode === Opcode.schema) {
      const schema = parseSchema(record.content);
      if (schema) this.#schemas.set(schema.id, schema);
    } else if (record.opcode === Opcode.channel) {
      const channel = parseChannel(record.content);
      if (channel) this.#channels.set(channel.id, channel);
    }
  }

  #addToRun(record: McapRecord): void {
    const message = parseMessage(record.content);
    if (!message || this.#isPastData) return;
    this.#count(message.channelId, message.logTime);
    const end = record.offset + RECORD_HEADER_BYTES + record.content.length;
    if (this.#run && end - this.#run.offset > MAX_RUN_BYTES) this.#closeRun();
    const run = (this.#run ??= {
      offset: record.offset,
      length: 0,
      start: message.logTime,
      end: message.logTime,
      channelIds: new Set(),
    });
    run.length = end - run.offset;
    if (message.logTime < run.start) run.start = message.logTime;
    if (message.logTime > run.end) run.end = message.logTime;
    run.channelIds.add(message.channelId);
  }

  #closeRun(): void {
    if (this.#run) this.#blocks.push({ kind: 'run', ...this.#run });
    this.#run = undefined;
  }

  /** Too large to be believed: kept in the list, so that reading counts it. */
  addOversized(opcode: number, offset: number, length: number): void {
    if (opcode !== Opcode.chunk && opcode !== Opcode.message) return;
    this.#closeRun();
    const stamp = this.#end ?? 0n;
    const block = { offset, length: RECORD_HEADER_BYTES + length, start: stamp, end: stamp };
    this.#blocks.push({ kind: 'chunk', ...block, channelIds: undefined });
  }

  #addChunk(record: McapRecord): void {
    const chunk = parseChunk(record.content);
    const unpacked = unpackChunk(chunk);
    const channelIds = new Set<number>();
    let start: Stamp | undefined;
    let end: Stamp | undefined;
    for (const inner of unpacked.ok ? recordsIn(unpacked.bytes) : []) {
      this.#addDeclaration(inner);
      const message = inner.opcode === Opcode.message ? parseMessage(inner.content) : undefined;
      if (!message) continue;
      this.#count(message.channelId, message.logTime);
      channelIds.add(message.channelId);
      if (start === undefined || message.logTime < start) start = message.logTime;
      if (end === undefined || message.logTime > end) end = message.logTime;
    }
    this.#blocks.push({
      kind: 'chunk',
      offset: record.offset,
      length: RECORD_HEADER_BYTES + record.content.length,
      start: start ?? chunk?.start ?? 0n,
      end: end ?? chunk?.end ?? 0n,
      // A chunk that cannot be unpacked stays in the list, so that reading counts it.
      channelIds: unpacked.ok ? channelIds : undefined,
    });
  }

  #count(channelId: number, logTime: Stamp): void {
    this.#counts.set(channelId, (this.#counts.get(channelId) ?? 0) + 1);
    if (this.#start === undefined || logTime < this.#start) this.#start = logTime;
    if (this.#end === undefined || logTime > this.#end) this.#end = logTime;
  }
}
