import type { Stamp } from './Stamp.js';

export type StampCause = 'zero_stamp' | 'duplicate_stamp' | 'out_of_order_stamp';

/**
 * Lets the stamps of one stream through while they rise. Of several messages with one stamp the first counts.
 * Zero and negative stamps are those of a driver without a clock: never "now", never "latest".
 */
export class StampGate {
  #newest: Stamp | undefined;

  /** Why this stamp cannot be used, or undefined when it can and is now the newest. */
  refuse(stamp: Stamp): StampCause | undefined {
    if (stamp <= 0n) return 'zero_stamp';
    if (this.#newest !== undefined) {
      if (stamp === this.#newest) return 'duplicate_stamp';
      if (stamp < this.#newest) return 'out_of_order_stamp';
    }
    this.#newest = stamp;
    return undefined;
  }

  reset(): void {
    this.#newest = undefined;
  }
}
