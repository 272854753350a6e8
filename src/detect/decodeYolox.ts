import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import type { PictureFit } from './fitPicture.js';

/**
 * YOLOX (Ge et al. 2021), exported without its decoding: one output, 1 × cells × (5 + classes), for stride 8, 16, 32
 * row by row. Objectness and classes are through the sigmoid already, boxes are offsets in cells.
 */
const STRIDES = [8, 16, 32];

/** No box is e^9 cells wide: at the smallest stride that is 65,000 pixels. */
const MOST_LOG_CELLS = 9;

export function decodeYolox(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const data = outputs[0]?.data ?? [];
  const classes = settings.names.length;
  const candidates: Candidate[] = [];
  let row = 0;
  for (const stride of STRIDES) {
    const columns = Math.floor(fit.inputWidth / stride);
    const rows = Math.floor(fit.inputHeight / stride);
    for (let cell = 0; cell < rows * columns; cell++, row++) {
      const at = row * (5 + classes);
      const objectness = data[at + 4];
      // A class cannot lift a cell above its objectness; most cells end here.
      if (!(objectness >= settings.leastThreshold)) continue;
      const best = bestClass(data, at + 5, 1, classes);
      const score = objectness * best.score;
      if (!(score >= settings.thresholds[best.index])) continue;
      const centerX = (data[at] + (cell % columns)) * stride;
      const centerY = (data[at + 1] + Math.floor(cell / columns)) * stride;
      const halfWidth = (Math.exp(data[at + 2]) * stride) / 2;
      const halfHeight = (Math.exp(data[at + 3]) * stride) / 2;
      candidates.push({
        classIndex: best.index,
        score,
        x0: centerX - halfWidth,
        y0: centerY - halfHeight,
        x1: centerX + halfWidth,
        y1: centerY + halfHeight,
        row,
      });
    }
  }
  return keepBest(candidates, fit, settings).map(({ detection }) => detection);
}

/** What is wrong with the outputs, if anything. */
export function yoloxProblem(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  classes: number,
): string | undefined {
  const cells = STRIDES.map(
    (stride) => Math.floor(fit.inputWidth / stride) * Math.floor(fit.inputHeight / stride),
  );
  const count = cells.reduce((sum, own) => sum + own, 0);
  const expected = [1, count, 5 + classes];
  if (outputs.length !== 1 || outputs[0]?.dims.join() !== expected.join())
    return `one output of ${expected.join('x')} (5 + ${classes} labels)`;
  return isDecoded(outputs[0].data, count, 5 + classes)
    ? 'boxes as offsets in cells (exported without --decode_in_inference), not in pixels'
    : undefined;
}

/** Sizes in pixels instead of their logarithm in cells: through exp they would be many thousand cells wide. */
function isDecoded(data: ArrayLike<number>, count: number, fields: number): boolean {
  for (let row = 0; row < count; row++) {
    if (data[row * fields + 2] > MOST_LOG_CELLS || data[row * fields + 3] > MOST_LOG_CELLS) return true;
  }
  return false;
}
