import { wrapAngle } from '../math/box.js';

/** Heading and pitch of a line of sight in the map, rad; pitch is positive downwards. */
export interface Sight {
  readonly yaw: number;
  readonly pitch: number;
}

const RATE_HZ = 100;
/** Together below 0.6 rad/s, at which pictures of a real camera still are of use. */
const MAX_YAW_SPEED = 0.5;
const MAX_PITCH_SPEED = 0.28;
const MAX_ACCELERATION = 1.5;
/** Speed per error: how eagerly it follows, 1/s. */
const GAIN = 4;

/**
 * A pan-tilt head that follows a wanted line of sight with limited speed and acceleration. Worked out once for the
 * whole time, so that any moment can be asked in any order.
 */
export class GazeServo {
  readonly #yaw: Float64Array;
  readonly #pitch: Float64Array;

  constructor(wanted: (timeS: number) => Sight, durationS: number) {
    const count = Math.ceil(durationS * RATE_HZ) + 2;
    this.#yaw = new Float64Array(count);
    this.#pitch = new Float64Array(count);
    let { yaw, pitch } = wanted(0);
    let yawSpeed = 0;
    let pitchSpeed = 0;
    for (let i = 0; i < count; i++) {
      this.#yaw[i] = yaw;
      this.#pitch[i] = pitch;
      const goal = wanted(i / RATE_HZ);
      yawSpeed = follow(wrapAngle(goal.yaw - yaw), yawSpeed, MAX_YAW_SPEED);
      pitchSpeed = follow(goal.pitch - pitch, pitchSpeed, MAX_PITCH_SPEED);
      yaw += yawSpeed / RATE_HZ;
      pitch += pitchSpeed / RATE_HZ;
    }
  }

  at(timeS: number): Sight {
    return { yaw: interpolate(this.#yaw, timeS), pitch: interpolate(this.#pitch, timeS) };
  }
}

function follow(error: number, speed: number, maxSpeed: number): number {
  const wanted = clamp(GAIN * error, maxSpeed);
  return speed + clamp(wanted - speed, MAX_ACCELERATION / RATE_HZ);
}

function clamp(value: number, limit: number): number {
  return Math.min(limit, Math.max(-limit, value));
}

function interpolate(samples: Float64Array, timeS: number): number {
  const place = Math.min(samples.length - 1, Math.max(0, timeS * RATE_HZ));
  const before = Math.min(samples.length - 2, Math.floor(place));
  return samples[before] + (place - before) * (samples[before + 1] - samples[before]);
}
