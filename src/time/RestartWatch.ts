/**
 * Tells from the stamps alone that the data's time has begun anew. Sensors say it for themselves: a stream of
 * pictures or odometry comes from one sender and does not go back. Transforms need two witnesses, as several
 * senders with different delays may feed one frame: the frame's own newest stamp and that of the sensors.
 */
import { JumpDetector, type ClockJump } from './JumpDetector.js';
import { durationFromSeconds, type DurationNs, type Stamp } from './Stamp.js';

/** Senders of one frame differ by their delays and by dating ahead, which is below this in practice. */
const TRANSFORM_THRESHOLD = durationFromSeconds(1);

export class RestartWatch {
  readonly #threshold: DurationNs;
  readonly #sensors = new Map<string, JumpDetector>();
  readonly #transforms = new Map<string, Stamp>();
  #newestSensor: Stamp | undefined;

  /** @param threshold smallest step back of a sensor's stamps that is a restart. */
  constructor(threshold: DurationNs) {
    this.#threshold = threshold;
  }

  observeSensor(stream: string, stamp: Stamp): ClockJump | undefined {
    if (stamp <= 0n) return undefined;
    let detector = this.#sensors.get(stream);
    if (!detector) this.#sensors.set(stream, (detector = new JumpDetector(this.#threshold)));
    const jump = detector.observe(stamp);
    if (jump) return this.#restart(jump);
    if (this.#newestSensor === undefined || stamp > this.#newestSensor) this.#newestSensor = stamp;
    return undefined;
  }

  observeTransform(childFrameId: string, stamp: Stamp): ClockJump | undefined {
    if (stamp <= 0n) return undefined;
    const newest = this.#transforms.get(childFrameId);
    if (newest === undefined || stamp > newest) {
      this.#transforms.set(childFrameId, stamp);
      return undefined;
    }
    const limit = this.#threshold > TRANSFORM_THRESHOLD ? this.#threshold : TRANSFORM_THRESHOLD;
    const sensor = this.#newestSensor;
    if (newest - stamp < limit || sensor === undefined || sensor - stamp < limit) return undefined;
    return this.#restart({ from: newest, to: stamp });
  }

  reset(): void {
    this.#sensors.clear();
    this.#transforms.clear();
    this.#newestSensor = undefined;
  }

  #restart(jump: ClockJump): ClockJump {
    this.reset();
    return jump;
  }
}
