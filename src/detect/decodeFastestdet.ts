import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import type { PictureFit } from './fitPicture.js';

/**
 * FastestDet (dog-qiuqiu 2022): one output, 1 × (5 + classes) × rows × columns: objectness, box, classes. Score is
 * objectness^0.6 · class^0.4; a centre lies within one cell of its own, sizes are shares of the input.
 */
export function decodeFastestdet(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const [output] = outputs;
  if (output === undefined) return [];
  const [, , rows = 0, columns = 0] = output.dims;
  const { data } = output;
  const plane = rows * columns;
  const candidates: Candidate[] = [];
  for (let cell = 0; cell < plane; cell++) {
    const ceiling = Math.pow(data[cell], 0.6);
    if (!(ceiling >= settings.leastThreshold)) continue;
    const best = bestClass(data, cell + 5 * plane, plane, settings.names.length);
    const score = ceiling * Math.pow(best.score, 0.4);
    if (!(score >= settings.thresholds[best.index])) continue;
    const x = ((Math.tanh(data[cell + plane]) + (cell % columns)) / columns) * fit.inputWidth;
    const y = ((Math.tanh(data[cell + 2 * plane]) + Math.floor(cell / columns)) / rows) * fit.inputHeight;
    const halfWidth = (sigmoid(data[cell + 3 * plane]) * fit.inputWidth) / 2;
    const halfHeight = (sigmoid(data[cell + 4 * plane]) * fit.inputHeight) / 2;
    const corners = { x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight };
    candidates.push({ classIndex: best.index, score, ...corners, row: cell });
  }
  return keepBest(candidates, fit, settings).map(({ detection }) => detection);
}

/** What is wrong with the outputs, if anything. */
export function fastestdetProblem(
  outputs: readonly OutputTensor[],
  _fit: PictureFit,
  classes: number,
): string | undefined {
  const dims = outputs[0]?.dims ?? [];
  const fine = outputs.length === 1 && dims.length === 4 && dims[0] === 1 && dims[1] === 5 + classes;
  return fine ? undefined : `one output of 1x${5 + classes}xrowsxcolumns (5 + ${classes} labels)`;
}

function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value));
}
