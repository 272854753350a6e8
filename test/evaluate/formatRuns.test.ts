import assert from 'node:assert/strict';
import { COLUMN_NOTES, formatDifferences, formatRuns } from '../../src/evaluate/formatRuns.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import { parseRunsFile } from '../../src/evaluate/runsFile.js';

const RUN: RunScore = {
  name: 'desk',
  runs: 1,
  strict: { found: 8, missed: 1, wrong: 1 },
  recall: { count: 10, of: 12 },
  recallTall: { count: 9, of: 10 },
  errorsM: [0.01, 0.021, 0.05],
  exactErrorsM: [0.01],
  duplicates: 0,
  swapped: 1,
  live: 91,
  unexplained: 68,
  supports: { count: 3, of: 4 },
  on: { count: 8, of: 10 },
  near: { count: 0, of: 0 },
  labels: { count: 0, of: 6 },
  falselyMissing: 0,
  removedAfterS: [0.6, 1.1],
  movedAfterS: [0.2, null],
  rests: { count: 0, of: 0 },
};
const BETTER: RunScore = {
  ...RUN,
  strict: { found: 9, missed: 0, wrong: 0 },
  exactErrorsM: [0.0102],
  unexplained: 12,
  movedAfterS: [0.2, 0.5],
};

/** Written by hand from the scores above. */
const TABLE = `run     F1  precision  recall  >2 cm  off cm  exact cm  double  swapped  live  unexpl.  supports    on  near  labels  false abs.  gone s  moved s  rests
desk  0.89       0.89    0.83   0.90     2.1       1.0       0        1    91       68       3/4  8/10     –     0/6           0     1.1        ∞      –
`;

describe('the table of runs', () => {
  it('has a line for each run under one line of headings', () => {
    assert.equal(formatRuns([RUN]), TABLE);
  });

  it('keeps every line of all runs equally wide', () => {
    const lines = formatRuns([RUN, { ...RUN, name: 'a longer name', rests: { count: 4, of: 5 } }])
      .trimEnd()
      .split('\n');
    assert.equal(lines.length, 3);
    assert.equal(lines[0]?.length, lines[2]?.length);
  });

  it('explains its columns', () => {
    for (const word of ['F1', 'recall', 'double', 'unexpl.', 'supports', 'false abs.', 'gone', 'rests'])
      assert.ok(COLUMN_NOTES.includes(word), word);
  });
});

describe('the differences of two evaluations', () => {
  it('show only what changed, and nothing that rounds to nothing', () => {
    const cells = (formatDifferences([RUN], [BETTER]).split('\n')[1] ?? '').split(/ +/);
    assert.deepEqual(cells, ['desk', '+0.11', '+0.11', '−56', 'now']);
  });

  it('leave out runs without a difference and name new ones', () => {
    assert.equal(formatDifferences([RUN], [RUN]), 'no difference\n');
    assert.match(formatDifferences([RUN], [RUN, { ...RUN, name: 'mug' }]), /^mug +new$/m);
  });
});

describe('the file of runs', () => {
  const file = { schema: 1, parameters: { 'merge.overlap': 0.4 }, runs: [{ score: RUN }], pooled: [BETTER] };

  it('comes back as it was written', () => {
    assert.deepEqual(parseRunsFile(JSON.parse(JSON.stringify(file))), file);
  });

  it('is refused with the path of the bad field', () => {
    const bad = { ...file, runs: [{ score: { ...RUN, recall: { count: 1 } } }] };
    assert.throws(() => parseRunsFile(bad), /runs\.0\.score\.recall\.of/);
  });
});
