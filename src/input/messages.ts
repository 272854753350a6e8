import type { Quat, Vec3 } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';

/**
 * What comes in, from a live topic or from a recording: the one form in which both meet.
 * Both carry CDR bytes; `decodeInput` turns them into these. Nothing here is checked yet beyond its type:
 * the stage that uses a message refuses what it cannot use, with a cause.
 */

/** sensor_msgs/Image. `data` may be a view into a larger buffer at an odd offset. */
export interface RawImage {
  readonly stamp: Stamp;
  readonly frameId: string;
  readonly width: number;
  readonly height: number;
  readonly encoding: string;
  readonly isBigEndian: boolean;
  readonly step: number;
  readonly data: Uint8Array;
}

/** sensor_msgs/CompressedImage, for both the `compressed` and the `compressedDepth` transport. */
export interface CompressedImage {
  readonly stamp: Stamp;
  readonly frameId: string;
  readonly format: string;
  readonly data: Uint8Array;
}

/** sensor_msgs/CameraInfo, letters as in ROS: K 3×3, R 3×3, P 3×4 row-major. */
export interface CameraInfo {
  readonly stamp: Stamp;
  readonly frameId: string;
  readonly width: number;
  readonly height: number;
  readonly distortionModel: string;
  readonly D: readonly number[];
  readonly K: readonly number[];
  readonly R: readonly number[];
  readonly P: readonly number[];
  readonly binningX: number;
  readonly binningY: number;
  readonly roi: {
    readonly xOffset: number;
    readonly yOffset: number;
    readonly width: number;
    readonly height: number;
  };
}

/** geometry_msgs/TransformStamped: parent_T_child. */
export interface TransformStamped {
  readonly stamp: Stamp;
  readonly parentFrameId: string;
  readonly childFrameId: string;
  readonly translation: Vec3;
  readonly rotation: Quat;
}

/** nav_msgs/Odometry, the pose part: frameId_T_childFrameId. */
export interface Odometry extends Omit<TransformStamped, 'parentFrameId'> {
  readonly frameId: string;
}

/** One guess at what a thing is: `classId` is a name or a number as text, whatever its sender uses. */
export interface Hypothesis {
  readonly classId: string;
  readonly score: number;
}

/** vision_msgs/Detection2D: a rectangle in pixels, turned by `theta` rad about its centre. */
export interface Detection2D {
  /** Equal for one thing over several messages where the sender tracks, or its number in an instance image; or ''. */
  readonly id: string;
  readonly hypotheses: readonly Hypothesis[];
  readonly center: readonly [number, number];
  readonly theta: number;
  /** Full side lengths. */
  readonly size: readonly [number, number];
}

/** vision_msgs/Detection2DArray: what is in the picture with this stamp. */
export interface Detections2D {
  readonly stamp: Stamp;
  readonly frameId: string;
  readonly detections: readonly Detection2D[];
}

/** The role that a topic plays, and for camera streams the camera's name ('' for the one unprefixed camera). */
export type InputMessage =
  | { readonly kind: 'color' | 'depth'; readonly camera: string; readonly image: RawImage | CompressedImage }
  | { readonly kind: 'color_info' | 'depth_info'; readonly camera: string; readonly info: CameraInfo }
  | { readonly kind: 'tf' | 'tf_static'; readonly transforms: readonly TransformStamped[] }
  | { readonly kind: 'odom'; readonly odometry: Odometry }
  | { readonly kind: 'detections'; readonly camera: string; readonly detections: Detections2D }
  /** Each pixel holds the number of the thing that it shows, 0 for none. */
  | { readonly kind: 'instances'; readonly camera: string; readonly image: RawImage };

/** The roles as words, also the names used by `--topics k=v`. */
export type InputKind = InputMessage['kind'];
