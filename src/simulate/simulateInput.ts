import sharp from 'sharp';
import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { CameraInfo, CompressedImage, InputMessage, RawImage } from '../input/messages.js';
import type { Stamp } from '../time/Stamp.js';
import { COLOR_FRAME, TF_RATE_HZ } from './FrameTree.js';
import { pictureDetections, type DetectionForm } from './pictureDetections.js';
import type { SimScript } from './SimScript.js';
import { Simulation, type SimulatedPicture } from './Simulation.js';

const JPEG_QUALITY = 80;

/** A detector that runs beside the robot's camera. */
export interface SimulatedDetector {
  readonly form: DetectionForm;
  /** From a picture's stamp to what it says of it, seconds. */
  readonly delayS: number;
  /** It looks at the first picture and each so many after it; default: all. */
  readonly every?: number;
}

export interface SimulateInputOptions {
  readonly color?: 'rgb8' | 'jpeg';
  readonly detector?: SimulatedDetector;
  readonly simulation?: Simulation;
}

/**
 * The messages a robot in this world sends, in order of time: `/tf_static` once, TF and odometry at 30 Hz, and with
 * each picture colour, depth and both camera infos of one stamp; what a detector says of it as much later as it takes.
 * No file and no bytes in between.
 */
export async function* simulateInput(
  script: SimScript,
  options: SimulateInputOptions = {},
): AsyncGenerator<InputMessage, void> {
  const simulation = options.simulation ?? new Simulation(script);
  const { frames } = simulation;
  yield frames.staticMessage();
  const { detector } = options;
  const said: { readonly atS: number; readonly messages: readonly InputMessage[] }[] = [];
  let tick = 0;
  function* until(timeS: number): Generator<InputMessage, void> {
    for (;;) {
      const tickS = tick < frames.tickCount() ? tick / TF_RATE_HZ : Infinity;
      const saidS = said[0]?.atS ?? Infinity;
      if (Math.min(tickS, saidS) > timeS + 1e-9) return;
      if (tickS <= saidS) yield* frames.tickMessages(tick++);
      else yield* said.shift()?.messages ?? [];
    }
  }
  for (const picture of simulation.pictures()) {
    yield* until(picture.timeS);
    yield* await pictureMessages(picture, frames.depthFrameId(), options.color ?? 'rgb8');
    if (detector !== undefined && picture.index % (detector.every ?? 1) === 0)
      said.push({
        atS: picture.timeS + detector.delayS,
        messages: pictureDetections(picture, detector.form),
      });
  }
  yield* until(Number.MAX_VALUE);
}

async function pictureMessages(
  picture: SimulatedPicture,
  depthFrameId: string,
  encoding: 'rgb8' | 'jpeg',
): Promise<InputMessage[]> {
  const { stamp, colorCamera, depthCamera } = picture;
  const color = encoding === 'rgb8' ? rawColor(picture) : await jpegColor(picture);
  return [
    { kind: 'color_info', camera: '', info: cameraInfo(stamp, COLOR_FRAME, colorCamera) },
    { kind: 'depth_info', camera: '', info: cameraInfo(stamp, depthFrameId, depthCamera) },
    { kind: 'color', camera: '', image: color },
    { kind: 'depth', camera: '', image: rawDepth(picture, depthFrameId) },
  ];
}

function rawColor({ stamp, rgb, colorCamera: { width, height } }: SimulatedPicture): RawImage {
  return {
    stamp,
    frameId: COLOR_FRAME,
    width,
    height,
    encoding: 'rgb8',
    isBigEndian: false,
    step: 3 * width,
    data: rgb,
  };
}

async function jpegColor({
  stamp,
  rgb,
  colorCamera: { width, height },
}: SimulatedPicture): Promise<CompressedImage> {
  const data = await sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer();
  return { stamp, frameId: COLOR_FRAME, format: 'rgb8; jpeg compressed bgr8', data };
}

function rawDepth(
  { stamp, depthMm, depthCamera: { width, height } }: SimulatedPicture,
  frameId: string,
): RawImage {
  const data = new Uint8Array(2 * depthMm.length);
  for (let i = 0; i < depthMm.length; i++) {
    data[2 * i] = depthMm[i] & 0xff;
    data[2 * i + 1] = depthMm[i] >> 8;
  }
  return { stamp, frameId, width, height, encoding: '16UC1', isBigEndian: false, step: 2 * width, data };
}

function cameraInfo(stamp: Stamp, frameId: string, camera: PinholeCamera): CameraInfo {
  const { width, height, fx, fy, cx, cy, distortionModel, D } = camera;
  return {
    stamp,
    frameId,
    width,
    height,
    distortionModel,
    D,
    K: [fx, 0, cx, 0, fy, cy, 0, 0, 1],
    R: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    P: [fx, 0, cx, 0, 0, fy, cy, 0, 0, 0, 1, 0],
    binningX: 0,
    binningY: 0,
    roi: { xOffset: 0, yOffset: 0, width: 0, height: 0 },
  };
}
