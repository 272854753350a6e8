import type { Detection2D, InputMessage } from '../input/messages.js';
import { COLOR_FRAME } from './FrameTree.js';
import type { SimulatedPicture } from './Simulation.js';

/** What a detector beside the camera sends: boxes with names, an image of the things' numbers, or both. */
export type DetectionForm = 'boxes' | 'instances' | 'masks';

export const DETECTION_FORMS: readonly DetectionForm[] = ['boxes', 'instances', 'masks'];

const SCORE = 0.9;
/** Less of a thing is not detected. */
const LEAST_PIXELS = 40;

/**
 * What a detector without fault says of a picture: a box around the visible pixels of each thing, named by its label,
 * with its number in the instance image as id. Floor and walls are nothing to it.
 */
export function pictureDetections(picture: SimulatedPicture, form: DetectionForm): InputMessage[] {
  const { things } = picture.truth.scene;
  const isThing = [false, ...things.map(({ role }) => role !== 'structure')];
  const instances = picture.colorInstances.map((k) => (isThing[k] ? k : 0));
  const messages: InputMessage[] = [];
  if (form !== 'boxes') messages.push(instanceImage(picture, instances));
  if (form !== 'instances') {
    const detections = boxesOf(instances, picture.colorCamera.width, things.length).flatMap((box, index) =>
      box === undefined ? [] : [detectionOf(things[index].label, index + 1, box)],
    );
    const header = { stamp: picture.stamp, frameId: COLOR_FRAME };
    messages.push({ kind: 'detections', camera: '', detections: { ...header, detections } });
  }
  return messages;
}

interface PixelBox {
  u0: number;
  v0: number;
  u1: number;
  v1: number;
  count: number;
}

/** By number − 1; undefined for what is not seen or hardly. */
function boxesOf(instances: Uint16Array, width: number, count: number): (PixelBox | undefined)[] {
  const boxes = Array.from({ length: count }, () => ({
    u0: Infinity,
    v0: Infinity,
    u1: -1,
    v1: -1,
    count: 0,
  }));
  instances.forEach((k, i) => {
    if (k === 0) return;
    const box = boxes[k - 1];
    const u = i % width;
    const v = Math.floor(i / width);
    box.u0 = Math.min(box.u0, u);
    box.u1 = Math.max(box.u1, u + 1);
    box.v0 = Math.min(box.v0, v);
    box.v1 = Math.max(box.v1, v + 1);
    box.count++;
  });
  return boxes.map((box) => (box.count < LEAST_PIXELS ? undefined : box));
}

function detectionOf(label: string, number: number, { u0, v0, u1, v1 }: PixelBox): Detection2D {
  return {
    id: String(number),
    hypotheses: [{ classId: label, score: SCORE }],
    center: [(u0 + u1) / 2, (v0 + v1) / 2],
    theta: 0,
    size: [u1 - u0, v1 - v0],
  };
}

function instanceImage(
  { stamp, colorCamera: { width, height } }: SimulatedPicture,
  instances: Uint16Array,
): InputMessage {
  const data = new Uint8Array(2 * instances.length);
  for (let i = 0; i < instances.length; i++) {
    data[2 * i] = instances[i] & 0xff;
    data[2 * i + 1] = instances[i] >> 8;
  }
  const size = { width, height, encoding: '16UC1', isBigEndian: false, step: 2 * width };
  return { kind: 'instances', camera: '', image: { stamp, frameId: COLOR_FRAME, ...size, data } };
}
