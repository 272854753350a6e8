import type { RgbdFrame } from '../camera/RgbdFrame.js';
import type { RecordingTruth } from './RecordingTruth.js';
import type { SimScript } from './SimScript.js';
import { frameFromPicture } from './frameFromPicture.js';
import { Simulation, type FrameTruth } from './Simulation.js';

export interface SimulatedFrame {
  readonly frame: RgbdFrame;
  readonly truth: FrameTruth;
}

/**
 * Frames and what they really show, without files, messages or TF in between. The generator's return value is the
 * truth file's content: `for … of` drops it; who needs it drives a `Simulation`.
 */
export function* simulateFrames(script: SimScript): Generator<SimulatedFrame, RecordingTruth> {
  const simulation = new Simulation(script);
  for (const picture of simulation.pictures())
    yield { frame: frameFromPicture(picture, simulation.frames), truth: picture.truth };
  return simulation.truth(`${script.name}.mcap`);
}
