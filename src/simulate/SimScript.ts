import type { Vec3 } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import type { DepthSensorParameters } from './DepthSensor.js';
import type { RobotScript } from './RobotMotion.js';
import type { Scene } from './Scene.js';
import type { SceneEvent } from './World.js';

/** One camera on the mast: size and focal length of its colour and depth pictures. */
export interface CameraSetup {
  readonly width: number;
  readonly height: number;
  /** Horizontal opening in rad. */
  readonly horizontalFov: number;
  /** Where the colour camera's optical frame sits in camera_link, metres. */
  readonly colorOffset: Vec3;
  /**
   * A depth camera of its own, at another place in camera_link and perhaps with another size and opening. Absent: depth
   * comes registered, in the colour camera's frame.
   */
  readonly depth?: {
    readonly offset: Vec3;
    readonly width: number;
    readonly height: number;
    readonly horizontalFov: number;
  };
}

/** Wheel odometry that errs: its pose drifts, and `map` → `odom` is corrected every so often as a localiser would. */
export interface OdometryDrift {
  /** Relative error of length. */
  readonly scale: number;
  /** rad per driven metre. */
  readonly yawPerM: number;
  readonly correctEveryS: number;
}

/** Everything that decides a recording, as plain data: same script, same bytes. */
export interface SimScript {
  readonly name: string;
  readonly seed: number;
  readonly durationS: number;
  /** Pictures per second. */
  readonly fps: number;
  readonly startStamp: Stamp;
  readonly scene: Scene;
  readonly events: readonly SceneEvent[];
  readonly robot: RobotScript;
  readonly camera: CameraSetup;
  readonly sensor: DepthSensorParameters;
  readonly drift?: OdometryDrift;
}
