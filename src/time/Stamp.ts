/** A moment on the data's clock: nanoseconds since the epoch of that clock, as in a ROS header. */
export type Stamp = bigint;

/** A span of time in nanoseconds. */
export type DurationNs = bigint;

const NS_PER_S = 1_000_000_000n;

/** The two integers of a ROS `builtin_interfaces/Time`. */
export interface RosTime {
  sec: number;
  nanosec: number;
}

/** `sec` and `nanosec` to one stamp. Negative seconds are kept negative. */
export function stampFromRosTime(time: RosTime): Stamp {
  return BigInt(time.sec) * NS_PER_S + BigInt(time.nanosec);
}

/** A stamp as a ROS time; `nanosec` is always in [0, 1e9). */
export function rosTimeFromStamp(stamp: Stamp): RosTime {
  let sec = stamp / NS_PER_S;
  let nanosec = stamp % NS_PER_S;
  if (nanosec < 0n) {
    nanosec += NS_PER_S;
    sec -= 1n;
  }
  return { sec: Number(sec), nanosec: Number(nanosec) };
}

/** Seconds (a number, for display and parameters only) to nanoseconds, rounded to the nearest. */
export function durationFromSeconds(seconds: number): DurationNs {
  return BigInt(Math.round(seconds * 1e9));
}

/** Nanoseconds to seconds. Exact to the microsecond for spans below a century. */
export function secondsFromDuration(duration: DurationNs): number {
  return Number(duration / NS_PER_S) + Number(duration % NS_PER_S) / 1e9;
}

/** `2026-07-27T12:00:00Z`, with milliseconds only where they are not zero. */
export function isoFromStamp(stamp: Stamp): string {
  const ms = stamp / 1_000_000n;
  const text = new Date(Number(ms)).toISOString();
  return ms % 1000n === 0n ? text.replace('.000Z', 'Z') : text;
}
