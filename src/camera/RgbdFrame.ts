import type { RigidTransform } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import type { Detection } from './Detection.js';
import type { PinholeCamera } from './PinholeCamera.js';

/** A decoded colour picture: tightly packed rgb8 (height × width × 3 bytes). */
export interface ColorImage {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** A decoded depth picture: readings along the optical axis, row-major, in the unit they were sent in. */
export type DepthImage = DepthInMetres | DepthInMillimetres;

export interface DepthInMetres {
  readonly width: number;
  readonly height: number;
  /** NaN where nothing was measured. */
  readonly depthM: Float32Array;
}

/** Half the bytes to copy between threads; only the few readings that geometry takes become metres. */
export interface DepthInMillimetres {
  readonly width: number;
  readonly height: number;
  /** 0 where nothing was measured. */
  readonly depthMm: Uint16Array;
}

/** Colour as it was taken: its own camera model and its own place in the map. */
export interface ColorView {
  readonly image: ColorImage;
  readonly camera: PinholeCamera;
  readonly map_T_color: RigidTransform;
}

/**
 * One moment of one camera, ready for geometry: depth in the frame it was measured in, colour beside it
 * (absent when the camera has none). Depth and colour need not share size, intrinsics or pose;
 * points are carried from one to the other through both models.
 */
export interface RgbdFrame {
  /** Header stamp of the depth picture; every pose here is that of this moment. */
  readonly stamp: Stamp;
  /** The camera's name in the parameters; '' for the one unprefixed camera. */
  readonly cameraName: string;
  readonly depth: DepthImage;
  readonly depthCamera: PinholeCamera;
  readonly map_T_depth: RigidTransform;
  readonly color?: ColorView;
  /** What a detector names in the colour picture; absent when none looked, which is not the same as nothing. */
  readonly detections?: readonly Detection[];
  /** The robot's base in the map, when TF (or odometry) knows it. */
  readonly map_T_base?: RigidTransform;
  /** Gripper name to its pose in the map, for the grippers that TF knows. */
  readonly map_T_grippers: ReadonlyMap<string, RigidTransform>;
  /** Rate of turn of the camera in rad/s around this moment, when TF tells. */
  readonly angularSpeed?: number;
}
