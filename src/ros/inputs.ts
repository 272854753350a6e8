import type { InputKind } from '../input/messages.js';
import type { Parameters } from '../pipeline/parameters.js';
import type { FaultLog } from './guard.js';
import type { QosWish } from './qos.js';
import { RawInput } from './RawInput.js';
import type { InputStatus } from './RawInput.js';
import type { RosNode } from './rosTypes.js';

/**
 * The topics that feed the pipeline. Image topics follow a remapped base: for `color/image_raw` remapped to
 * `/cam/rgb`, the compressed form is `/cam/rgb/compressed` and the camera info its sibling `/cam/camera_info`,
 * unless those names are remapped themselves.
 */

/** Pictures are big and only the newest count. */
const IMAGE_DEPTH = 2;
const INFO_DEPTH = 5;
/** Small, and each belongs to another picture. */
const DETECTIONS_DEPTH = 10;
const ODOM_DEPTH = 20;
const TF_DEPTH = 100;

/** One form in which a picture may come. */
export interface TransportTopic {
  readonly topic: string;
  readonly type: string;
}

export interface InputSpec {
  readonly kind: InputKind;
  /** '' for the one unprefixed camera and for what belongs to no camera. */
  readonly camera: string;
  /** Nothing can be perceived without it. */
  readonly required: boolean;
  readonly qos: QosWish;
  /** In order of preference; more than one only where the transport is open. */
  readonly transports: readonly TransportTopic[];
}

const IMAGE = 'sensor_msgs/msg/Image';
const COMPRESSED_IMAGE = 'sensor_msgs/msg/CompressedImage';
const CAMERA_INFO = 'sensor_msgs/msg/CameraInfo';
const DETECTIONS = 'vision_msgs/msg/Detection2DArray';
const TF_MESSAGE = 'tf2_msgs/msg/TFMessage';
const ODOMETRY = 'nav_msgs/msg/Odometry';

type Resolver = Pick<RosNode, 'resolveTopicName'>;

/** What the parameters and remappings say is to be listened to. */
export function listInputs(node: Resolver, parameters: Parameters): readonly InputSpec[] {
  const cameras = parameters.cameras.length === 0 ? [''] : parameters.cameras;
  const latched: QosWish = { reliability: 'auto', durability: 'auto', depth: TF_DEPTH };
  return [
    ...cameras.flatMap((camera) => cameraInputs(node, camera, parameters)),
    ...(parameters.detector.source === 'topic' ? cameras : []).flatMap((camera) =>
      detectorInputs(node, camera),
    ),
    single(node, 'tf', TF_MESSAGE, '/tf', volatile(TF_DEPTH), false),
    single(node, 'tf_static', TF_MESSAGE, '/tf_static', latched, false),
    single(node, 'odom', ODOMETRY, 'odom', volatile(ODOM_DEPTH), false),
  ];
}

function cameraInputs(node: Resolver, camera: string, { input }: Parameters): readonly InputSpec[] {
  const prefix = camera === '' ? '' : `${camera}/`;
  const image: QosWish = { reliability: input.reliability, durability: 'volatile', depth: IMAGE_DEPTH };
  return (['color', 'depth'] as const).flatMap((kind): InputSpec[] => {
    const base = `${prefix}${kind}/image_raw`;
    const info = `${prefix}${kind}/camera_info`;
    const suffix = kind === 'color' ? 'compressed' : 'compressedDepth';
    const raw = { topic: node.resolveTopicName(base), type: IMAGE };
    const compressed = {
      topic: followTopic(node, `${base}/${suffix}`, `${raw.topic}/${suffix}`),
      type: COMPRESSED_IMAGE,
    };
    const transports = { auto: [raw, compressed], raw: [raw], compressed: [compressed] }[input.transport];
    const infoTopic = followTopic(node, info, siblingOf(raw.topic, 'camera_info'));
    return [
      { kind, camera, required: true, qos: image, transports },
      {
        kind: `${kind}_info`,
        camera,
        required: true,
        qos: volatile(INFO_DEPTH),
        transports: [{ topic: infoTopic, type: CAMERA_INFO }],
      },
    ];
  });
}

/** Boxes and instance images; a detector sends one of them or both. */
function detectorInputs(node: Resolver, camera: string): readonly InputSpec[] {
  const prefix = camera === '' ? '' : `${camera}/`;
  return [
    {
      ...single(node, 'detections', DETECTIONS, `${prefix}detections`, volatile(DETECTIONS_DEPTH), false),
      camera,
    },
    { ...single(node, 'instances', IMAGE, `${prefix}instances`, volatile(DETECTIONS_DEPTH), false), camera },
  ];
}

function volatile(depth: number): QosWish {
  return { reliability: 'auto', durability: 'volatile', depth };
}

function single(
  node: Resolver,
  kind: InputKind,
  type: string,
  name: string,
  qos: QosWish,
  required: boolean,
): InputSpec {
  return { kind, camera: '', required, qos, transports: [{ topic: node.resolveTopicName(name), type }] };
}

/** The name after its own remapping, or, when it has none, the topic that follows from the base. */
function followTopic(node: Resolver, name: string, followed: string): string {
  const resolved = node.resolveTopicName(name);
  return resolved === node.resolveTopicName(name, true) ? followed : resolved;
}

function siblingOf(topic: string, name: string): string {
  return `${topic.slice(0, topic.lastIndexOf('/'))}/${name}`;
}

export interface InputOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly spec: InputSpec;
  readonly receive: (spec: InputSpec, type: string, cdr: Uint8Array) => void;
}

/**
 * One role's subscription. With an open transport it takes the first in order that somebody publishes, and
 * changes over when that changes: raw pictures win over compressed ones.
 */
export class LiveInput {
  readonly spec: InputSpec;
  #active: TransportTopic;
  #input: RawInput;
  #receivedBefore = 0;

  constructor(private readonly options: InputOptions) {
    this.spec = options.spec;
    const first = this.spec.transports[0];
    if (first === undefined) throw new Error(`no transport for ${this.spec.kind}`);
    this.#active = this.#published() ?? first;
    this.#input = this.#open();
  }

  /** To be called about once a second. */
  poll(): void {
    const wanted = this.#published() ?? this.#active;
    if (wanted === this.#active) {
      this.#input.poll();
      return;
    }
    this.#receivedBefore += this.#input.status().received;
    this.#input.close();
    this.#active = wanted;
    this.#input = this.#open();
  }

  status(): InputStatus {
    const status = this.#input.status();
    return { ...status, received: status.received + this.#receivedBefore };
  }

  close(): void {
    this.#input.close();
  }

  #published(): TransportTopic | undefined {
    const { node } = this.options;
    return this.spec.transports.find(({ topic, type }) =>
      node.getPublishersInfoByTopic(topic).some((publisher) => publisher.topic_type === type),
    );
  }

  #open(): RawInput {
    const { node, faults, receive } = this.options;
    const { topic, type } = this.#active;
    const { spec } = this;
    return new RawInput({
      node,
      faults,
      topic,
      type,
      qos: spec.qos,
      receive: (cdr) => receive(spec, type, cdr),
    });
  }
}
