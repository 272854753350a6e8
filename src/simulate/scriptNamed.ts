import type { SimScript } from './SimScript.js';
import { demo } from './scripts/demo.js';

export interface ScriptOptions {
  readonly seed?: number;
  readonly fps?: number;
  /** Picture width and height; the opening stays. */
  readonly size?: readonly [width: number, height: number];
  readonly durationS?: number;
}

const SCRIPTS: Readonly<Record<string, (seed: number) => SimScript>> = { demo };

export function scriptNames(): string[] {
  return Object.keys(SCRIPTS);
}

/** Throws a RangeError that lists the names when there is none of this name. */
export function scriptNamed(name: string, options: ScriptOptions = {}): SimScript {
  const make = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
  if (make === undefined)
    throw new RangeError(`no script is named ${name}; there are: ${scriptNames().join(', ')}`);
  const script = make(options.seed ?? 1);
  const [width, height] = options.size ?? [script.camera.width, script.camera.height];
  return {
    ...script,
    fps: options.fps ?? script.fps,
    durationS: options.durationS ?? script.durationS,
    camera: { ...script.camera, width, height },
  };
}
