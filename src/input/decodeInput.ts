/**
 * CDR bytes of one message, from a live topic or a recording, to the one form that both share.
 * A definition text from a recording is someone else's, so every field's type is checked here; beyond
 * this line messages are complete. Picture bytes are views into `bytes`, never copies.
 */
import type { MessageReader } from '@foxglove/rosmsg2-serialization';
import { failure, success, type Result } from '../math/Result.js';
import type { Quat, Vec3 } from '../math/types.js';
import { stampFromRosTime, type Stamp } from '../time/Stamp.js';
import { shortTypeName } from './definitions.js';
import type {
  CameraInfo,
  CompressedImage,
  Detection2D,
  Detections2D,
  Hypothesis,
  InputKind,
  InputMessage,
  Odometry,
  RawImage,
  TransformStamped,
} from './messages.js';

export type DecodeInputCause = 'malformed_message' | 'unsupported_type';

/** Which message types may play each role. */
export const TYPES_OF_KIND: Readonly<Record<InputKind, readonly string[]>> = {
  color: ['sensor_msgs/Image', 'sensor_msgs/CompressedImage'],
  depth: ['sensor_msgs/Image', 'sensor_msgs/CompressedImage'],
  color_info: ['sensor_msgs/CameraInfo'],
  depth_info: ['sensor_msgs/CameraInfo'],
  tf: ['tf2_msgs/TFMessage'],
  tf_static: ['tf2_msgs/TFMessage'],
  odom: ['nav_msgs/Odometry'],
  detections: ['vision_msgs/Detection2DArray'],
  instances: ['sensor_msgs/Image'],
};

/** `camera` is '' for the one unprefixed camera and for kinds that belong to no camera. */
export function decodeInput(
  kind: InputKind,
  camera: string,
  type: string,
  bytes: Uint8Array,
  reader: MessageReader,
): Result<InputMessage, DecodeInputCause> {
  const shortType = shortTypeName(type);
  if (!TYPES_OF_KIND[kind].includes(shortType)) {
    return failure('unsupported_type', `a topic of type ${type} cannot serve as ${kind}`);
  }
  try {
    const message = fieldsOf(reader.readMessage(bytes), 'message');
    // The reader makes views of the underlying buffer without looking at where `bytes` ends in it.
    if (reader.lastReadByteLength() > bytes.byteLength) {
      throw new Error(`it is cut off: its fields need ${reader.lastReadByteLength()} bytes`);
    }
    return success(toInput(kind, camera, shortType, message));
  } catch (error) {
    // The reader throws on any truncated or inconsistent payload; the bytes are the sender's fault.
    const reason = error instanceof Error ? error.message : String(error);
    return failure('malformed_message', `${type} of ${bytes.byteLength} bytes: ${reason}`);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function toInput(kind: InputKind, camera: string, type: string, message: Fields): InputMessage {
  switch (kind) {
    case 'color':
    case 'depth': {
      const image = type === 'sensor_msgs/Image' ? toRawImage(message) : toCompressedImage(message);
      return { kind, camera, image };
    }
    case 'color_info':
    case 'depth_info':
      return { kind, camera, info: toCameraInfo(message) };
    case 'tf':
    case 'tf_static':
      return { kind, transforms: toTransforms(message) };
    case 'odom':
      return { kind, odometry: toOdometry(message) };
    case 'detections':
      return { kind, camera, detections: toDetections(message) };
    case 'instances':
      return { kind, camera, image: toRawImage(message) };
  }
}

function toRawImage(message: Fields): RawImage {
  return {
    ...toHeader(message),
    width: numberField(message, 'width'),
    height: numberField(message, 'height'),
    encoding: stringField(message, 'encoding'),
    isBigEndian: numberField(message, 'is_bigendian') !== 0,
    step: numberField(message, 'step'),
    data: bytesField(message, 'data'),
  };
}

function toCompressedImage(message: Fields): CompressedImage {
  return {
    ...toHeader(message),
    format: stringField(message, 'format'),
    data: bytesField(message, 'data'),
  };
}

function toCameraInfo(message: Fields): CameraInfo {
  const roi = fieldsOf(message['roi'], 'roi');
  return {
    ...toHeader(message),
    width: numberField(message, 'width'),
    height: numberField(message, 'height'),
    distortionModel: stringField(message, 'distortion_model'),
    D: numbersField(message, 'd'),
    K: numbersField(message, 'k'),
    R: numbersField(message, 'r'),
    P: numbersField(message, 'p'),
    binningX: numberField(message, 'binning_x'),
    binningY: numberField(message, 'binning_y'),
    roi: {
      xOffset: numberField(roi, 'x_offset'),
      yOffset: numberField(roi, 'y_offset'),
      width: numberField(roi, 'width'),
      height: numberField(roi, 'height'),
    },
  };
}

function toTransforms(message: Fields): TransformStamped[] {
  return entriesOf(message, 'transforms').map((fields) => {
    const transform = fieldsOf(fields['transform'], 'transform');
    const { stamp, frameId } = toHeader(fields);
    return {
      stamp,
      parentFrameId: frameId,
      childFrameId: stringField(fields, 'child_frame_id'),
      translation: toVector(fieldsOf(transform['translation'], 'translation')),
      rotation: toQuaternion(fieldsOf(transform['rotation'], 'rotation')),
    };
  });
}

function toOdometry(message: Fields): Odometry {
  const pose = fieldsOf(fieldsOf(message['pose'], 'pose')['pose'], 'pose.pose');
  return {
    ...toHeader(message),
    childFrameId: stringField(message, 'child_frame_id'),
    translation: toVector(fieldsOf(pose['position'], 'position')),
    rotation: toQuaternion(fieldsOf(pose['orientation'], 'orientation')),
  };
}

function toDetections(message: Fields): Detections2D {
  return { ...toHeader(message), detections: entriesOf(message, 'detections').map(toDetection) };
}

function toDetection(fields: Fields): Detection2D {
  const box = fieldsOf(fields['bbox'], 'bbox');
  const center = fieldsOf(box['center'], 'bbox.center');
  // Before vision_msgs 4 the centre was a geometry_msgs/Pose2D, with x and y beside theta.
  const position = center['position'] === undefined ? center : fieldsOf(center['position'], 'bbox.center');
  return {
    id: stringField(fields, 'id'),
    hypotheses: entriesOf(fields, 'results').map(toHypothesis),
    center: [numberField(position, 'x'), numberField(position, 'y')],
    theta: numberField(center, 'theta'),
    size: [numberField(box, 'size_x'), numberField(box, 'size_y')],
  };
}

function toHypothesis(fields: Fields): Hypothesis {
  const hypothesis = fieldsOf(fields['hypothesis'], 'hypothesis');
  return { classId: stringField(hypothesis, 'class_id'), score: numberField(hypothesis, 'score') };
}

function toHeader(message: Fields): { stamp: Stamp; frameId: string } {
  const header = fieldsOf(message['header'], 'header');
  return { stamp: toStamp(header['stamp']), frameId: stringField(header, 'frame_id') };
}

function toStamp(value: unknown): Stamp {
  const time = fieldsOf(value, 'stamp');
  return stampFromRosTime({ sec: numberField(time, 'sec'), nanosec: numberField(time, 'nanosec') });
}

function toVector(fields: Fields): Vec3 {
  return [numberField(fields, 'x'), numberField(fields, 'y'), numberField(fields, 'z')];
}

function toQuaternion(fields: Fields): Quat {
  return [...toVector(fields), numberField(fields, 'w')];
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null) throw new Error(`field ${name} is missing`);
  return value as Fields;
}

function entriesOf(fields: Fields, name: string): Fields[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw new Error(`field ${name} is not an array`);
  return value.map((entry: unknown) => fieldsOf(entry, name));
}

function numberField(fields: Fields, name: string): number {
  const value = fields[name];
  if (typeof value === 'number') return value;
  // `is_bigendian` is a bool in some hand-written definitions.
  if (typeof value === 'boolean') return value ? 1 : 0;
  throw new Error(`field ${name} is not a number`);
}

function stringField(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`field ${name} is not a string`);
  return value;
}

function bytesField(fields: Fields, name: string): Uint8Array {
  const value = fields[name];
  if (!(value instanceof Uint8Array)) throw new Error(`field ${name} is not a sequence of bytes`);
  return value;
}

function numbersField(fields: Fields, name: string): number[] {
  const value = fields[name];
  if (!(value instanceof Float64Array || value instanceof Float32Array)) {
    throw new Error(`field ${name} is not an array of floats`);
  }
  return Array.from(value);
}
