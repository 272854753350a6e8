import { alignColumns } from './alignColumns.js';
import { f1Of, medianOf, precisionOf, shareOfTally, slowestOf } from './RunScore.js';
import type { RunScore, Tally } from './RunScore.js';

/** One figure of a run: its heading, its value for comparing, and how it is written. */
interface Column {
  readonly head: string;
  readonly of: (run: RunScore) => number | undefined;
  readonly show: (run: RunScore) => string;
  /** Digits of a difference, after multiplying by `scale` (1). */
  readonly digits: number;
  readonly scale?: number;
}

const NOTHING = '–';

const COLUMNS: readonly Column[] = [
  column('F1', 2, f1Of),
  column('precision', 2, precisionOf),
  column('recall', 2, ({ recall }) => shareOfTally(recall)),
  column('>2 cm', 2, ({ recallTall }) => shareOfTally(recallTall)),
  column('off cm', 1, ({ errorsM }) => medianOf(errorsM), 100),
  column('exact cm', 1, ({ exactErrorsM }) => medianOf(exactErrorsM), 100),
  column('double', 0, ({ duplicates }) => duplicates),
  column('swapped', 0, ({ swapped }) => swapped),
  column('live', 0, ({ live }) => live),
  column('unexpl.', 0, ({ unexplained }) => unexplained),
  tallyColumn('supports', ({ supports }) => supports),
  tallyColumn('on', ({ on }) => on),
  tallyColumn('near', ({ near }) => near),
  tallyColumn('labels', ({ labels }) => labels),
  column('false abs.', 0, ({ falselyMissing }) => falselyMissing),
  latencyColumn('gone s', ({ removedAfterS }) => removedAfterS),
  latencyColumn('moved s', ({ movedAfterS }) => movedAfterS),
  tallyColumn('rests', ({ rests }) => rests),
];

/** What the headings mean, for whoever reads the table first. */
export const COLUMN_NOTES = `F1, precision  strict match (tolerance and size) inside the scored regions
recall, >2 cm  of all fine objects at their tolerance, and of those taller than 2 cm
off, exact     median position error of found objects, and of those with a tolerance of at most 10 cm
double         true objects with more than one ref; swapped: refs that came to name another object
live, unexpl.  live entities of the whole graph, and those that are no true object, no support and not ignored
supports       level supports found within 4 cm of their height; on, near: relations right; labels: names right
false abs.     refs that were missing while their object stood there
gone, moved    slowest notice of a removed (moved) thing since its empty (new) place was first in view; ∞: never
rests          places at which a moved object was found
`;

/** One line for each run under one line of headings. */
export function formatRuns(runs: readonly RunScore[]): string {
  return lines([
    ['run', ...COLUMNS.map(({ head }) => head)],
    ...runs.map((run) => [run.name, ...COLUMNS.map(({ show }) => show(run))]),
  ]);
}

/** What differs from `before`, run by run of the same name; runs without a difference are left out. */
export function formatDifferences(before: readonly RunScore[], after: readonly RunScore[]): string {
  const rows = after.flatMap((run) => {
    const old = before.find(({ name }) => name === run.name);
    if (old === undefined) return [[run.name, ...COLUMNS.map(() => ''), 'new']];
    const cells = COLUMNS.map((each) => difference(each, old, run));
    return cells.every((cell) => cell === '') ? [] : [[run.name, ...cells]];
  });
  if (rows.length === 0) return 'no difference\n';
  return lines([['difference', ...COLUMNS.map(({ head }) => head)], ...rows]);
}

function difference({ of, digits, scale = 1 }: Column, before: RunScore, after: RunScore): string {
  const [a, b] = [of(before), of(after)];
  if (a === b) return '';
  if (a === undefined || b === undefined) return b === undefined ? 'none now' : 'new';
  if (!Number.isFinite(a) || !Number.isFinite(b)) return b === Infinity ? 'never now' : 'now';
  const text = (Math.abs(b - a) * scale).toFixed(digits);
  return Number(text) === 0 ? '' : `${b > a ? '+' : '−'}${text}`;
}

function column(head: string, digits: number, of: Column['of'], scale = 1): Column {
  const show = (run: RunScore): string => {
    const value = of(run);
    return value === undefined ? NOTHING : (value * scale).toFixed(digits);
  };
  return { head, of, show, digits, scale };
}

function tallyColumn(head: string, tally: (run: RunScore) => Tally): Column {
  const show = (run: RunScore): string => {
    const { count, of } = tally(run);
    return of === 0 ? NOTHING : `${count}/${of}`;
  };
  return { head, of: (run) => shareOfTally(tally(run)), show, digits: 2 };
}

function latencyColumn(head: string, latencies: (run: RunScore) => readonly (number | null)[]): Column {
  const show = (run: RunScore): string => {
    const slowest = slowestOf(latencies(run));
    if (slowest === undefined) return NOTHING;
    return slowest === Infinity ? '∞' : slowest.toFixed(1);
  };
  return { head, of: (run) => slowestOf(latencies(run)), show, digits: 1 };
}

function lines(rows: readonly (readonly string[])[]): string {
  return `${alignColumns(rows, 'right').join('\n')}\n`;
}
