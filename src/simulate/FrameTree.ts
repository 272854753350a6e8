/**
 * The robot's frames as TF tells them: map > odom > base_link > camera_link > optical frames, and base_link > gripper_link
 * when it has one. Without drift the chain gives the exact pose of every picture; with drift map > odom is corrected
 * in jumps, and between them the told pose is as wrong as a real robot's.
 */
import type { InputMessage, TransformStamped } from '../input/messages.js';
import { composeTransforms, invertTransform } from '../math/rigidTransform.js';
import { quatFromYaw } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import { durationFromSeconds } from '../time/Stamp.js';
import type { RobotMotion } from './RobotMotion.js';
import { cameraLink_T_optical } from './RobotMotion.js';
import type { SimScript } from './SimScript.js';

export const MAP_FRAME = 'map';
export const BASE_FRAME = 'base_link';
export const GRIPPER_FRAME = 'gripper_link';
export const COLOR_FRAME = 'camera_color_optical_frame';
export const DEPTH_FRAME = 'camera_depth_optical_frame';
export const TF_RATE_HZ = 30;

/** Not the identity, so that mixing up map and odom shows as a large error. */
const MAP_T_ODOM: RigidTransform = { translation: [0.6, -0.45, 0], rotation: quatFromYaw(0.3) };

export class FrameTree {
  readonly motion: RobotMotion;
  readonly #script: SimScript;
  readonly #odom_T_base: RigidTransform[];

  constructor(script: SimScript, motion: RobotMotion) {
    this.motion = motion;
    this.#script = script;
    this.#odom_T_base = this.#integrateOdometry();
  }

  /** Where the colour camera really is. */
  map_T_color(timeS: number): RigidTransform {
    return composeTransforms(
      this.#map_T_cameraLink(timeS),
      cameraLink_T_optical(this.#script.camera.colorOffset),
    );
  }

  /** Where the depth camera really is; the colour camera's pose when depth is registered. */
  map_T_depth(timeS: number): RigidTransform {
    const { depth, colorOffset } = this.#script.camera;
    return composeTransforms(
      this.#map_T_cameraLink(timeS),
      cameraLink_T_optical(depth === undefined ? colorOffset : depth.offset),
    );
  }

  depthFrameId(): string {
    return this.#script.camera.depth === undefined ? COLOR_FRAME : DEPTH_FRAME;
  }

  stampAt(timeS: number): Stamp {
    return this.#script.startStamp + durationFromSeconds(timeS);
  }

  /** Ticks of TF from one before the first picture to one after the last. */
  tickCount(): number {
    return Math.ceil(this.#script.durationS * TF_RATE_HZ) + 1;
  }

  staticMessage(): InputMessage {
    const stamp = this.#script.startStamp;
    const { colorOffset, depth } = this.#script.camera;
    const transforms = [edge(stamp, 'camera_link', COLOR_FRAME, cameraLink_T_optical(colorOffset))];
    if (depth !== undefined)
      transforms.push(edge(stamp, 'camera_link', DEPTH_FRAME, cameraLink_T_optical(depth.offset)));
    return { kind: 'tf_static', transforms };
  }

  /** TF and odometry of one tick. */
  tickMessages(tick: number): InputMessage[] {
    const timeS = tick / TF_RATE_HZ;
    const stamp = this.stampAt(timeS);
    const odom_T_base = this.#odom_T_base[tick];
    const transforms = [
      edge(stamp, MAP_FRAME, 'odom', this.#map_T_odom(tick)),
      edge(stamp, 'odom', BASE_FRAME, odom_T_base),
      edge(stamp, BASE_FRAME, 'camera_link', this.motion.base_T_cameraLink(timeS)),
    ];
    if (this.motion.hasGripper())
      transforms.push(edge(stamp, BASE_FRAME, GRIPPER_FRAME, this.motion.base_T_gripper(timeS)));
    return [
      { kind: 'tf', transforms },
      { kind: 'odom', odometry: { stamp, frameId: 'odom', childFrameId: BASE_FRAME, ...odom_T_base } },
    ];
  }

  #map_T_cameraLink(timeS: number): RigidTransform {
    return composeTransforms(this.motion.map_T_base(timeS), this.motion.base_T_cameraLink(timeS));
  }

  /** The localiser's last correction before this tick. */
  #map_T_odom(tick: number): RigidTransform {
    const { drift } = this.#script;
    if (drift === undefined) return MAP_T_ODOM;
    const ticks = Math.max(1, Math.round(drift.correctEveryS * TF_RATE_HZ));
    const corrected = tick - (tick % ticks);
    const map_T_base = this.motion.map_T_base(corrected / TF_RATE_HZ);
    return composeTransforms(map_T_base, invertTransform(this.#odom_T_base[corrected]));
  }

  /** Odometry at every tick: the true steps, each spoilt by the drift. */
  #integrateOdometry(): RigidTransform[] {
    const { drift } = this.#script;
    const odom_T_map = invertTransform(MAP_T_ODOM);
    const truth = Array.from({ length: this.tickCount() + 1 }, (_, tick) =>
      this.motion.map_T_base(tick / TF_RATE_HZ),
    );
    if (drift === undefined) return truth.map((map_T_base) => composeTransforms(odom_T_map, map_T_base));
    const poses = [composeTransforms(odom_T_map, truth[0])];
    for (let tick = 1; tick < truth.length; tick++) {
      const step = composeTransforms(invertTransform(truth[tick - 1]), truth[tick]);
      const length = Math.hypot(...step.translation);
      const spoilt: RigidTransform = {
        translation: [step.translation[0] * (1 + drift.scale), step.translation[1] * (1 + drift.scale), 0],
        rotation: composeTransforms(step, {
          translation: [0, 0, 0],
          rotation: quatFromYaw(drift.yawPerM * length),
        }).rotation,
      };
      poses.push(composeTransforms(poses[tick - 1], spoilt));
    }
    return poses;
  }
}

function edge(
  stamp: Stamp,
  parentFrameId: string,
  childFrameId: string,
  pose: RigidTransform,
): TransformStamped {
  return { stamp, parentFrameId, childFrameId, ...pose };
}
