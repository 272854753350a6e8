import type { Detection } from '../camera/Detection.js';
import type { DecodeSettings, OutputTensor } from './candidates.js';
import { decodeDetr, detrProblem } from './decodeDetr.js';
import { decodeFastestdet, fastestdetProblem } from './decodeFastestdet.js';
import { decodeNanodet, nanodetProblem } from './decodeNanodet.js';
import { decodeYolov8, yolov8Problem } from './decodeYolov8.js';
import { decodeYolox, yoloxProblem } from './decodeYolox.js';
import type { DetectorFamily, ModelDescription } from './Description.js';
import type { PictureFit } from './fitPicture.js';

/** How the answer of one family of networks is read: pure functions over its outputs. */
export interface Decoder {
  /** What would have been right, when these outputs are not of this family. */
  readonly problem: (
    outputs: readonly OutputTensor[],
    fit: PictureFit,
    classes: number,
  ) => string | undefined;
  readonly decode: (
    outputs: readonly OutputTensor[],
    fit: PictureFit,
    settings: DecodeSettings,
  ) => readonly Detection[];
  /** Where the description names none: as the networks' authors have it. */
  readonly nmsIou: number;
}

const yolov8: Decoder = { problem: yolov8Problem, decode: decodeYolov8, nmsIou: 0.45 };
const detr: Decoder = { problem: detrProblem, decode: decodeDetr, nmsIou: 1 };

const DECODERS: Readonly<Record<DetectorFamily, Decoder>> = {
  yolox: { problem: yoloxProblem, decode: decodeYolox, nmsIou: 0.45 },
  yolov8,
  yolo11: yolov8,
  rtdetr: detr,
  dfine: detr,
  nanodet: { problem: nanodetProblem, decode: decodeNanodet, nmsIou: 0.5 },
  fastestdet: { problem: fastestdetProblem, decode: decodeFastestdet, nmsIou: 0.45 },
};

/** None for an embedding, which names nothing. */
export function decoderOf(family: ModelDescription['family']): Decoder | undefined {
  return family === 'embedding' ? undefined : DECODERS[family];
}

export function decodeSettings(description: ModelDescription, decoder: Decoder): DecodeSettings {
  const { labels, include, exclude, synonyms, label_thresholds, score_threshold } = description;
  const counts = (label: string): boolean => (include?.includes(label) ?? true) && !exclude.includes(label);
  const own = (label: string): number =>
    Object.hasOwn(label_thresholds, label) ? (label_thresholds[label] ?? 0) : score_threshold;
  const thresholds = Float32Array.from(labels, (label) => (counts(label) ? own(label) : Infinity));
  return {
    names: labels.map((label) => (Object.hasOwn(synonyms, label) ? (synonyms[label] ?? label) : label)),
    thresholds,
    leastThreshold: thresholds.reduce((least, threshold) => Math.min(least, threshold), Infinity),
    nmsIou: description.nms_iou ?? decoder.nmsIou,
    maxDetections: description.max_detections,
  };
}
