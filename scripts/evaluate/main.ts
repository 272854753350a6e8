/**
 * `npm run evaluate`: replays every recording that has a truth file, small simulated scenes and simulated rooms, and
 * prints what the graph is worth in one table. Each replay runs in a process of its own, as many at a time as there
 * are cores.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { numberOption, parseCommandLine, UsageError } from '../../src/cli/Command.js';
import { formatEvaluation } from '../../src/evaluate/formatEvaluation.js';
import { COLUMN_NOTES, formatDifferences, formatRuns } from '../../src/evaluate/formatRuns.js';
import { parseRunsFile } from '../../src/evaluate/runsFile.js';
import type { RunsFile } from '../../src/evaluate/runsFile.js';
import { EvaluationError } from '../../src/evaluate/truth.js';
import { ParameterError } from '../../src/pipeline/parameterSet.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import { ablate } from './ablate.js';
import { formatSpread } from './formatSpread.js';
import { listJobs } from './listJobs.js';
import { chosenParameters } from './chosenParameters.js';
import { poolGroups } from './poolGroups.js';
import { runJobs } from './runJobs.js';
import type { JobOutcome } from './runJobs.js';

const USAGE = `Usage: npm run evaluate -- [options]

Replays every recording of the data folder that has a truth file, small simulated
scenes and some simulated rooms, and prints one table of what the graph is worth.
The replays stay in out/evaluation. The exit code is 1 when a replay failed.

  --rooms N            this many simulated rooms (default 4)
  --only PART          runs whose name contains this; may be given again
  --drops              also with every fourth, the odd and the even frames dropped
  --ablate             then all of them again without each mechanism in turn, pooled
  --mechanism PART     with --ablate: mechanisms whose name contains this; may be given again
  --params FILE        parameters, in the form of a ROS parameter file or a plain table
  --set NAME=VALUE     one parameter by its ROS name; may be given again
  --compare FILE       also print what differs from an earlier --json
  --json FILE          write everything to a file
  --objects            also print each run's objects and what is unexplained
  --pictures           draw truth and entities of each run
  --data FOLDER        default: $RGBD_SCENE_GRAPH_DATA/data, else ../shared/data
  --jobs N             replays at a time (default: the number of cores)
`;

const OUT = fileURLToPath(new URL('../../out/evaluation', import.meta.url));

const OPTIONS = {
  rooms: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] as string[] },
  drops: { type: 'boolean', default: false },
  ablate: { type: 'boolean', default: false },
  mechanism: { type: 'string', multiple: true, default: [] as string[] },
  params: { type: 'string' },
  set: { type: 'string', multiple: true, default: [] as string[] },
  compare: { type: 'string' },
  json: { type: 'string' },
  objects: { type: 'boolean', default: false },
  pictures: { type: 'boolean', default: false },
  data: { type: 'string' },
  jobs: { type: 'string' },
} as const;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { values } = parseCommandLine(args, OPTIONS, []);
  const parameters = chosenParameters(values.params, values.set);
  const before =
    values.compare === undefined
      ? undefined
      : parseRunsFile(JSON.parse(await readFile(values.compare, 'utf8')));
  const jobs = await listJobs({
    data:
      values.data ?? path.join(process.env['RGBD_SCENE_GRAPH_DATA'] ?? path.resolve('..', 'shared'), 'data'),
    rooms: numberOption(values.rooms, 'rooms', 0) ?? 4,
    drops: values.drops,
    only: values.only,
    out: OUT,
    parameters,
    pictures: values.pictures,
  });
  if (jobs.length === 0) throw new UsageError('nothing to evaluate');
  const atATime = numberOption(values.jobs, 'jobs', 1) ?? availableParallelism();
  const outcomes = await runJobs(jobs, atATime, (outcome, done) => tell(outcome, done, jobs.length));
  const ablation = values.ablate
    ? await ablate(jobs, outcomes, values.mechanism, atATime, tell)
    : { scores: [], outcomes: [] };
  const file = runsFile(outcomes, parameters);
  print(outcomes, file, before, values.objects);
  if (ablation.scores.length > 0) printAblation(ablation.scores);
  const failed = [...outcomes, ...ablation.outcomes].filter(({ result }) => result === undefined);
  for (const { job, problem } of failed) process.stderr.write(`\n${job.name} failed: ${problem ?? ''}\n`);
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(file, null, 1)}\n`);
  return failed.length > 0 ? 1 : 0;
}

function runsFile(outcomes: readonly JobOutcome[], parameters: Record<string, unknown>): RunsFile {
  return {
    schema: 1,
    parameters,
    runs: outcomes.flatMap(({ result }) => (result === undefined ? [] : [{ ...result }])),
    pooled: poolGroups(outcomes),
  };
}

function print(
  outcomes: readonly JobOutcome[],
  file: RunsFile,
  before: RunsFile | undefined,
  withObjects: boolean,
): void {
  const scores = [...file.runs.map(({ score }) => score), ...file.pooled];
  const results = outcomes.flatMap(({ result }) => result ?? []);
  if (withObjects)
    for (const { evaluation, score } of results)
      process.stdout.write(`── ${score.name}\n${formatEvaluation(evaluation)}\n`);
  process.stdout.write(`${COLUMN_NOTES}\n${formatRuns(scores)}`);
  process.stdout.write(formatSpread(outcomes));
  if (before !== undefined) {
    const old = [...before.runs.map(({ score }) => score), ...before.pooled];
    process.stdout.write(`\n${formatDifferences(old, scores)}`);
  }
}

function printAblation(scores: readonly RunScore[]): void {
  const [complete] = scores;
  const renamed = scores.slice(1).map(({ name }) => ({ ...complete, name }));
  process.stdout.write(`\n${formatRuns(scores)}\n${formatDifferences(renamed, scores.slice(1))}`);
}

function tell({ job, result, problem }: JobOutcome, done: number, total: number): void {
  const text =
    result === undefined
      ? `failed: ${problem?.split('\n')[0] ?? ''}`
      : `${result.frames.used} of ${result.frames.in} frames used, ${result.wallS.toFixed(1)} s`;
  process.stderr.write(`${done}/${total} ${job.name}: ${text}\n`);
}

main(process.argv.slice(2)).then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    const isUsage = error instanceof UsageError;
    const isExpected = isUsage || error instanceof EvaluationError || error instanceof ParameterError;
    const text = error instanceof Error ? (isExpected ? error.message : error.stack) : String(error);
    process.stderr.write(`evaluate: ${text ?? ''}\n${isUsage ? "Try 'npm run evaluate -- --help'.\n" : ''}`);
    process.exitCode = isUsage ? 2 : 1;
  },
);
