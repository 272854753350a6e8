import decompressLz4 from '@foxglove/wasm-lz4';
import * as zstd from '@foxglove/wasm-zstd';
import type { SkipCause } from './SkipCounts.js';

/**
 * Largest chunk or message that is unpacked. Recorders use 1 to 4 MB, one image more at most; a length beyond this
 * is a damaged one, and believing it would allocate what the machine may not have.
 */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

export type Unpacked = { ok: true; bytes: Uint8Array } | { ok: false; cause: SkipCause };

/** Resolves once the decompressors may be called. */
export async function decompressorsReady(): Promise<void> {
  await Promise.all([zstd.isLoaded, decompressLz4.isLoaded]);
}

/** Unpacks `bytes` to exactly `size` bytes. `compression` as MCAP names it: '', 'zstd' or 'lz4'. */
export function decompress(bytes: Uint8Array, compression: string, size: number): Unpacked {
  if (size > MAX_UNPACKED_BYTES) return { ok: false, cause: 'chunk_too_large' };
  if (compression === '' || size === 0) {
    return bytes.length === size ? { ok: true, bytes } : { ok: false, cause: 'chunk_undecodable' };
  }
  if (compression !== 'zstd' && compression !== 'lz4') return { ok: false, cause: 'unsupported_compression' };
  try {
    const unpacked = compression === 'zstd' ? zstd.decompress(bytes, size) : decompressLz4(bytes, size);
    return unpacked.length === size
      ? { ok: true, bytes: unpacked }
      : { ok: false, cause: 'chunk_undecodable' };
  } catch {
    // The decompressors throw plain errors for damaged input and tell no more than that.
    return { ok: false, cause: 'chunk_undecodable' };
  }
}
