/**
 * Tells from the sensors' stamps that the data's time has begun anew: a stream of pictures or odometry comes from
 * one sender and does not go back. Transforms are no witnesses: several senders with different delays feed one
 * frame, and a single late one would be taken for a restart.
 */
import { JumpDetector, type ClockJump } from './JumpDetector.js';
import type { DurationNs, Stamp } from './Stamp.js';

export class RestartWatch {
  readonly #threshold: DurationNs;
  readonly #sensors = new Map<string, JumpDetector>();
  #newestSensor: Stamp | undefined;

  /** @param threshold smallest step back of a sensor's stamps that is a restart. */
  constructor(threshold: DurationNs) {
    this.#threshold = threshold;
  }

  /** What time it is by the sensors; undefined before the first of them and after a reset. */
  get newestSensor(): Stamp | undefined {
    return this.#newestSensor;
  }

  observeSensor(stream: string, stamp: Stamp): ClockJump | undefined {
    if (stamp <= 0n) return undefined;
    let detector = this.#sensors.get(stream);
    if (!detector) this.#sensors.set(stream, (detector = new JumpDetector(this.#threshold)));
    const jump = detector.observe(stamp);
    if (jump) this.reset();
    if (this.#newestSensor === undefined || stamp > this.#newestSensor) this.#newestSensor = stamp;
    return jump;
  }

  reset(): void {
    this.#sensors.clear();
    this.#newestSensor = undefined;
  }
}
