import { alignColumns } from '../../src/evaluate/alignColumns.js';
import { f1Of, shareOfTally } from '../../src/evaluate/RunScore.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import type { JobOutcome } from './runJobs.js';

/** Least and most of each run over its variants with frames dropped; empty without such variants. */
export function formatSpread(outcomes: readonly JobOutcome[]): string {
  const runs = new Map<string, RunScore[]>();
  for (const { job, result } of outcomes) {
    if (result === undefined) continue;
    const name = job.drop === undefined ? job.name : job.name.replace(/, \w+ dropped$/, '');
    runs.set(name, [...(runs.get(name) ?? []), result.score]);
  }
  const rows = [...runs]
    .filter(([, variants]) => variants.length > 1)
    .map(([name, variants]) => [
      name,
      range(variants.map(f1Of)),
      range(variants.map(({ recall }) => shareOfTally(recall))),
      range(variants.map(({ recallTall }) => shareOfTally(recallTall))),
    ]);
  if (rows.length === 0) return '';
  const head = ['spread over dropped frames', 'F1', 'recall', '>2 cm'];
  return `\n${alignColumns([head, ...rows], 'right').join('\n')}\n`;
}

function range(values: readonly (number | undefined)[]): string {
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return '–';
  return `${Math.min(...known).toFixed(2)}–${Math.max(...known).toFixed(2)}`;
}
