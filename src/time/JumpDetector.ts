import type { DurationNs, Stamp } from './Stamp.js';

/** A restart of the data's time, as a looping recording or a reset simulator makes it. */
export interface ClockJump {
  readonly from: Stamp;
  readonly to: Stamp;
}

/**
 * Tells a restart of time from jitter in one stream of stamps: going back by at least the threshold is a
 * jump, less is an out-of-order message. Simulated clocks step back by micro- or milliseconds all the
 * time; treating those as restarts would throw the transform history away for ever.
 */
export class JumpDetector {
  readonly #threshold: DurationNs;
  #newest: Stamp | undefined;

  /** @param threshold smallest step back that counts, in ns; 0.1 s and more is sensible. */
  constructor(threshold: DurationNs) {
    this.#threshold = threshold;
  }

  get newest(): Stamp | undefined {
    return this.#newest;
  }

  /** The jump that this stamp is, or undefined. After a jump the new time is the one that holds. */
  observe(stamp: Stamp): ClockJump | undefined {
    const from = this.#newest;
    if (from !== undefined && from - stamp >= this.#threshold) {
      this.#newest = stamp;
      return { from, to: stamp };
    }
    if (from === undefined || stamp > from) this.#newest = stamp;
    return undefined;
  }

  reset(): void {
    this.#newest = undefined;
  }
}
