import type { DurationNs } from './Stamp.js';

/** A steady clock: never jumps, says nothing about the date. For timeouts only; data has its own stamps. */
export interface Clock {
  /** Nanoseconds since an arbitrary start. */
  now(): DurationNs;
}

/** The machine's monotonic clock. */
export const steadyClock: Clock = { now: () => process.hrtime.bigint() };
