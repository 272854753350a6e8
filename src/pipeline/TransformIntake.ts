/**
 * Transforms and odometry into the buffer. Refusals are counted by cause with the child frame's name.
 * Odometry fills the edge odom → base only while TF brings none for that frame: with both, two slightly
 * different poses would alternate. One moving transform from the far future would make all good ones after it
 * too old, so what is far ahead of the sensors is refused.
 */
import type { Odometry, TransformStamped } from '../input/messages.js';
import { shortFrameId } from '../input/frameId.js';
import { withoutSlash, type TransformBuffer } from '../tf/TransformBuffer.js';
import { StampGate } from '../time/StampGate.js';
import { durationFromSeconds, secondsFromDuration, type Stamp } from '../time/Stamp.js';
import type { Counters } from './Counters.js';

export interface IntakeFrames {
  readonly odom: string;
  readonly base: string;
}

/** Localisers date ahead by a second or so; more is another clock. */
const MAX_AHEAD = durationFromSeconds(5);

/** Behind the sensors by more than this, a transform may be the first of a new pass: sensors lag behind transforms. */
const LATE = durationFromSeconds(0.5);

/** Late transforms kept of each frame: half a second at usual rates. */
const MAX_LATE = 50;

export class TransformIntake {
  readonly #buffer: TransformBuffer;
  readonly #counters: Counters;
  readonly #frames: IntakeFrames;
  readonly #odometryGate = new StampGate();
  readonly #fromTf = new Set<string>();
  readonly #fromOdometry = new Set<string>();
  /** By child frame: what came late and nothing newer after it. */
  readonly #late = new Map<string, TransformStamped[]>();

  constructor(buffer: TransformBuffer, counters: Counters, frames: IntakeFrames) {
    this.#buffer = buffer;
    this.#counters = counters;
    this.#frames = frames;
  }

  /**
   * @param newestSensor what time it is by the sensors, when they have told.
   * @returns whether its stamp can be believed, and not whether the transform is used.
   */
  addTransform(transform: TransformStamped, isStatic: boolean, newestSensor: Stamp | undefined): boolean {
    const stream = isStatic ? 'tf_static' : 'tf';
    const child = withoutSlash(transform.childFrameId);
    if (child !== transform.childFrameId || transform.parentFrameId.startsWith('/')) {
      const edge = `"${shortFrameId(transform.childFrameId)}" in "${shortFrameId(transform.parentFrameId)}"`;
      this.#counters.warn(stream, 'leading_slash', `transform of ${edge}: leading slash dropped`);
    }
    // Static transforms carry any stamp, often 0; for a moving one it means a sender without a clock.
    if (!isStatic && transform.stamp <= 0n) {
      this.#counters.refuse(stream, 'zero_stamp', `zero stamp on the transform of "${shortFrameId(child)}"`);
      return false;
    }
    if (!isStatic && newestSensor !== undefined) {
      if (this.#refuseAhead(child, transform.stamp, newestSensor)) return false;
    }
    if (this.#fromOdometry.delete(child)) this.#buffer.forget(child);
    if (this.#insert(transform, isStatic, stream)) this.#fromTf.add(child);
    if (!isStatic && newestSensor !== undefined) this.#keepLate(transform, child, newestSensor);
    return true;
  }

  addOdometry(odometry: Odometry): void {
    const badStamp = this.#odometryGate.refuse(odometry.stamp);
    if (badStamp) {
      this.#counters.refuse('odom', badStamp, `odometry with stamp ${odometry.stamp} ns`);
      return;
    }
    const childFrameId = odometry.childFrameId || this.#frames.base;
    const child = withoutSlash(childFrameId);
    if (this.#fromTf.has(child)) return;
    const parentFrameId = odometry.frameId || this.#frames.odom;
    if (this.#insert({ ...odometry, parentFrameId, childFrameId }, false, 'odom'))
      this.#fromOdometry.add(child);
  }

  /**
   * Time began anew: duplicates are no longer duplicates, and moving frames may come from elsewhere. Transforms
   * that ran before the sensors into the new time already belong to it.
   * @param to the sensors' first stamp of the new time.
   */
  reset(to: Stamp): void {
    this.#odometryGate.reset();
    this.#buffer.clear();
    for (const transform of [...this.#late.values()].flat()) {
      const apart = transform.stamp > to ? transform.stamp - to : to - transform.stamp;
      if (apart <= MAX_AHEAD) this.#buffer.insert(transform);
    }
    this.#late.clear();
  }

  /** A frame whose own transforms go on while the sensors pause is not ahead of its time. */
  #refuseAhead(child: string, stamp: Stamp, newestSensor: Stamp): boolean {
    const own = this.#buffer.newestStamp(child) ?? newestSensor;
    const ahead = stamp - newestSensor;
    if (ahead <= MAX_AHEAD || stamp - own <= MAX_AHEAD) return false;
    const seconds = secondsFromDuration(ahead).toFixed(1);
    const figures = `${seconds} s ahead of the newest picture or odometry, limit ${secondsFromDuration(MAX_AHEAD)} s`;
    const detail = `transform of "${shortFrameId(child)}" is ${figures}`;
    this.#counters.refuse('tf', 'stamp_ahead', detail);
    return true;
  }

  #keepLate(transform: TransformStamped, child: string, newestSensor: Stamp): void {
    if (newestSensor - transform.stamp < LATE) {
      this.#late.delete(child);
      return;
    }
    // Only frames that the buffer took: their number is bounded.
    if (!this.#buffer.hasFrame(child)) return;
    const late = this.#late.get(child) ?? [];
    this.#late.set(child, late);
    late.push(transform);
    if (late.length > MAX_LATE) late.shift();
  }

  #insert(transform: TransformStamped, isStatic: boolean, stream: string): boolean {
    const result = this.#buffer.insert(transform, isStatic);
    // Senders repeat themselves as a matter of course: no news, no refusal.
    if (!result.ok && result.cause !== 'repeated_data') {
      this.#counters.refuse(stream, result.cause, result.detail);
      return false;
    }
    return true;
  }
}
