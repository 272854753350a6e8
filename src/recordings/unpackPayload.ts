import { decompress } from './decompress.js';
import type { MessageCompression } from './openPart.js';
import type { SkipCounts } from './SkipCounts.js';
import { zstdContentSize } from './zstdContentSize.js';

/** The payload of a message of a bag whose messages are packed one by one; undefined, and counted, if damaged. */
export function unpackPayload(
  data: Uint8Array,
  compression: MessageCompression,
  skipped: SkipCounts,
): Uint8Array | undefined {
  if (compression === 'none' || data.length === 0) return data;
  const size = zstdContentSize(data);
  const unpacked = size === undefined ? undefined : decompress(data, 'zstd', size);
  if (unpacked?.ok) return unpacked.bytes;
  skipped.add('payload_undecodable');
  return undefined;
}
