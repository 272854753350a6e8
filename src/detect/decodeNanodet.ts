import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import type { PictureFit } from './fitPicture.js';

/**
 * NanoDet-m (RangiLyu 2020): for stride 8, 16, 32 an output of class scores, 1 × cells × classes, through the sigmoid
 * already, and one of box bins, 1 × cells × 4·bins. The distance from a cell's centre to each side is the expected
 * bin times the stride (Generalized Focal Loss, Li et al. 2020). NanoDet-Plus (2021) has stride 64 too, counts from a
 * cell's corner, and gives all in one output, 1 × cells × (classes + 4·bins).
 */
const STRIDES = [8, 16, 32];
const PLUS_STRIDES = [8, 16, 32, 64];

export function decodeNanodet(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const classes = settings.names.length;
  const candidates: Candidate[] = [];
  for (const { stride, cells, columns, centre, scores, bins, binCount } of levelsOf(outputs, fit, classes) ??
    []) {
    for (let cell = 0; cell < cells; cell++) {
      const best = bestClass(scores.data, scores.start + cell * scores.step, 1, classes);
      if (!(best.score >= settings.thresholds[best.index])) continue;
      const side = (index: number): number =>
        stride * expectedBin(bins.data, bins.start + cell * bins.step + index * binCount, binCount);
      const x = (cell % columns) * stride + centre;
      const y = Math.floor(cell / columns) * stride + centre;
      const corners = { x0: x - side(0), y0: y - side(1), x1: x + side(2), y1: y + side(3) };
      candidates.push({ classIndex: best.index, score: best.score, ...corners, row: cell });
    }
  }
  return keepBest(candidates, fit, settings).map(({ detection }) => detection);
}

/** What is wrong with the outputs, if anything. */
export function nanodetProblem(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  classes: number,
): string | undefined {
  if (levelsOf(outputs, fit, classes)) return undefined;
  const cells = STRIDES.map((stride) => gridOf(fit, stride).cells);
  const all = PLUS_STRIDES.reduce((sum, stride) => sum + gridOf(fit, stride).cells, 0);
  return `six outputs, 1xcellsx${classes} (labels) and 1xcellsx4·bins for ${cells.join(', ')} cells, or one of 1x${all}x(${classes} + 4·bins)`;
}

/** Mean of the bin's index under the softmax of `count` values. */
export function expectedBin(data: ArrayLike<number>, start: number, count: number): number {
  let highest = -Infinity;
  for (let i = 0; i < count; i++) highest = Math.max(highest, data[start + i]);
  let sum = 0;
  let weighted = 0;
  for (let i = 0; i < count; i++) {
    const weight = Math.exp(data[start + i] - highest);
    sum += weight;
    weighted += weight * i;
  }
  return weighted / sum;
}

/** Where the values of a level's cells lie: from `start`, one cell each `step`. */
interface Rows {
  readonly data: ArrayLike<number>;
  readonly start: number;
  readonly step: number;
}

interface Level {
  readonly stride: number;
  readonly cells: number;
  readonly columns: number;
  /** From a cell's corner to where its sides are counted from, pixels. */
  readonly centre: number;
  readonly scores: Rows;
  readonly bins: Rows;
  readonly binCount: number;
}

function levelsOf(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  classes: number,
): readonly Level[] | undefined {
  return outputs.length === 1 ? plusLevels(outputs[0], fit, classes) : pairedLevels(outputs, fit, classes);
}

/** Outputs come in any order; those of one level are told apart by their width, the first being the scores. */
function pairedLevels(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  classes: number,
): readonly Level[] | undefined {
  if (outputs.length !== 2 * STRIDES.length) return undefined;
  const levels = STRIDES.flatMap((stride) => {
    const grid = gridOf(fit, stride);
    const own = outputs.filter(({ dims }) => dims.length === 3 && dims[0] === 1 && dims[1] === grid.cells);
    const scores = own.find(({ dims }) => dims[2] === classes);
    const bins = own.find((output) => output !== scores);
    const binCount = (bins?.dims[2] ?? 0) / 4;
    if (own.length !== 2 || !scores || !bins || !isBinCount(binCount)) return [];
    const rows = ({ data, dims }: OutputTensor): Rows => ({ data, start: 0, step: dims[2] ?? 0 });
    return [{ stride, ...grid, centre: (stride - 1) / 2, scores: rows(scores), bins: rows(bins), binCount }];
  });
  return levels.length === STRIDES.length ? levels : undefined;
}

function plusLevels(
  { data, dims }: OutputTensor,
  fit: PictureFit,
  classes: number,
): readonly Level[] | undefined {
  const [, , step = 0] = dims;
  const binCount = (step - classes) / 4;
  let cells = 0;
  const levels = PLUS_STRIDES.map((stride) => {
    const grid = gridOf(fit, stride);
    const scores = { data, start: cells * step, step };
    cells += grid.cells;
    return {
      stride,
      ...grid,
      centre: 0,
      scores,
      bins: { ...scores, start: scores.start + classes },
      binCount,
    };
  });
  return dims.length === 3 && dims[0] === 1 && dims[1] === cells && isBinCount(binCount) ? levels : undefined;
}

function isBinCount(count: number): boolean {
  return Number.isInteger(count) && count >= 2;
}

function gridOf(fit: PictureFit, stride: number): { cells: number; columns: number } {
  const columns = Math.ceil(fit.inputWidth / stride);
  return { columns, cells: columns * Math.ceil(fit.inputHeight / stride) };
}
