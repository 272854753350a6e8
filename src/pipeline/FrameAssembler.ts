/**
 * Messages in, placed and decoded frames out: the one way from inputs to geometry, live and in replay. Holds
 * the transform buffer and one assembly per camera; tells of clock jumps. Everything that decides what becomes
 * of a message follows from stamps and order of arrival, so a replay repeats it exactly.
 *
 * Use: `push` each message; after each, `takeReady` (every frame in order) or `takeNewest` (live: older ones
 * are counted as dropped); `decode` what was taken. Live owners call `expire` now and then.
 */
import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { shortFrameId } from '../input/frameId.js';
import type { InputMessage, TransformStamped } from '../input/messages.js';
import type { Result } from '../math/Result.js';
import { TransformBuffer } from '../tf/TransformBuffer.js';
import type { ClockJump } from '../time/JumpDetector.js';
import { RestartWatch } from '../time/RestartWatch.js';
import { durationFromSeconds, type DurationNs, type Stamp } from '../time/Stamp.js';
import { classNames, type NameOfClass } from './classNames.js';
import { CameraAssembly, type FrameParameters, type Newest } from './CameraAssembly.js';
import { Counters, type Report } from './Counters.js';
import { decodePendingFrame, type PendingFrame } from './PendingFrame.js';
import { TransformIntake } from './TransformIntake.js';

export interface FrameAssemblerCallbacks {
  /** Time jumped back; what comes from now on belongs to the new time. Called before its first message counts. */
  readonly onClockJump?: (jump: ClockJump) => void;
  /** Once per stream and cause: for the log. */
  readonly onFirstReport?: (report: Report) => void;
}

/** More cameras than a robot has; a camera beyond that is a naming accident. */
const MAX_CAMERAS = 16;

/** A recording that is played slowly is no silence. */
const QUIET_AFTER_S = 1;

export class FrameAssembler {
  readonly transforms: TransformBuffer;
  readonly counters: Counters;
  readonly #parameters: FrameParameters;
  readonly #callbacks: FrameAssemblerCallbacks;
  readonly #intake: TransformIntake;
  readonly #nameOf: NameOfClass;
  readonly #watch: RestartWatch;
  readonly #cameras = new Map<string, CameraAssembly>();
  #ready: PendingFrame[] = [];
  #newestStamp: Stamp = 0n;
  /** When a sensor was last heard, on a steady clock. */
  #lastArrival: DurationNs | undefined;
  readonly #quietAfter: DurationNs;

  /** @throws ParameterError when the names of a detector's classes cannot be read */
  constructor(parameters: FrameParameters, callbacks: FrameAssemblerCallbacks) {
    this.#parameters = parameters;
    this.#quietAfter = durationFromSeconds(Math.max(QUIET_AFTER_S, parameters.detector.waitS));
    this.#nameOf = classNames(parameters.detector);
    this.#callbacks = callbacks;
    this.transforms = new TransformBuffer(durationFromSeconds(parameters.tf.cacheS));
    this.counters = new Counters(callbacks.onFirstReport);
    this.#intake = new TransformIntake(this.transforms, this.counters, parameters.frames);
    this.#watch = new RestartWatch(durationFromSeconds(parameters.time.jumpBackS));
  }

  /** @param nowSteady time of arrival on a steady clock, for `expire`; leave it out in a replay. */
  push(message: InputMessage, nowSteady?: DurationNs): void {
    switch (message.kind) {
      case 'color':
      case 'depth': {
        const camera = this.#camera(message.camera);
        if (!camera) {
          this.#refuseCamera(message.camera, message.kind === 'depth');
          break;
        }
        const stream = this.#receive(message.camera, message.kind);
        this.#observeSensor(stream, message.image.stamp, nowSteady);
        camera.addImage(message.kind, message.image, this.#newestStamp, nowSteady);
        break;
      }
      case 'color_info':
      case 'depth_info': {
        const camera = this.#camera(message.camera);
        if (!camera) {
          this.#refuseCamera(message.camera, false);
          break;
        }
        this.#receive(message.camera, message.kind);
        camera.addInfo(message.kind === 'color_info' ? 'color' : 'depth', message.info);
        break;
      }
      case 'tf':
      case 'tf_static':
        this.counters.receive(message.kind);
        for (const transform of message.transforms)
          this.#addTransform(transform, message.kind === 'tf_static');
        break;
      case 'odom':
        this.counters.receive('odom');
        this.#observeSensor('odom', message.odometry.stamp, nowSteady);
        this.#intake.addOdometry(message.odometry);
        break;
      case 'detections':
      case 'instances': {
        const camera = this.#camera(message.camera);
        if (!camera) {
          this.#refuseCamera(message.camera, false);
          break;
        }
        this.#receive(message.camera, message.kind);
        if (message.kind === 'detections') camera.addDetections(message.detections);
        else camera.addInstances(message.image);
        break;
      }
    }
    for (const camera of this.#cameras.values()) this.#addReady(camera.advance(this.#newest));
  }

  /** Depth pictures that came in and are neither dropped nor taken yet. */
  get pendingFrames(): number {
    return [...this.#cameras.values()].reduce(
      (sum, camera) => sum + camera.pendingFrames,
      this.#ready.length,
    );
  }

  /** Every frame that is ready, oldest first. */
  takeReady(): PendingFrame[] {
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** The newest ready frame of each camera; the older ones are dropped and counted. */
  takeNewest(): PendingFrame[] {
    const newest = new Map<string, PendingFrame>();
    for (const frame of this.takeReady()) {
      if (newest.delete(frame.cameraName)) this.#dropForNewer();
      newest.set(frame.cameraName, frame);
    }
    return [...newest.values()];
  }

  /** Decodes the pictures; a failure is counted here. Who makes an observation of it counts it as used. */
  async decode(pending: PendingFrame): Promise<Result<RgbdFrame>> {
    const decoded = await decodePendingFrame(pending, this.#nameOf);
    const prefix = pending.cameraName === '' ? '' : `${pending.cameraName}/`;
    if (!decoded.ok) {
      this.counters.refuse(`${prefix}depth`, decoded.cause, decoded.detail);
      this.counters.dropFrame(decoded.cause, decoded.detail, true);
      return decoded;
    }
    const { frame, colorFailure, problems = [] } = decoded.value;
    for (const { kind, cause, detail } of problems) this.counters.refuse(`${prefix}${kind}`, cause, detail);
    if (colorFailure) this.counters.refuse(`${prefix}color`, colorFailure.cause, colorFailure.detail);
    return { ok: true, value: frame };
  }

  /** Drops frames that have waited too long by the steady clock, also when no data comes any more. */
  expire(nowSteady: DurationNs): void {
    const isQuiet = nowSteady - (this.#lastArrival ?? nowSteady) > this.#quietAfter;
    for (const camera of this.#cameras.values())
      this.#addReady(camera.expire(this.#newest, nowSteady, isQuiet));
  }

  /** The end of the data: what can still be paired and placed becomes ready, the rest is dropped. */
  flush(): void {
    for (const camera of this.#cameras.values()) this.#addReady(camera.flush(this.#newest));
  }

  /** For a clock that says itself that it jumped back (`/clock`); jumps of stamps are found here. */
  clockJumped(jump: ClockJump): void {
    this.#watch.reset();
    this.#restart(jump);
  }

  get #newest(): Newest {
    return { any: this.#newestStamp, sensor: this.#watch.newestSensor ?? 0n };
  }

  #addTransform(transform: TransformStamped, isStatic: boolean): void {
    const isTimely = this.#intake.addTransform(transform, isStatic, this.#watch.newestSensor);
    if (!isStatic && isTimely) this.#observe(undefined, transform.stamp);
  }

  #observeSensor(stream: string, stamp: Stamp, nowSteady: DurationNs | undefined): void {
    if (nowSteady !== undefined) this.#lastArrival = nowSteady;
    this.#observe(this.#watch.observeSensor(stream, stamp), stamp);
  }

  #observe(jump: ClockJump | undefined, stamp: Stamp): void {
    if (jump) this.#restart(jump);
    if (stamp > this.#newestStamp) this.#newestStamp = stamp;
  }

  #restart(jump: ClockJump): void {
    for (const camera of this.#cameras.values()) camera.reset();
    for (const frame of this.takeReady()) {
      this.counters.dropFrame(
        'clock_jump',
        `time jumped back before the frame at ${frame.stamp} ns was used`,
      );
    }
    this.#intake.reset(jump.to);
    this.#newestStamp = 0n;
    this.#callbacks.onClockJump?.(jump);
  }

  #camera(name: string): CameraAssembly | undefined {
    let camera = this.#cameras.get(name);
    if (!camera && this.#cameras.size < MAX_CAMERAS) {
      camera = new CameraAssembly(name, this.#parameters, this.transforms, this.counters);
      this.#cameras.set(name, camera);
    }
    return camera;
  }

  /** All such cameras under one name, or their names would fill the memory instead of their pictures. */
  #refuseCamera(name: string, isDepth: boolean): void {
    const stream = 'other_cameras';
    const detail = `camera "${shortFrameId(name)}" is one more than the ${MAX_CAMERAS} that are kept`;
    this.counters.receive(stream);
    this.counters.refuse(stream, 'too_many_cameras', detail);
    if (!isDepth) return;
    this.counters.frameIn();
    this.counters.dropFrame('too_many_cameras', detail, true);
  }

  #receive(camera: string, kind: string): string {
    const stream = camera === '' ? kind : `${camera}/${kind}`;
    this.counters.receive(stream);
    return stream;
  }

  #addReady(frames: readonly PendingFrame[]): void {
    this.#ready.push(...frames);
    while (this.#ready.length > this.#parameters.sync.queueSize) {
      this.#ready.shift();
      this.#dropForNewer();
    }
  }

  #dropForNewer(): void {
    this.counters.dropFrame('newer_frame', 'the pipeline was busy and went on with a newer frame');
  }
}

export function createFrameAssembler(
  parameters: FrameParameters,
  callbacks: FrameAssemblerCallbacks = {},
): FrameAssembler {
  return new FrameAssembler(parameters, callbacks);
}
