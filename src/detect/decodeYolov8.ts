import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import { cutMask, type MaskPrototypes } from './cutMask.js';
import type { PictureFit } from './fitPicture.js';

/**
 * YOLOv8 and YOLO11 as their exporter writes them: one output, 1 × (4 + classes + factors) × cells (or its last two
 * turned), of centre and size in input pixels, class scores through the sigmoid, and for `-seg` mask factors; with a
 * second output of mask prototypes, 1 × factors × height × width.
 */
export function decodeYolov8(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const { rows, prototypes } = partsOf(outputs);
  if (rows === undefined) return [];
  const classes = settings.names.length;
  const layout = layoutOf(rows, 4 + classes + (prototypes?.count ?? 0));
  if (layout === undefined) return [];
  const { cells, fieldStep, cellStep } = layout;
  const candidates: Candidate[] = [];
  for (let row = 0; row < cells; row++) {
    const at = row * cellStep;
    const best = bestClass(rows.data, at + 4 * fieldStep, fieldStep, classes);
    if (!(best.score >= settings.thresholds[best.index])) continue;
    const [x, y, halfWidth, halfHeight] = [
      rows.data[at],
      rows.data[at + fieldStep],
      rows.data[at + 2 * fieldStep] / 2,
      rows.data[at + 3 * fieldStep] / 2,
    ];
    const corners = { x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight };
    candidates.push({ classIndex: best.index, score: best.score, ...corners, row });
  }
  const kept = keepBest(candidates, fit, settings);
  if (prototypes === undefined) return kept.map(({ detection }) => detection);
  return kept.map(({ candidate, detection }) => {
    const at = candidate.row * cellStep + (4 + classes) * fieldStep;
    const factors = Array.from({ length: prototypes.count }, (_, i) => rows.data[at + i * fieldStep]);
    const mask = cutMask(factors, prototypes, detection.box, fit);
    return mask === undefined ? detection : { ...detection, mask };
  });
}

/** What is wrong with the outputs, if anything. */
export function yolov8Problem(
  outputs: readonly OutputTensor[],
  _fit: PictureFit,
  classes: number,
): string | undefined {
  const { rows, prototypes } = partsOf(outputs);
  const fields = 4 + classes + (prototypes?.count ?? 0);
  const fine =
    outputs.length === (prototypes === undefined ? 1 : 2) && rows !== undefined && layoutOf(rows, fields);
  if (fine) return undefined;
  const masks = prototypes === undefined ? '' : ` + ${prototypes.count} mask factors`;
  return `an output of 1x${fields}xcells (4 + ${classes} labels${masks}) and, for masks, one of 1xfactorsxheightxwidth`;
}

interface Parts {
  readonly rows?: OutputTensor;
  readonly prototypes?: MaskPrototypes;
}

function partsOf(outputs: readonly OutputTensor[]): Parts {
  const rows = outputs.find(({ dims }) => dims.length === 3 && dims[0] === 1);
  const planes = outputs.find(({ dims }) => dims.length === 4 && dims[0] === 1);
  if (planes === undefined) return { rows };
  const [, count = 0, height = 0, width = 0] = planes.dims;
  return { rows, prototypes: { count, height, width, data: planes.data } };
}

interface Layout {
  readonly cells: number;
  /** From one field of a cell to its next, and from cell to cell. */
  readonly fieldStep: number;
  readonly cellStep: number;
}

function layoutOf({ dims }: OutputTensor, fields: number): Layout | undefined {
  const [, second = 0, third = 0] = dims;
  if (second === fields) return { cells: third, fieldStep: third, cellStep: 1 };
  if (third === fields) return { cells: second, fieldStep: 1, cellStep: fields };
  return undefined;
}
