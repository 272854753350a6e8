import type { Stamp } from '../time/Stamp.js';

/**
 * The few MCAP records that reading needs, parsed from bytes without copying. The container's own reader library
 * stops at the first bad record; a recording from the field has to be read around it, so each parser here works
 * on one record alone and answers undefined when the record does not hold what it claims.
 * Layout: https://mcap.dev/spec (little endian; a record is opcode u8, length u64, content).
 */

export const MCAP_MAGIC = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a);
/** Opcode and length before each record's content. */
export const RECORD_HEADER_BYTES = 9;

export const Opcode = {
  footer: 0x02,
  schema: 0x03,
  channel: 0x04,
  message: 0x05,
  chunk: 0x06,
  chunkIndex: 0x08,
  statistics: 0x0b,
  dataEnd: 0x0f,
} as const;

export interface McapRecord {
  readonly opcode: number;
  /** Offset of the opcode in the bytes it was read from. */
  readonly offset: number;
  readonly content: Uint8Array;
}

export interface McapSchema {
  readonly id: number;
  readonly name: string;
  readonly encoding: string;
  readonly text: string;
}

export interface McapChannel {
  readonly id: number;
  readonly schemaId: number;
  readonly topic: string;
  readonly encoding: string;
  readonly metadata: ReadonlyMap<string, string>;
}

export interface McapMessage {
  readonly channelId: number;
  readonly logTime: Stamp;
  readonly data: Uint8Array;
}

export interface McapChunk {
  readonly start: Stamp;
  readonly end: Stamp;
  readonly uncompressedBytes: number;
  /** 0 means that the writer made none. */
  readonly crc: number;
  readonly compression: string;
  readonly records: Uint8Array;
}

export interface McapChunkIndex {
  readonly start: Stamp;
  readonly end: Stamp;
  readonly offset: number;
  readonly length: number;
  readonly channelIds: readonly number[];
}

export interface McapStatistics {
  readonly messageCount: bigint;
  readonly channelCount: number;
  readonly chunkCount: number;
  readonly start: Stamp;
  readonly end: Stamp;
  readonly counts: ReadonlyMap<number, number>;
}

/** Reads fields one after the other; throws RangeError past the end, which `parsed` turns into undefined. */
class FieldReader {
  readonly #view: DataView;
  #offset = 0;

  constructor(readonly bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  u16(): number {
    const value = this.#view.getUint16(this.#offset, true);
    this.#offset += 2;
    return value;
  }

  u32(): number {
    const value = this.#view.getUint32(this.#offset, true);
    this.#offset += 4;
    return value;
  }

  u64(): bigint {
    const value = this.#view.getBigUint64(this.#offset, true);
    this.#offset += 8;
    return value;
  }

  /** A length or an offset: beyond 2^53 it cannot be a true one. */
  size(): number {
    const value = this.u64();
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new RangeError(`length ${value} is not possible`);
    return Number(value);
  }

  take(length: number): Uint8Array {
    if (this.#offset + length > this.bytes.length) throw new RangeError('past the end of the record');
    const view = this.bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return view;
  }

  rest(): Uint8Array {
    return this.take(this.bytes.length - this.#offset);
  }

  text(): string {
    return textOf(this.take(this.u32()));
  }

  /** A map or array with its length in bytes before it: `each` is called until its bytes are used up. */
  entries(each: () => void): void {
    const end = this.u32() + this.#offset;
    if (end > this.bytes.length) throw new RangeError('past the end of the record');
    while (this.#offset < end) each();
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

function parsed<T>(content: Uint8Array, parse: (fields: FieldReader) => T): T | undefined {
  try {
    return parse(new FieldReader(content));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Length in bytes of the content of the record that begins at `offset`; undefined when even its header is cut. */
export function recordContentLength(bytes: Uint8Array, offset: number): number | undefined {
  if (offset + RECORD_HEADER_BYTES > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset + 1, 8);
  return Number(view.getBigUint64(0, true));
}

/**
 * The records that lie one after the other in `bytes`.
 * Returns how many bytes belonged to whole records: fewer than given means that the last one is cut.
 */
export function* recordsIn(bytes: Uint8Array): Generator<McapRecord, number, void> {
  let offset = 0;
  for (;;) {
    const length = recordContentLength(bytes, offset);
    if (length === undefined) return offset;
    const start = offset + RECORD_HEADER_BYTES;
    if (length > bytes.length - start) return offset;
    yield { opcode: bytes[offset], offset, content: bytes.subarray(start, start + length) };
    offset = start + length;
  }
}

export function parseSchema(content: Uint8Array): McapSchema | undefined {
  return parsed(content, (f) => ({
    id: f.u16(),
    name: f.text(),
    encoding: f.text(),
    text: textOf(f.take(f.u32())),
  }));
}

export function parseChannel(content: Uint8Array): McapChannel | undefined {
  return parsed(content, (f) => {
    const metadata = new Map<string, string>();
    const channel = { id: f.u16(), schemaId: f.u16(), topic: f.text(), encoding: f.text(), metadata };
    f.entries(() => metadata.set(f.text(), f.text()));
    return channel;
  });
}

export function parseMessage(content: Uint8Array): McapMessage | undefined {
  return parsed(content, (f) => {
    const channelId = f.u16();
    f.u32(); // sequence
    const logTime = f.u64();
    f.u64(); // publish time
    return { channelId, logTime, data: f.rest() };
  });
}

export function parseChunk(content: Uint8Array): McapChunk | undefined {
  return parsed(content, (f) => ({
    start: f.u64(),
    end: f.u64(),
    uncompressedBytes: f.size(),
    crc: f.u32(),
    compression: f.text(),
    records: f.take(f.size()),
  }));
}

export function parseChunkIndex(content: Uint8Array): McapChunkIndex | undefined {
  return parsed(content, (f) => {
    const channelIds: number[] = [];
    const index = { start: f.u64(), end: f.u64(), offset: f.size(), length: f.size(), channelIds };
    f.entries(() => {
      channelIds.push(f.u16());
      f.u64(); // offset of that channel's message index
    });
    return index;
  });
}

export function parseStatistics(content: Uint8Array): McapStatistics | undefined {
  return parsed(content, (f) => {
    const counts = new Map<number, number>();
    const messageCount = f.u64();
    f.u16(); // schemas
    const channelCount = f.u32();
    f.u32(); // attachments
    f.u32(); // metadata records
    const statistics = {
      messageCount,
      channelCount,
      chunkCount: f.u32(),
      start: f.u64(),
      end: f.u64(),
      counts,
    };
    f.entries(() => counts.set(f.u16(), f.size()));
    return statistics;
  });
}

/** Where the summary begins (0: there is none) and its checksum (0: none was made). */
export function parseFooter(content: Uint8Array): { summaryStart: number; summaryCrc: number } | undefined {
  return parsed(content, (f) => {
    const summaryStart = f.size();
    f.u64(); // start of the summary offsets
    return { summaryStart, summaryCrc: f.u32() };
  });
}
