import { z } from 'zod';
import { EvaluationError } from './truth.js';
import type { RunScore } from './RunScore.js';

/**
 * The file that keeps an evaluation of many runs, so that a later one can be compared with it: the numbers of each run and,
 * for people and scripts, each run's whole evaluation.
 */

const tally = z.object({ count: z.number(), of: z.number() });
const latencies = z.array(z.number().nullable());

const runScoreSchema = z.object({
  name: z.string(),
  runs: z.number(),
  strict: z.object({ found: z.number(), missed: z.number(), wrong: z.number() }),
  recall: tally,
  recallTall: tally,
  errorsM: z.array(z.number()),
  exactErrorsM: z.array(z.number()),
  duplicates: z.number(),
  swapped: z.number(),
  live: z.number(),
  unexplained: z.number(),
  supports: tally,
  on: tally,
  near: tally,
  labels: tally,
  falselyMissing: z.number(),
  removedAfterS: latencies,
  movedAfterS: latencies,
  rests: tally,
}) satisfies z.ZodType<RunScore>;

const runsFileSchema = z.looseObject({
  schema: z.literal(1),
  /** By ROS name: what was not at its default. */
  parameters: z.record(z.string(), z.unknown()),
  runs: z.array(z.looseObject({ score: runScoreSchema })),
  /** The runs of one kind together. */
  pooled: z.array(runScoreSchema),
});

export interface RunsFile {
  readonly schema: 1;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly runs: readonly { readonly score: RunScore }[];
  readonly pooled: readonly RunScore[];
}

/** @throws EvaluationError with the path of the bad field. */
export function parseRunsFile(json: unknown): RunsFile {
  const parsed = runsFileSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new EvaluationError(`runs file: ${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'invalid'}`);
}
