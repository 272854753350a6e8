/**
 * Transforms and odometry into the buffer. Refusals are counted by cause with the child frame's name.
 * Odometry fills the edge odom → base only while TF brings none for that frame: with both, two slightly
 * different poses would alternate.
 */
import type { Odometry, TransformStamped } from '../input/messages.js';
import { withoutSlash, type TransformBuffer } from '../tf/TransformBuffer.js';
import { StampGate } from '../time/StampGate.js';
import type { Counters } from './Counters.js';

export interface IntakeFrames {
  readonly odom: string;
  readonly base: string;
}

export class TransformIntake {
  readonly #buffer: TransformBuffer;
  readonly #counters: Counters;
  readonly #frames: IntakeFrames;
  readonly #odometryGate = new StampGate();
  readonly #fromTf = new Set<string>();
  readonly #fromOdometry = new Set<string>();

  constructor(buffer: TransformBuffer, counters: Counters, frames: IntakeFrames) {
    this.#buffer = buffer;
    this.#counters = counters;
    this.#frames = frames;
  }

  addTransform(transform: TransformStamped, isStatic: boolean): void {
    const stream = isStatic ? 'tf_static' : 'tf';
    const child = withoutSlash(transform.childFrameId);
    if (child !== transform.childFrameId || transform.parentFrameId.startsWith('/')) {
      const detail = `transform of "${transform.childFrameId}" in "${transform.parentFrameId}": leading slash dropped`;
      this.#counters.warn(stream, 'leading_slash', detail);
    }
    // Static transforms carry any stamp, often 0; for a moving one it means a sender without a clock.
    if (!isStatic && transform.stamp <= 0n) {
      this.#counters.refuse(stream, 'zero_stamp', `zero stamp on the transform of "${child}"`);
      return;
    }
    if (this.#fromOdometry.delete(child)) this.#buffer.forget(child);
    if (this.#insert(transform, isStatic, stream)) this.#fromTf.add(child);
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

  /** Time began anew: duplicates are no longer duplicates, and moving frames may come from elsewhere. */
  reset(): void {
    this.#odometryGate.reset();
    this.#buffer.clear();
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
