/**
 * A robot that drives and looks: a planar base along timed places, a camera on a mast that turns its gaze from target
 * to target as fast as its motors allow. Between keys everything follows monotone cubics (Fritsch and Carlson), so
 * nothing overshoots and speeds are continuous.
 */
import { transformPoint } from '../math/rigidTransform.js';
import { multiplyQuats, quatFromAxisAngle, quatFromYaw } from '../math/quaternion.js';
import type { RigidTransform, Vec3 } from '../math/types.js';
import { GazeServo, type Sight } from './GazeServo.js';

export interface BaseKey {
  /** Seconds from the start of the recording. */
  readonly atS: number;
  readonly x: number;
  readonly y: number;
  /** Not wrapped: from 3 to 3.3 turns left. */
  readonly yaw: number;
}

export interface GazeKey {
  readonly atS: number;
  readonly target: Vec3;
}

export interface RobotScript {
  readonly base: readonly BaseKey[];
  readonly gaze: readonly GazeKey[];
  /** Place of the pan-tilt head's axis in base_link. */
  readonly mast: Vec3;
  /** Place of the gripper frame in base_link, along timed keys; one key keeps it still. */
  readonly gripper?: readonly { readonly atS: number; readonly position: Vec3 }[];
}

/** Time after the last key in which the head comes to rest. */
const SETTLE_S = 5;

/** camera_link (x forward, z up) to an optical frame (z forward, y down). */
const OPTICAL_ROTATION = [-0.5, 0.5, -0.5, 0.5] as const;

export class RobotMotion {
  readonly #script: RobotScript;
  readonly #base: readonly Curve[];
  readonly #gaze: readonly Curve[];
  readonly #gripper: readonly Curve[];
  readonly #servo: GazeServo;

  /** Throws when a list of keys is empty or not in order of time. */
  constructor(script: RobotScript) {
    this.#script = script;
    this.#base = curves(script.base.map(({ atS, x, y, yaw }) => ({ atS, values: [x, y, yaw] })));
    this.#gaze = curves(script.gaze.map(({ atS, target }) => ({ atS, values: target })));
    const gripper = script.gripper ?? [{ atS: 0, position: [0.45, 0, 0.6] as Vec3 }];
    this.#gripper = curves(gripper.map(({ atS, position }) => ({ atS, values: position })));
    const lastS = Math.max(script.base.at(-1)!.atS, script.gaze.at(-1)!.atS);
    this.#servo = new GazeServo((timeS) => this.#wantedSight(timeS), lastS + SETTLE_S);
  }

  map_T_base(timeS: number): RigidTransform {
    const [x, y, yaw] = this.#base.map((curve) => curve.at(timeS)) as [number, number, number];
    return { translation: [x, y, 0], rotation: quatFromYaw(yaw) };
  }

  /** Pan and tilt as far as the head has followed the gaze's target. */
  base_T_cameraLink(timeS: number): RigidTransform {
    const { yaw, pitch } = this.#servo.at(timeS);
    const pan = yaw - this.#base[2].at(timeS);
    return {
      translation: this.#script.mast,
      rotation: multiplyQuats(quatFromYaw(pan), quatFromAxisAngle([0, 1, 0], pitch)),
    };
  }

  base_T_gripper(timeS: number): RigidTransform {
    const [x, y, z] = this.#gripper.map((curve) => curve.at(timeS)) as [number, number, number];
    return { translation: [x, y, z], rotation: [0, 0, 0, 1] };
  }

  hasGripper(): boolean {
    return this.#script.gripper !== undefined;
  }

  /** The line of sight from the head to the gaze's target. */
  #wantedSight(timeS: number): Sight {
    const mast = transformPoint(this.map_T_base(timeS), this.#script.mast);
    const [x, y, z] = this.#gaze.map((curve) => curve.at(timeS)) as [number, number, number];
    const across = Math.hypot(x - mast[0], y - mast[1]);
    return { yaw: Math.atan2(y - mast[1], x - mast[0]), pitch: Math.atan2(mast[2] - z, across) };
  }
}

/** Optical frame at `offset` (metres, camera_link's axes) without any turn beyond the convention. */
export function cameraLink_T_optical(offset: Vec3): RigidTransform {
  return { translation: offset, rotation: OPTICAL_ROTATION };
}

function curves(keys: readonly { atS: number; values: readonly number[] }[]): Curve[] {
  if (keys.length === 0) throw new RangeError('a motion needs at least one key');
  const times = keys.map(({ atS }) => atS);
  return keys[0].values.map(
    (_, axis) =>
      new Curve(
        times,
        keys.map(({ values }) => values[axis]),
      ),
  );
}

/** One monotone cubic; before the first and after the last key it stands still. */
class Curve {
  readonly #times: readonly number[];
  readonly #values: readonly number[];
  readonly #slopes: readonly number[];

  constructor(times: readonly number[], values: readonly number[]) {
    for (let i = 1; i < times.length; i++)
      if (!(times[i] > times[i - 1]))
        throw new RangeError(`keys must rise in time: ${times[i - 1]} s is followed by ${times[i]} s`);
    this.#times = times;
    this.#values = values;
    this.#slopes = times.map((_, i) => this.#slopeAt(i));
  }

  at(timeS: number): number {
    const times = this.#times;
    const last = times.length - 1;
    if (timeS <= times[0]) return this.#values[0];
    if (timeS >= times[last]) return this.#values[last];
    let i = 0;
    while (times[i + 1] < timeS) i++;
    const span = times[i + 1] - times[i];
    const s = (timeS - times[i]) / span;
    const s2 = s * s;
    const s3 = s2 * s;
    return (
      (2 * s3 - 3 * s2 + 1) * this.#values[i] +
      (s3 - 2 * s2 + s) * span * this.#slopes[i] +
      (3 * s2 - 2 * s3) * this.#values[i + 1] +
      (s3 - s2) * span * this.#slopes[i + 1]
    );
  }

  /** Harmonic mean of the neighbouring rises; zero at the ends and where the direction turns. */
  #slopeAt(i: number): number {
    if (i === 0 || i === this.#times.length - 1) return 0;
    const rise = (k: number): number =>
      (this.#values[k + 1] - this.#values[k]) / (this.#times[k + 1] - this.#times[k]);
    const before = rise(i - 1);
    const after = rise(i);
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  }
}
