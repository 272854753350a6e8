import { rosTimeFromStamp, type RosTime, type Stamp } from '../time/Stamp.js';
import type { MessageCodec } from './MessageCodec.js';
import type {
  CameraInfo,
  CompressedImage,
  Detection2D,
  Detections2D,
  InputMessage,
  Odometry,
  RawImage,
  TransformStamped,
} from './messages.js';

/** A message as it goes on the wire: its type in the short form and its CDR bytes (an owned copy). */
export interface EncodedMessage {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** The inverse of `decodeInput`, for recordings and publishers. Throws only when the codec is broken. */
export function encodeInput(message: InputMessage, codec: MessageCodec): EncodedMessage {
  switch (message.kind) {
    case 'color':
    case 'depth':
      return 'encoding' in message.image
        ? encode(codec, 'sensor_msgs/Image', imageFields(message.image))
        : encode(codec, 'sensor_msgs/CompressedImage', compressedFields(message.image));
    case 'color_info':
    case 'depth_info':
      return encode(codec, 'sensor_msgs/CameraInfo', infoFields(message.info));
    case 'tf':
    case 'tf_static':
      return encode(codec, 'tf2_msgs/TFMessage', { transforms: message.transforms.map(transformFields) });
    case 'odom':
      return encode(codec, 'nav_msgs/Odometry', odometryFields(message.odometry));
    case 'detections':
      return encode(codec, 'vision_msgs/Detection2DArray', detectionsFields(message.detections));
    case 'instances':
      return encode(codec, 'sensor_msgs/Image', imageFields(message.image));
  }
}

/** rosgraph_msgs/Clock, which is no input of the pipeline but is played beside them. */
export function encodeClock(stamp: Stamp, codec: MessageCodec): EncodedMessage {
  return encode(codec, 'rosgraph_msgs/Clock', { clock: rosTimeFromStamp(stamp) });
}

function encode(codec: MessageCodec, type: string, fields: object): EncodedMessage {
  return { type, bytes: codec.writer(type).writeMessage(fields).slice() };
}

function header({ stamp, frameId }: { stamp: Stamp; frameId: string }): { stamp: RosTime; frame_id: string } {
  return { stamp: rosTimeFromStamp(stamp), frame_id: frameId };
}

function imageFields(image: RawImage): object {
  return {
    header: header(image),
    height: image.height,
    width: image.width,
    encoding: image.encoding,
    is_bigendian: image.isBigEndian ? 1 : 0,
    step: image.step,
    data: image.data,
  };
}

function compressedFields(image: CompressedImage): object {
  return { header: header(image), format: image.format, data: image.data };
}

function infoFields(info: CameraInfo): object {
  const { roi } = info;
  return {
    header: header(info),
    height: info.height,
    width: info.width,
    distortion_model: info.distortionModel,
    d: Float64Array.from(info.D),
    k: Float64Array.from(info.K),
    r: Float64Array.from(info.R),
    p: Float64Array.from(info.P),
    binning_x: info.binningX,
    binning_y: info.binningY,
    roi: {
      x_offset: roi.xOffset,
      y_offset: roi.yOffset,
      height: roi.height,
      width: roi.width,
      do_rectify: false,
    },
  };
}

function transformFields(transform: TransformStamped): object {
  return {
    header: header({ stamp: transform.stamp, frameId: transform.parentFrameId }),
    child_frame_id: transform.childFrameId,
    transform: { translation: xyz(transform.translation), rotation: xyzw(transform.rotation) },
  };
}

function odometryFields(odometry: Odometry): object {
  const none = { x: 0, y: 0, z: 0 };
  return {
    header: header(odometry),
    child_frame_id: odometry.childFrameId,
    pose: {
      pose: { position: xyz(odometry.translation), orientation: xyzw(odometry.rotation) },
      covariance: new Float64Array(36),
    },
    twist: { twist: { linear: none, angular: none }, covariance: new Float64Array(36) },
  };
}

function detectionsFields(message: Detections2D): object {
  return {
    header: header(message),
    detections: message.detections.map((one) => detectionFields(one, message)),
  };
}

function detectionFields({ id, hypotheses, center, theta, size }: Detection2D, of: Detections2D): object {
  const [x, y] = center;
  return {
    header: header(of),
    results: hypotheses.map(({ classId, score }) => ({ hypothesis: { class_id: classId, score } })),
    bbox: { center: { position: { x, y }, theta }, size_x: size[0], size_y: size[1] },
    id,
  };
}

function xyz([x, y, z]: TransformStamped['translation']): object {
  return { x, y, z };
}

function xyzw([x, y, z, w]: TransformStamped['rotation']): object {
  return { x, y, z, w };
}
