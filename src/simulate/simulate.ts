import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { encodeInput } from '../input/encodeInput.js';
import { MessageCodec } from '../input/MessageCodec.js';
import type { InputKind, InputMessage } from '../input/messages.js';
import { RecordingWriter } from '../recordings/RecordingWriter.js';
import { durationFromSeconds, type Stamp } from '../time/Stamp.js';
import type { RecordingTruth } from './RecordingTruth.js';
import type { SimScript } from './SimScript.js';
import { Simulation } from './Simulation.js';
import { simulateInput, type SimulatedDetector } from './simulateInput.js';

export interface SimulateOptions {
  /** The recording's path, ending in `.mcap`; the truth goes beside it as `.truth.json`. */
  readonly out: string;
  /** A detector whose words are recorded too, each when it was said. */
  readonly detector?: SimulatedDetector;
  /** Called after each picture. */
  readonly onProgress?: (done: number, total: number) => void;
}

const TOPICS: Readonly<Record<InputKind, string>> = {
  color: '/camera/color/image_raw/compressed',
  color_info: '/camera/color/camera_info',
  depth: '/camera/depth/image_raw',
  depth_info: '/camera/depth/camera_info',
  tf: '/tf',
  tf_static: '/tf_static',
  odom: '/odom',
  detections: '/camera/detections',
  instances: '/camera/instances',
};

/**
 * Plays a script and writes what its robot sees: a recording with the usual topics and its truth. The same script gives the
 * same bytes. The recording gets its name last, so a file of that name is whole and has its truth beside it.
 */
export async function simulate(
  script: SimScript,
  { out, detector, onProgress }: SimulateOptions,
): Promise<RecordingTruth> {
  if (!out.endsWith('.mcap')) throw new RangeError(`a recording's name ends in .mcap, found ${out}`);
  const simulation = new Simulation(script);
  const total = simulation.pictureCount();
  const codec = new MessageCodec();
  const writer = await RecordingWriter.create(out);
  try {
    let done = 0;
    const delay = durationFromSeconds(detector?.delayS ?? 0);
    const options = { color: 'jpeg', simulation, ...(detector && { detector }) } as const;
    for await (const message of simulateInput(script, options)) {
      const { type, bytes } = encodeInput(message, codec);
      const isSaid = message.kind === 'detections' || message.kind === 'instances';
      await writer.write(TOPICS[message.kind], type, stampOf(message) + (isSaid ? delay : 0n), bytes);
      if (message.kind === 'depth') onProgress?.(++done, total);
    }
    const truth = simulation.truth(basename(out));
    await writeFile(truthPath(out), `${JSON.stringify(truth, null, 1)}\n`);
    await writer.close();
    return truth;
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** `a/demo.mcap` → `a/demo.truth.json`. */
export function truthPath(recordingPath: string): string {
  return recordingPath.replace(/\.mcap$/, '.truth.json');
}

function stampOf(message: InputMessage): Stamp {
  switch (message.kind) {
    case 'tf':
    case 'tf_static':
      return message.transforms[0].stamp;
    case 'odom':
      return message.odometry.stamp;
    case 'color':
    case 'depth':
    case 'instances':
      return message.image.stamp;
    case 'detections':
      return message.detections.stamp;
    case 'color_info':
    case 'depth_info':
      return message.info.stamp;
  }
}
