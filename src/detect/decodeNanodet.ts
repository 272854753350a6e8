import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import type { PictureFit } from './fitPicture.js';

/**
 * NanoDet-m (RangiLyu 2020): for stride 8, 16, 32 an output of class scores, 1 × cells × classes, through the sigmoid
 * already, and one of box bins, 1 × cells × 4·bins. The distance from a cell's centre to each side is the expected
 * bin times the stride (Generalized Focal Loss, Li et al. 2020).
 */
const STRIDES = [8, 16, 32];

export function decodeNanodet(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const classes = settings.names.length;
  const levels = levelsOf(outputs, fit, classes) ?? [];
  const candidates: Candidate[] = [];
  for (const { stride, cells, columns, scores, bins, binCount } of levels) {
    for (let cell = 0; cell < cells; cell++) {
      const best = bestClass(scores.data, cell * classes, 1, classes);
      if (!(best.score >= settings.thresholds[best.index])) continue;
      const side = (index: number): number =>
        stride * expectedBin(bins.data, (cell * 4 + index) * binCount, binCount);
      const x = ((cell % columns) + 0.5) * stride - 0.5;
      const y = (Math.floor(cell / columns) + 0.5) * stride - 0.5;
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
  return `six outputs: 1xcellsx${classes} (labels) and 1xcellsx4·bins for ${cells.join(', ')} cells`;
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

interface Level {
  readonly stride: number;
  readonly cells: number;
  readonly columns: number;
  readonly scores: OutputTensor;
  readonly bins: OutputTensor;
  readonly binCount: number;
}

/** Outputs come in any order; those of one level are told apart by their width, the first being the scores. */
function levelsOf(
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
    if (own.length !== 2 || !scores || !bins || !Number.isInteger(binCount) || binCount < 2) return [];
    return [{ stride, ...grid, scores, bins, binCount }];
  });
  return levels.length === STRIDES.length ? levels : undefined;
}

function gridOf(fit: PictureFit, stride: number): { cells: number; columns: number } {
  const columns = Math.ceil(fit.inputWidth / stride);
  return { columns, cells: columns * Math.ceil(fit.inputHeight / stride) };
}
