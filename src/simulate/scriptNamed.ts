import type { CameraSetup, SimScript } from './SimScript.js';
import { demo } from './scripts/demo.js';
import { changedRoom, randomRoom, roomLook } from './scripts/randomRoom.js';
import { pickAndPlace, twoCups } from './scripts/tableScenes.js';

export interface ScriptOptions {
  readonly seed?: number;
  readonly fps?: number;
  /** Width and height of both cameras' pictures; the opening stays. */
  readonly size?: readonly [width: number, height: number];
  readonly durationS?: number;
}

const SCRIPTS: Readonly<Record<string, (seed: number) => SimScript>> = {
  demo,
  random_room: randomRoom,
  changed_room: changedRoom,
  room_look: roomLook,
  two_cups: twoCups,
  pick_and_place: pickAndPlace,
};

export function scriptNames(): string[] {
  return Object.keys(SCRIPTS);
}

/** Throws a RangeError that lists the names when there is none of this name. */
export function scriptNamed(name: string, options: ScriptOptions = {}): SimScript {
  const make = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (make === undefined)
    throw new RangeError(`no script is named ${name}; there are: ${scriptNames().join(', ')}`);
  const script = make(options.seed ?? 1);
  return {
    ...script,
    fps: options.fps ?? script.fps,
    durationS: options.durationS ?? script.durationS,
    camera: options.size === undefined ? script.camera : resized(script.camera, options.size),
  };
}

function resized(camera: CameraSetup, [width, height]: readonly [number, number]): CameraSetup {
  const { depth } = camera;
  return { ...camera, width, height, ...(depth === undefined ? {} : { depth: { ...depth, width, height } }) };
}
