import type { Evaluation } from './evaluate.js';
import type { Share } from './scoreDetection.js';
import { quantile } from './scoreObjects.js';

/** `count` right of `of`. */
export interface Tally {
  readonly count: number;
  readonly of: number;
}

/**
 * What one replay is worth, in numbers that may be added: several runs pooled are a run score again, so that a total is
 * that of all objects and not a mean of means.
 */
export interface RunScore {
  readonly name: string;
  readonly runs: number;
  /** Strict match inside the scored regions. */
  readonly strict: { readonly found: number; readonly missed: number; readonly wrong: number };
  readonly recall: Tally;
  readonly recallTall: Tally;
  /** Position errors of the found objects in metres, and of those with a tolerance of at most 0.10 m. */
  readonly errorsM: readonly number[];
  readonly exactErrorsM: readonly number[];
  /** True objects with more than one ref at the end. */
  readonly duplicates: number;
  /** Refs that named one object and later another. */
  readonly swapped: number;
  /** Live entities of the whole graph, structure included, and those of them that the truth has no word for. */
  readonly live: number;
  readonly unexplained: number;
  readonly supports: Tally;
  readonly on: Tally;
  readonly near: Tally;
  readonly labels: Tally;
  /** Refs that were missing while their object stood there. */
  readonly falselyMissing: number;
  /** Seconds from the first look at the empty (new) place; null: never noticed. Things never found before are left out. */
  readonly removedAfterS: readonly (number | null)[];
  readonly movedAfterS: readonly (number | null)[];
  readonly rests: Tally;
}

export function scoreRun(name: string, evaluation: Evaluation): RunScore {
  const { strict, tolerance, objects, relations, overTime, entities } = evaluation;
  const errors = objects.filter(({ coarse }) => !coarse);
  const changed = (kind: 'removed' | 'moved'): (number | null)[] =>
    overTime.changes
      .filter((change) => change.kind === kind && change.ref !== undefined)
      .map(({ noticedAfterS }) => noticedAfterS ?? null);
  return {
    name,
    runs: 1,
    strict: {
      found: strict.regionRecall.count,
      missed: strict.regionRecall.of - strict.regionRecall.count,
      wrong: strict.precision.of - strict.precision.count,
    },
    recall: tally(tolerance.recall),
    recallTall: tally(tolerance.recallTall),
    errorsM: errors.flatMap(({ distanceM }) => distanceM ?? []),
    exactErrorsM: errors
      .filter(({ toleranceM }) => toleranceM <= 0.1)
      .flatMap(({ distanceM }) => distanceM ?? []),
    duplicates: evaluation.duplicates.length,
    swapped: overTime.swappedRefs.length,
    live: entities.live + entities.structures,
    unexplained: evaluation.unexplained.length,
    supports: tally(evaluation.supportsFound),
    on: tally(relations.on),
    near: tally(relations.near),
    labels: tally(evaluation.labels.right),
    falselyMissing: overTime.falselyMissing.length,
    removedAfterS: changed('removed'),
    movedAfterS: changed('moved'),
    rests: addTallies(overTime.rests.map(({ found, of }) => ({ count: found, of }))),
  };
}

/** All runs as one: counts added, errors and latencies side by side. */
export function poolRuns(name: string, runs: readonly RunScore[]): RunScore {
  const sum = (of: (run: RunScore) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const tallies = (of: (run: RunScore) => Tally): Tally => addTallies(runs.map(of));
  return {
    name,
    runs: sum((run) => run.runs),
    strict: {
      found: sum(({ strict }) => strict.found),
      missed: sum(({ strict }) => strict.missed),
      wrong: sum(({ strict }) => strict.wrong),
    },
    recall: tallies((run) => run.recall),
    recallTall: tallies((run) => run.recallTall),
    errorsM: runs.flatMap((run) => run.errorsM),
    exactErrorsM: runs.flatMap((run) => run.exactErrorsM),
    duplicates: sum((run) => run.duplicates),
    swapped: sum((run) => run.swapped),
    live: sum((run) => run.live),
    unexplained: sum((run) => run.unexplained),
    supports: tallies((run) => run.supports),
    on: tallies((run) => run.on),
    near: tallies((run) => run.near),
    labels: tallies((run) => run.labels),
    falselyMissing: sum((run) => run.falselyMissing),
    removedAfterS: runs.flatMap((run) => run.removedAfterS),
    movedAfterS: runs.flatMap((run) => run.movedAfterS),
    rests: tallies((run) => run.rests),
  };
}

/** 2·found / (2·found + missed + wrong); undefined when there was nothing to find and nothing found. */
export function f1Of({ strict: { found, missed, wrong } }: RunScore): number | undefined {
  const total = 2 * found + missed + wrong;
  return total === 0 ? undefined : (2 * found) / total;
}

export function precisionOf({ strict: { found, wrong } }: RunScore): number | undefined {
  return shareOfTally({ count: found, of: found + wrong });
}

export function shareOfTally({ count, of }: Tally): number | undefined {
  return of === 0 ? undefined : count / of;
}

export function medianOf(values: readonly number[]): number | undefined {
  return quantile(values, 0.5);
}

/** The slowest; infinite when one was never noticed. */
export function slowestOf(values: readonly (number | null)[]): number | undefined {
  return values.length === 0 ? undefined : Math.max(...values.map((value) => value ?? Infinity));
}

function tally({ count, of }: Share): Tally {
  return { count, of };
}

function addTallies(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, { count, of }) => ({ count: sum.count + count, of: sum.of + of }), {
    count: 0,
    of: 0,
  });
}
