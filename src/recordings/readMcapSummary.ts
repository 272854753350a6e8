import { crc32 } from 'node:zlib';
import type { FileBytes } from './FileBytes.js';
import type { McapBlock, McapIndex } from './McapIndex.js';
import {
  MCAP_MAGIC,
  Opcode,
  RECORD_HEADER_BYTES,
  parseChannel,
  parseChunkIndex,
  parseFooter,
  parseSchema,
  parseStatistics,
  recordsIn,
  type McapChannel,
  type McapChunkIndex,
  type McapSchema,
  type McapStatistics,
} from './mcapRecords.js';

const FOOTER_CONTENT_BYTES = 20;
const TAIL_BYTES = RECORD_HEADER_BYTES + FOOTER_CONTENT_BYTES + MCAP_MAGIC.length;
/** Summaries are kilobytes; one beyond this is damage, and the file is walked through instead. */
const MAX_SUMMARY_BYTES = 256 * 1024 * 1024;

/**
 * The index from the summary at the end of the file. Undefined when there is none, or when it is damaged or leaves
 * out what is needed (channels, chunks, counts): the file then has to be walked through.
 */
export async function readMcapSummary(file: FileBytes): Promise<McapIndex | undefined> {
  const summary = await summaryBytes(file);
  if (!summary) return undefined;
  const channels = new Map<number, McapChannel>();
  const schemas = new Map<number, McapSchema>();
  const chunks: McapChunkIndex[] = [];
  let statistics: McapStatistics | undefined;
  for (const { opcode, content } of recordsIn(summary)) {
    if (opcode === Opcode.schema) {
      const schema = parseSchema(content);
      if (schema) schemas.set(schema.id, schema);
    } else if (opcode === Opcode.channel) {
      const channel = parseChannel(content);
      if (channel) channels.set(channel.id, channel);
    } else if (opcode === Opcode.chunkIndex) {
      const index = parseChunkIndex(content);
      if (index) chunks.push(index);
    } else if (opcode === Opcode.statistics) {
      statistics = parseStatistics(content);
    }
  }
  if (!statistics || !isComplete(statistics, channels, schemas, chunks, file.size)) return undefined;
  const isEmpty = statistics.messageCount === 0n;
  return {
    channels,
    schemas,
    blocks: chunks.map(blockOf),
    counts: statistics.counts,
    start: isEmpty ? undefined : statistics.start,
    end: isEmpty ? undefined : statistics.end,
    truncation: undefined,
  };
}

async function summaryBytes(file: FileBytes): Promise<Uint8Array | undefined> {
  const tail = await file.read(file.size - TAIL_BYTES, TAIL_BYTES);
  if (tail.length < TAIL_BYTES || tail[0] !== Opcode.footer) return undefined;
  if (!MCAP_MAGIC.every((byte, i) => tail[TAIL_BYTES - MCAP_MAGIC.length + i] === byte)) return undefined;
  const footer = parseFooter(tail.subarray(RECORD_HEADER_BYTES, RECORD_HEADER_BYTES + FOOTER_CONTENT_BYTES));
  const footerOffset = file.size - TAIL_BYTES;
  if (!footer || footer.summaryStart < MCAP_MAGIC.length || footer.summaryStart >= footerOffset)
    return undefined;
  const length = footerOffset - footer.summaryStart;
  if (length > MAX_SUMMARY_BYTES) return undefined;
  const summary = await file.read(footer.summaryStart, length);
  if (footer.summaryCrc !== 0) {
    // The checksum covers the summary and the footer up to itself.
    const footerPrefix = tail.subarray(0, RECORD_HEADER_BYTES + FOOTER_CONTENT_BYTES - 4);
    if (crc32(footerPrefix, crc32(summary)) !== footer.summaryCrc) return undefined;
  }
  return summary;
}

function isComplete(
  statistics: McapStatistics,
  channels: ReadonlyMap<number, McapChannel>,
  schemas: ReadonlyMap<number, McapSchema>,
  chunks: readonly McapChunkIndex[],
  fileSize: number,
): boolean {
  if (channels.size !== statistics.channelCount || chunks.length !== statistics.chunkCount) return false;
  // Messages but no chunk: they lie outside of chunks, where no index points.
  if (chunks.length === 0 && statistics.messageCount > 0n) return false;
  for (const channel of channels.values()) {
    if (channel.schemaId !== 0 && !schemas.has(channel.schemaId)) return false;
  }
  let counted = 0;
  for (const count of statistics.counts.values()) counted += count;
  if (BigInt(counted) !== statistics.messageCount) return false;
  return chunks.every((chunk) => chunk.offset + chunk.length <= fileSize);
}

function blockOf(index: McapChunkIndex): McapBlock {
  return {
    kind: 'chunk',
    offset: index.offset,
    length: index.length,
    start: index.start,
    end: index.end,
    // Without message indexes the writer said nothing about the channels.
    channelIds: index.channelIds.length > 0 ? new Set(index.channelIds) : undefined,
  };
}
