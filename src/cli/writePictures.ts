import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import sharp from 'sharp';
import { projectPoint } from '../camera/PinholeCamera.js';
import type { ColorView } from '../camera/RgbdFrame.js';
import { frameSvg } from '../evaluate/frameSvg.js';
import { pictureScene } from '../evaluate/pictureScene.js';
import type { DrawnBox } from '../evaluate/pictureScene.js';
import { planSvg } from '../evaluate/planSvg.js';
import type { ReplayResult } from '../evaluate/replayResult.js';
import type { Truth } from '../evaluate/truth.js';
import { invertTransform, transformPoint } from '../math/rigidTransform.js';
import { createFrameAssembler } from '../pipeline/FrameAssembler.js';
import { defaultParameters } from '../pipeline/parameterSet.js';
import { openRecording } from '../recordings/openRecording.js';
import { readInputMessages } from '../recordings/readInputMessages.js';
import type { Recording } from '../recordings/Recording.js';
import { resolveTopics } from '../recordings/resolveTopics.js';

/** Frames drawn, spread evenly over the recording. */
const FRAMES = 8;

/** Draws truth and entities from above and, given the recording, on frames of it. @returns the files. */
export async function writePictures(
  folder: string,
  result: ReplayResult,
  truth: Truth,
  bag: string | undefined,
): Promise<string[]> {
  await mkdir(folder, { recursive: true });
  const scene = pictureScene(result, truth);
  const plan = path.join(folder, 'plan.png');
  await sharp(Buffer.from(planSvg(scene, `${truth.recording}, from above`)))
    .png()
    .toFile(plan);
  if (bag === undefined) return [plan];
  const recording = await openRecording(bag);
  try {
    return [plan, ...(await drawFrames(folder, scene, recording))];
  } finally {
    await recording.close();
  }
}

async function drawFrames(
  folder: string,
  scene: readonly DrawnBox[],
  recording: Recording,
): Promise<string[]> {
  const assignment = resolveTopics(recording.topics);
  const total = assignment.topics.depth?.count ?? 0;
  const every = Math.max(1, Math.floor(total / FRAMES));
  const assembler = createFrameAssembler(defaultParameters());
  const files: string[] = [];
  let seen = 0;
  for await (const { message } of readInputMessages(recording, assignment)) {
    assembler.push(message);
    for (const pending of assembler.takeReady()) {
      if (seen++ % every !== 0) continue;
      const decoded = await assembler.decode(pending);
      if (!decoded.ok || decoded.value.color === undefined) continue;
      const file = path.join(folder, `frame-${String(seen).padStart(4, '0')}.jpg`);
      await drawFrame(file, scene, decoded.value.color);
      files.push(file);
    }
  }
  return files;
}

async function drawFrame(file: string, scene: readonly DrawnBox[], color: ColorView): Promise<void> {
  const { width, height, data } = color.image;
  const color_T_map = invertTransform(color.map_T_color);
  const overlay = frameSvg(scene, (point) => projectPoint(color.camera, transformPoint(color_T_map, point)), {
    width,
    height,
  });
  await sharp(data, { raw: { width, height, channels: 3 } })
    .composite([{ input: Buffer.from(overlay) }])
    .jpeg({ quality: 88 })
    .toFile(file);
}
