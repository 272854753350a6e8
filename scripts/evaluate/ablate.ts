import { poolRuns } from '../../src/evaluate/RunScore.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import { ABLATIONS } from './ablations.js';
import type { Job } from './Job.js';
import { runJobs } from './runJobs.js';
import type { JobOutcome } from './runJobs.js';

/** All runs pooled, first with everything, then once without each mechanism; the outcomes tell which failed. */
export interface AblationResult {
  readonly scores: readonly RunScore[];
  readonly outcomes: readonly JobOutcome[];
}

/** @param mechanisms parts of names; empty: all. */
export async function ablate(
  jobs: readonly Job[],
  complete: readonly JobOutcome[],
  mechanisms: readonly string[],
  atATime: number,
  onDone: (outcome: JobOutcome, done: number, total: number) => void,
): Promise<AblationResult> {
  const chosen = ABLATIONS.filter(
    ({ name }) => mechanisms.length === 0 || mechanisms.some((part) => name.includes(part)),
  );
  const all = chosen.flatMap((ablation) =>
    jobs.map((job): Job => ({
      ...job,
      name: `${job.name}, without ${ablation.name}`,
      parameters: { ...job.parameters, ...ablation.parameters },
      ...(ablation.module !== undefined && { withoutModule: ablation.module }),
    })),
  );
  const outcomes = await runJobs(all, atATime, (outcome, done) => onDone(outcome, done, all.length));
  const pooled = chosen.map(({ name }, k) =>
    poolRuns(`without ${name}`, scoresOf(outcomes.slice(k * jobs.length, (k + 1) * jobs.length))),
  );
  return { scores: [poolRuns('with everything', scoresOf(complete)), ...pooled], outcomes };
}

function scoresOf(outcomes: readonly JobOutcome[]): RunScore[] {
  return outcomes.flatMap(({ result }) => (result === undefined ? [] : [result.score]));
}
