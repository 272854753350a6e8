/**
 * What another node says of one camera's colour pictures, boxes and instance images each on a topic of its own, until
 * the picture's frame asks for it. A frame goes on with whatever was said of its picture, or without: then it is as
 * depth alone sees it. Why, is counted with the stream `detector`; messages that no frame gets, with their own.
 */
import type { ToldOfPicture } from '../camera/decodeDetections.js';
import type { Detections2D, RawImage } from '../input/messages.js';
import { FollowUps, type Asked, type NoFollowUpCause } from '../sync/FollowUps.js';
import { StampGate } from '../time/StampGate.js';
import { durationFromSeconds } from '../time/Stamp.js';
import type { Counters } from './Counters.js';
import type { Parameters } from './parameters.js';

type Kind = keyof ToldOfPicture;

interface Stream<M extends Detections2D | RawImage> {
  readonly gate: StampGate;
  readonly followUps: FollowUps<M>;
  /** What the last picture that was asked about gets: it may still wait for the other stream. */
  decided?: { readonly stamp: bigint; readonly message?: M; readonly cause?: NoFollowUpCause };
  isHeard: boolean;
}

export class DetectionIntake {
  readonly #prefix: string;
  readonly #counters: Counters;
  readonly #streams: {
    readonly detections: Stream<Detections2D>;
    readonly instances: Stream<RawImage>;
  };

  /** @param camera its name, '' for the one unprefixed camera */
  constructor(camera: string, { detector, sync }: Pick<Parameters, 'detector' | 'sync'>, counters: Counters) {
    this.#prefix = camera === '' ? '' : `${camera}/`;
    this.#counters = counters;
    const stream = <M extends Detections2D | RawImage>(kind: Kind): Stream<M> => ({
      gate: new StampGate(),
      isHeard: false,
      followUps: new FollowUps<M>({
        tolerance: durationFromSeconds(detector.toleranceS),
        wait: durationFromSeconds(detector.waitS),
        queueSize: sync.queueSize,
        onDrop: ({ stamp }, cause) => this.#counters.refuse(this.#name(kind), cause, DROPPED[cause](stamp)),
      }),
    });
    this.#streams = { detections: stream('detections'), instances: stream('instances') };
  }

  addDetections(message: Detections2D): void {
    this.#add('detections', this.#streams.detections, message);
  }

  addInstances(image: RawImage): void {
    this.#add('instances', this.#streams.instances, image);
  }

  /** What was said of a picture, as much as there is; undefined while more may come. Pictures in rising order. */
  ask(asked: Asked): ToldOfPicture | undefined {
    const { detections, instances } = this.#streams;
    const areDecided = [this.#decide(detections, asked), this.#decide(instances, asked)];
    if (areDecided.includes(false)) return undefined;
    const told = {
      ...(detections.decided?.message && { detections: detections.decided.message }),
      ...(instances.decided?.message && { instances: instances.decided.message }),
    };
    for (const kind of Object.keys(told)) this.#counters.use(this.#name(kind));
    if (Object.keys(told).length === 0) this.#countWithout(asked.stamp);
    return told;
  }

  /** The picture's frame is not used. */
  skip(stamp: bigint): void {
    for (const { followUps } of Object.values(this.#streams)) followUps.skip(stamp);
  }

  flush(): void {
    for (const { followUps } of Object.values(this.#streams)) followUps.flush();
  }

  reset(): void {
    for (const stream of Object.values(this.#streams)) {
      stream.gate.reset();
      stream.followUps.clear();
      delete stream.decided;
    }
  }

  #add<M extends Detections2D | RawImage>(kind: Kind, stream: Stream<M>, message: M): void {
    stream.isHeard = true;
    const badStamp = stream.gate.refuse(message.stamp);
    if (badStamp) this.#counters.refuse(this.#name(kind), badStamp, `${kind} with stamp ${message.stamp} ns`);
    else stream.followUps.push(message);
  }

  #decide<M extends Detections2D | RawImage>(stream: Stream<M>, asked: Asked): boolean {
    if (stream.decided?.stamp === asked.stamp) return true;
    const answer = stream.followUps.ask(asked);
    if (answer.kind === 'wait') return false;
    const { stamp } = asked;
    stream.decided =
      answer.kind === 'found' ? { stamp, message: answer.message } : { stamp, cause: answer.cause };
    return true;
  }

  /** By the stream that speaks, if one does: the other is not in use. */
  #countWithout(stamp: bigint): void {
    const { detections, instances } = this.#streams;
    const stream = instances.isHeard && !detections.isHeard ? instances : detections;
    const cause = stream.decided?.cause ?? 'nothing_in_time';
    this.#counters.refuse(this.#name('detector'), cause, WITHOUT[cause](stamp));
  }

  #name(kind: string): string {
    return `${this.#prefix}${kind}`;
  }
}

const DROPPED = {
  no_picture: (stamp: bigint) => `nothing was seen near ${stamp} ns that they could be of`,
  came_late: (stamp: bigint) => `the picture at ${stamp} ns had gone on without them`,
  picture_dropped: (stamp: bigint) => `the frame of the picture at ${stamp} ns was not used`,
  queue_full: (stamp: bigint) => `too many came before the picture at ${stamp} ns`,
};

const WITHOUT = {
  picture_skipped: (stamp: bigint) => `the picture at ${stamp} ns was passed over by the detector`,
  nothing_in_time: (stamp: bigint) => `nothing was said in time of the picture at ${stamp} ns`,
  sender_silent: (stamp: bigint) => `nobody has said anything for a while before ${stamp} ns`,
};
