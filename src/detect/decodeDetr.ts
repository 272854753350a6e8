import type { Detection } from '../camera/Detection.js';
import { bestClass, keepBest, type Candidate, type DecodeSettings, type OutputTensor } from './candidates.js';
import type { PictureFit } from './fitPicture.js';

/**
 * RT-DETR (Zhao et al. 2023) and D-FINE (Peng et al. 2024). Two forms are read: the network's own, logits
 * 1 × queries × classes and boxes 1 × queries × 4 (centre and size as shares of the input); and the deployed one,
 * which takes `orig_target_sizes` and gives labels, boxes (corners) and scores, 1 × queries each. It is told the
 * input's size, so that its boxes are in input pixels. Queries do not repeat each other: no suppression by default.
 */
export function decodeDetr(
  outputs: readonly OutputTensor[],
  fit: PictureFit,
  settings: DecodeSettings,
): readonly Detection[] {
  const own = ownForm(outputs, settings.names.length);
  const deployed = deployedForm(outputs);
  const candidates = own
    ? candidatesOfQueries(own, fit, settings)
    : deployed
      ? candidatesOfDeployed(deployed, settings)
      : [];
  return keepBest(candidates, fit, settings).map(({ detection }) => detection);
}

/** What is wrong with the outputs, if anything. */
export function detrProblem(
  outputs: readonly OutputTensor[],
  _fit: PictureFit,
  classes: number,
): string | undefined {
  if (ownForm(outputs, classes) || deployedForm(outputs)) return undefined;
  return `logits of 1xqueriesx${classes} (labels) and boxes of 1xqueriesx4, or labels, boxes and scores of 1xqueries, 1xqueriesx4 and 1xqueries`;
}

function candidatesOfQueries(form: OwnForm, fit: PictureFit, settings: DecodeSettings): Candidate[] {
  const { logits, boxes, queries } = form;
  const classes = settings.names.length;
  const candidates: Candidate[] = [];
  for (let row = 0; row < queries; row++) {
    const best = bestClass(logits.data, row * classes, 1, classes);
    const score = 1 / (1 + Math.exp(-best.score));
    if (!(score >= settings.thresholds[best.index])) continue;
    const at = row * 4;
    const x = boxes.data[at] * fit.inputWidth;
    const y = boxes.data[at + 1] * fit.inputHeight;
    const halfWidth = (boxes.data[at + 2] * fit.inputWidth) / 2;
    const halfHeight = (boxes.data[at + 3] * fit.inputHeight) / 2;
    const corners = { x0: x - halfWidth, y0: y - halfHeight, x1: x + halfWidth, y1: y + halfHeight };
    candidates.push({ classIndex: best.index, score, ...corners, row });
  }
  return candidates;
}

function candidatesOfDeployed(form: DeployedForm, settings: DecodeSettings): Candidate[] {
  const { labels, boxes, scores, queries } = form;
  const candidates: Candidate[] = [];
  for (let row = 0; row < queries; row++) {
    const score = scores.data[row];
    // int64, hence bigint, in most exports. Above the last label is no class of ours: compares as not enough.
    const classIndex = Number(labels.data[row]);
    if (!(score >= settings.thresholds[classIndex])) continue;
    const [x0, y0, x1, y1] = [0, 1, 2, 3].map((side) => boxes.data[row * 4 + side]);
    candidates.push({ classIndex, score, x0, y0, x1, y1, row });
  }
  return candidates;
}

interface OwnForm {
  readonly logits: OutputTensor;
  readonly boxes: OutputTensor;
  readonly queries: number;
}

function ownForm(outputs: readonly OutputTensor[], classes: number): OwnForm | undefined {
  if (outputs.length !== 2) return undefined;
  // With four classes both look alike; the exporters put the logits first.
  const [first, second] = outputs as readonly [OutputTensor, OutputTensor];
  const swapped = first.dims[2] === 4 && classes !== 4;
  const [logits, boxes] = swapped ? [second, first] : [first, second];
  const queries = boxes.dims[1] ?? 0;
  const fits =
    logits.dims.join() === [1, queries, classes].join() && boxes.dims.join() === [1, queries, 4].join();
  return fits ? { logits, boxes, queries } : undefined;
}

interface DeployedForm {
  readonly labels: OutputTensor;
  readonly boxes: OutputTensor;
  readonly scores: OutputTensor;
  readonly queries: number;
}

function deployedForm(outputs: readonly OutputTensor[]): DeployedForm | undefined {
  const boxes = outputs.find(({ dims }) => dims.length === 3 && dims[0] === 1 && dims[2] === 4);
  const flat = outputs.filter(({ dims }) => dims.length === 2 && dims[0] === 1);
  if (outputs.length !== 3 || boxes === undefined || flat.length !== 2) return undefined;
  const scores = flat.find(({ name }) => /score/i.test(name)) ?? flat.at(-1);
  const labels = flat.find((output) => output !== scores);
  const queries = boxes.dims[1] ?? 0;
  if (scores === undefined || labels === undefined) return undefined;
  if (scores.dims[1] !== queries || labels.dims[1] !== queries) return undefined;
  return { labels, boxes, scores, queries };
}
