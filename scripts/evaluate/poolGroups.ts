import { poolRuns } from '../../src/evaluate/RunScore.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import type { JobOutcome } from './runJobs.js';

/** One score for each group of at least two runs, in the order in which the groups appear. */
export function poolGroups(outcomes: readonly JobOutcome[]): RunScore[] {
  const groups = new Map<string, RunScore[]>();
  for (const { job, result } of outcomes) {
    if (result === undefined) continue;
    groups.set(job.group, [...(groups.get(job.group) ?? []), result.score]);
  }
  return [...groups]
    .filter(([, runs]) => runs.length > 1)
    .map(([group, runs]) => poolRuns(`${group} (${runs.length})`, runs));
}
