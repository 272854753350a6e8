import * as zstd from '@foxglove/wasm-zstd';
import { decompressLz4 } from './decompressLz4.js';
import type { SkipCause } from './SkipCounts.js';

/**
 * Largest chunk or message that is unpacked. Recorders use 1 to 4 MB, one image more at most; a length beyond this
 * is a damaged one, and believing it would allocate what the machine may not have.
 */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;

export type Unpacked = { ok: true; bytes: Uint8Array } | { ok: false; cause: SkipCause };

/** Resolves once `decompress` may be called. */
export async function decompressorsReady(): Promise<void> {
  await zstd.isLoaded;
}

/** Unpacks `bytes` to exactly `size` bytes. `compression` as MCAP names it: '', 'zstd' or 'lz4'. */
export function decompress(bytes: Uint8Array, compression: string, size: number): Unpacked {
  if (size > MAX_UNPACKED_BYTES) return { ok: false, cause: 'chunk_too_large' };
  if (compression !== '' && compression !== 'zstd' && compression !== 'lz4') {
    return { ok: false, cause: 'unsupported_compression' };
  }
  const unpacked =
    compression === ''
      ? bytes
      : compression === 'lz4'
        ? decompressLz4(bytes, size)
        : decompressZstd(bytes, size);
  return unpacked?.length === size
    ? { ok: true, bytes: unpacked }
    : { ok: false, cause: 'chunk_undecodable' };
}

function decompressZstd(bytes: Uint8Array, size: number): Uint8Array | undefined {
  if (size === 0) return new Uint8Array(0);
  try {
    return zstd.decompress(bytes, size);
  } catch {
    // Plain errors for damaged input, without a reason in them.
    return undefined;
  }
}
