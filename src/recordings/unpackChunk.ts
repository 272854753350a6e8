import { crc32 } from 'node:zlib';
import { decompress, type Unpacked } from './decompress.js';
import type { McapChunk } from './mcapRecords.js';

/** The records of a chunk, unpacked and checked against the chunk's checksum. */
export function unpackChunk(chunk: McapChunk | undefined): Unpacked {
  if (!chunk) return { ok: false, cause: 'malformed_record' };
  const unpacked = decompress(chunk.records, chunk.compression, chunk.uncompressedBytes);
  if (unpacked.ok && chunk.crc !== 0 && crc32(unpacked.bytes) !== chunk.crc) {
    return { ok: false, cause: 'chunk_crc_mismatch' };
  }
  return unpacked;
}
