/**
 * One camera's way from pictures to placed frames: stamps checked, colour paired with depth, then waiting for
 * calibration and transforms, and for what a detector elsewhere says, in the order of the depth stamps. How long it waits is told by the data's own
 * time; a live owner also lets it expire by a steady clock, for when no data comes any more.
 */
import { CameraInfoCache } from '../camera/CameraInfoCache.js';
import { MAX_FRAME_ID_LENGTH, shortFrameId } from '../input/frameId.js';
import type { CameraInfo, CompressedImage, Detections2D, RawImage } from '../input/messages.js';
import { FrameIdGate } from '../sync/FrameIdGate.js';
import { FramePairer, type Pair, type Stamped } from '../sync/FramePairer.js';
import { withoutSlash, type TransformBuffer } from '../tf/TransformBuffer.js';
import { StampGate } from '../time/StampGate.js';
import { durationFromSeconds, type DurationNs, type Stamp } from '../time/Stamp.js';
import type { Counters } from './Counters.js';
import { DetectionIntake } from './DetectionIntake.js';
import type { Parameters } from './parameters.js';
import type { PendingFrame } from './PendingFrame.js';
import { placeFrame, type CameraModels, type Picture } from './placeFrame.js';

/** What of the parameters frames depend on. */
export type FrameParameters = Pick<
  Parameters,
  'frames' | 'grippers' | 'sync' | 'tf' | 'time' | 'opticalFrames' | 'detector'
>;

/** Without colour for this long (by stamps) depth goes on alone; below it colour may merely be late. */
const COLOR_ABSENT_AFTER_S = 1;

interface Waiting extends Pair<Picture, Picture> {
  /** The newest stamp of any input when the waiting began. */
  readonly sinceStamp: Stamp;
  readonly sinceSteady: DurationNs | undefined;
  /** Once it is placed; a detector may still be waited for. */
  placed?: PendingFrame;
}

/** The newest stamps of all that has come. */
export interface Newest {
  readonly any: Stamp;
  /** Of pictures and odometry: localisers date their transforms ahead. */
  readonly sensor: Stamp;
}

export class CameraAssembly {
  readonly #name: string;
  readonly #parameters: FrameParameters;
  readonly #buffer: TransformBuffer;
  readonly #counters: Counters;
  readonly #models: CameraModels = { color: new CameraInfoCache(), depth: new CameraInfoCache() };
  readonly #gates = { color: new StampGate(), depth: new StampGate() };
  readonly #holders = { color: new FrameIdGate(), depth: new FrameIdGate() };
  readonly #pairer: FramePairer<Picture, Picture>;
  readonly #waitNs: DurationNs;
  /** Absent: nobody else names things. */
  readonly #told: DetectionIntake | undefined;
  #waiting: Waiting[] = [];

  constructor(name: string, parameters: FrameParameters, buffer: TransformBuffer, counters: Counters) {
    this.#name = name;
    this.#parameters = parameters;
    this.#buffer = buffer;
    this.#counters = counters;
    this.#waitNs = durationFromSeconds(parameters.tf.waitS);
    this.#told =
      parameters.detector.source === 'topic' ? new DetectionIntake(name, parameters, counters) : undefined;
    this.#pairer = new FramePairer({
      maxInterval: durationFromSeconds(parameters.sync.maxIntervalS),
      queueSize: parameters.sync.queueSize,
      colorAbsentAfter: durationFromSeconds(COLOR_ABSENT_AFTER_S),
      onDrop: (stream, item, cause) => this.#onPairerDrop(stream, item, cause),
    });
  }

  addInfo(role: 'color' | 'depth', info: CameraInfo): void {
    const frameId = withoutSlash(info.frameId.trim());
    if (frameId.length > MAX_FRAME_ID_LENGTH) {
      const stream = `${this.#stream(role)}_info`;
      this.#counters.refuse(stream, 'frame_id_too_long', `frame_id "${shortFrameId(frameId)}"`);
      return;
    }
    this.#models[role].add(frameId, info);
  }

  addImage(
    role: 'color' | 'depth',
    image: RawImage | CompressedImage,
    newestStamp: Stamp,
    nowSteady: DurationNs | undefined,
  ): void {
    if (role === 'depth') this.#counters.frameIn();
    const picture = this.#checkImage(role, image);
    if (!picture) return;
    const pairs = role === 'depth' ? this.#pairer.pushDepth(picture) : this.#pairer.pushColor(picture);
    this.#wait(pairs, newestStamp, nowSteady);
  }

  addDetections(message: Detections2D): void {
    this.#told?.addDetections(message);
  }

  addInstances(image: RawImage): void {
    this.#told?.addInstances(image);
  }

  /** Depth pictures that wait here: for a partner, a transform, a camera info or a detector. */
  get pendingFrames(): number {
    return this.#waiting.length + this.#pairer.depthSize;
  }

  /** Frames that are ready now, in order; drops those that waited too long to be placed. */
  advance(newest: Newest): PendingFrame[] {
    return this.#advance(newest, ({ sinceStamp }) => newest.any - sinceStamp > this.#waitNs, false);
  }

  /**
   * The same by a steady clock; frames that came in without a steady time do not expire by it.
   * @param isQuiet nothing has come for so long that a detector need not be waited for
   */
  expire(newest: Newest, nowSteady: DurationNs, isQuiet: boolean): PendingFrame[] {
    const isOverdue = ({ sinceSteady }: Waiting): boolean =>
      sinceSteady !== undefined && nowSteady - sinceSteady > this.#waitNs;
    return this.#advance(newest, isOverdue, isQuiet);
  }

  /** No more data will come: whatever cannot be placed now is dropped with its cause. */
  flush(newest: Newest): PendingFrame[] {
    this.#wait(this.#pairer.flush(), newest.any, undefined);
    const ready = this.#advance(newest, () => true, true);
    this.#told?.flush();
    return ready;
  }

  /** Time began anew: pictures of the old time are dropped, calibrations stay. */
  reset(): void {
    const held = this.pendingFrames;
    for (let index = 0; index < held; index++) {
      this.#counters.dropFrame('clock_jump', 'time jumped back while the frame was waiting');
    }
    this.#waiting = [];
    this.#pairer.clear();
    this.#told?.reset();
    for (const role of ['color', 'depth'] as const) {
      this.#gates[role].reset();
      this.#holders[role].reset();
    }
  }

  /** @param isLast no detector is waited for any more */
  #advance(newest: Newest, isOverdue: (entry: Waiting) => boolean, isLast: boolean): PendingFrame[] {
    const ready: PendingFrame[] = [];
    for (;;) {
      const [head] = this.#waiting;
      if (!head) return ready;
      head.placed ??= this.#place(head, isOverdue(head));
      if (head.placed === undefined) {
        if (this.#waiting[0] === head) return ready;
        continue;
      }
      const told = this.#askDetector(head, newest.sensor, isLast);
      if (told === undefined) return ready;
      this.#waiting.shift();
      ready.push({ ...head.placed, ...told });
    }
  }

  /** Undefined when it waits on, or has been dropped: then it is no longer the first. */
  #place(head: Waiting, isOverdue: boolean): PendingFrame | undefined {
    const { map, base } = this.#parameters.frames;
    const names = { map, base, grippers: this.#parameters.grippers };
    const placing = placeFrame(this.#name, head, this.#models, this.#buffer, names, isOverdue);
    if (placing.kind === 'wait' && !isOverdue) return undefined;
    if (placing.kind !== 'ready') {
      this.#waiting.shift();
      if (head.color) this.#told?.skip(head.color.stamp);
      this.#counters.dropFrame(placing.cause, placing.detail);
      return undefined;
    }
    if (placing.colorFailure) {
      this.#counters.refuse(this.#stream('color'), placing.colorFailure.cause, placing.colorFailure.detail);
    }
    return placing.frame;
  }

  /** What goes with the frame of what a detector says; undefined while that may still come. */
  #askDetector(
    { color, placed }: Waiting,
    now: Stamp,
    isLast: boolean,
  ): Pick<PendingFrame, 'told'> | undefined {
    if (this.#told === undefined || color === undefined || placed?.color === undefined) return {};
    const next = this.#waiting.slice(1).find((entry) => entry.color !== undefined)?.color?.stamp;
    // A frame gives up its names before another one gives up its place.
    const isFull = this.#waiting.length >= this.#parameters.sync.queueSize;
    const told = this.#told.ask({ stamp: color.stamp, next, now, isLast: isLast || isFull });
    return told && { told };
  }

  #wait(
    pairs: readonly Pair<Picture, Picture>[],
    sinceStamp: Stamp,
    sinceSteady: DurationNs | undefined,
  ): void {
    for (const pair of pairs) this.#waiting.push({ ...pair, sinceStamp, sinceSteady });
    while (this.#waiting.length > this.#parameters.sync.queueSize) {
      this.#waiting.shift();
      this.#counters.dropFrame('queue_full', 'too many frames wait for transforms or camera infos');
    }
  }

  /** The picture under the right frame's name, or undefined after counting why it is refused. */
  #checkImage(role: 'color' | 'depth', image: RawImage | CompressedImage): Picture | undefined {
    const headerFrame = image.frameId.trim();
    if (headerFrame === '')
      return this.#refuseImage(role, 'empty_frame_id', `empty frame_id on the ${role} image`);
    const infoFrameId = withoutSlash(headerFrame);
    if (infoFrameId.length > MAX_FRAME_ID_LENGTH)
      return this.#refuseImage(role, 'frame_id_too_long', `frame_id "${shortFrameId(infoFrameId)}"`);
    const holder = this.#holders[role].refuse(infoFrameId, image.stamp);
    if (holder !== undefined) {
      const detail = `${role} image in "${shortFrameId(infoFrameId)}" on a topic that carries "${shortFrameId(holder)}": one camera per topic`;
      return this.#refuseImage(role, 'second_frame_id', detail);
    }
    const badStamp = this.#gates[role].refuse(image.stamp);
    if (badStamp) return this.#refuseImage(role, badStamp, `${role} image with stamp ${image.stamp} ns`);
    const stream = this.#stream(role);
    if (infoFrameId !== headerFrame) {
      this.#counters.warn(
        stream,
        'leading_slash',
        `frame_id "${shortFrameId(image.frameId)}": leading slash dropped`,
      );
    }
    const key = this.#name === '' ? role : `${this.#name}_${role}`;
    const frameId = this.#parameters.opticalFrames[key] ?? infoFrameId;
    if (!/optical(_frame)?$/.test(frameId)) {
      const detail =
        `images are in "${shortFrameId(frameId)}", which does not call itself optical: its z axis is taken as the viewing ` +
        `direction. If it is a body frame, name the right one by optical_frames.${key}`;
      this.#counters.warn(stream, 'frame_not_optical', detail);
    }
    return { stamp: image.stamp, image, frameId, infoFrameId };
  }

  #refuseImage(role: 'color' | 'depth', cause: string, detail: string): undefined {
    this.#counters.refuse(this.#stream(role), cause, detail);
    if (role === 'depth') this.#counters.dropFrame(cause, detail, true);
    return undefined;
  }

  #onPairerDrop(role: 'color' | 'depth', { stamp }: Stamped, cause: string): void {
    // Spare colour pictures are the normal case: depth is often the slower stream.
    if (role === 'color') return;
    this.#counters.dropFrame(cause, `depth image at ${stamp} ns found no colour image near enough in time`);
  }

  #stream(role: 'color' | 'depth'): string {
    return this.#name === '' ? role : `${this.#name}/${role}`;
  }
}
