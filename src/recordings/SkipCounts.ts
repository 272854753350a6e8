/** Why a record of a recording was not delivered. */
export type SkipCause =
  | 'empty_payload'
  | 'short_payload'
  | 'unknown_channel'
  | 'malformed_record'
  | 'chunk_crc_mismatch'
  | 'chunk_undecodable'
  | 'chunk_too_large'
  | 'chunk_unreadable'
  | 'unsupported_compression'
  | 'payload_undecodable'
  | 'storage_error';

/** Counts what was skipped, by cause. Other stages of a replay may add causes of their own. */
export class SkipCounts {
  readonly #counts = new Map<string, number>();

  add(cause: string, count = 1): void {
    this.#counts.set(cause, (this.#counts.get(cause) ?? 0) + count);
  }

  get(cause: string): number {
    return this.#counts.get(cause) ?? 0;
  }

  get total(): number {
    let sum = 0;
    for (const count of this.#counts.values()) sum += count;
    return sum;
  }

  /** Plain object, causes in alphabetical order. */
  toObject(): Record<string, number> {
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
