import assert from 'node:assert/strict';
import { evaluate } from '../../src/evaluate/evaluate.js';
import { f1Of, medianOf, poolRuns, precisionOf, scoreRun, slowestOf } from '../../src/evaluate/RunScore.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import { END_S, makeEntity, makeObject, makeResult, makeTruth, TABLE_TOP } from './fixtures.js';

/**
 * One table, four true things; the graph has two of them, one 3 cm off and one 5 cm off, a wrong one between, one far
 * away and a support that is none.
 *
 * ```
 *   y  0.5 │ cup✓            bowl✗
 *      0   │        wrong              far (2.5 m)
 *     −0.5 │ book✓           pen✗ (thin)
 * ```
 */
const truth = makeTruth([
  makeObject('cup', [-0.5, 0.5, 0.75], { cocoLabel: 'cup' }),
  makeObject('book', [-0.5, -0.5, 0.75], { cocoLabel: 'book', positionToleranceM: 0.2 }),
  makeObject('bowl', [0.5, 0.5, 0.75], { cocoLabel: 'bowl' }),
  makeObject('pen', [0.5, -0.5, 0.71], { thin: true, size: [0.1, 0.02, 0.01] }),
]);
const entities = [
  TABLE_TOP,
  makeEntity('support_2', [0, 0, 1.5], { kind: 'support' }),
  makeEntity('object_1', [-0.47, 0.5, 0.75], { label: 'Cup' }),
  makeEntity('object_2', [-0.5, -0.45, 0.75]),
  makeEntity('object_3', [0, 0, 0.75]),
  makeEntity('object_4', [2.5, 0, 0.75]),
  makeEntity('object_5', [0.5, 0.5, 0.75], { freshness: 'missing' }),
];
const on = [
  { ref: 'object_1', relation: 'on', otherRef: 'support_1' },
  { ref: 'object_2', relation: 'on', otherRef: 'object_3' },
];
const run = scoreRun('made up', evaluate(makeResult(entities, on), truth));

describe('the score of a run', () => {
  it('counts what is found, missed and wrong inside the scored region', () => {
    assert.deepEqual(run.strict, { found: 2, missed: 2, wrong: 1 });
    // 2·2 / (2·2 + 2 + 1)
    assert.equal(f1Of(run), 4 / 7);
    assert.equal(precisionOf(run), 2 / 3);
  });

  it('has recall of all fine objects and of those taller than 2 cm', () => {
    assert.deepEqual(run.recall, { count: 2, of: 4 });
    assert.deepEqual(run.recallTall, { count: 2, of: 3 });
  });

  it('keeps each position error, and apart those of exact objects', () => {
    assert.deepEqual(
      run.errorsM.map((error) => error.toFixed(3)),
      ['0.030', '0.050'],
    );
    assert.deepEqual(
      run.exactErrorsM.map((error) => error.toFixed(3)),
      ['0.030'],
    );
  });

  it('counts live entities of the whole graph and those the truth has no word for', () => {
    assert.equal(run.live, 6);
    assert.equal(run.unexplained, 3);
  });

  it('counts supports, relations and labels', () => {
    assert.deepEqual(run.supports, { count: 1, of: 1 });
    assert.deepEqual(run.on, { count: 1, of: 2 });
    assert.deepEqual(run.labels, { count: 1, of: 2 });
  });

  it('takes an object that its own detectors hardly ever find out of the labels', () => {
    const rare = makeObject('cup', [0, 0, 0.75], {
      cocoLabel: 'cup',
      detectorBaseline: { small: 0.1, big: 0.19 },
    });
    const scored = evaluate(makeResult([makeEntity('object_1', [0, 0, 0.75])]), makeTruth([rare]));
    assert.deepEqual(scored.labels.right, { count: 0, of: 0, share: undefined });
  });

  it('says what lies next to an unexplained entity and what it is a piece of', () => {
    const scored = evaluate(
      makeResult([makeEntity('object_1', [0, 0, 0.75]), makeEntity('object_2', [0.3, 0.08, 0.75])]),
      makeTruth([makeObject('tray', [0.2, 0, 0.75], { size: [0.4, 0.2, 0.05], positionToleranceM: 0.02 })]),
    );
    assert.deepEqual(
      scored.unexplained.map(({ ref, kind, pieceOf }) => ({ ref, kind, pieceOf })),
      [
        { ref: 'object_1', kind: 'thing', pieceOf: 'tray' },
        { ref: 'object_2', kind: 'thing', pieceOf: 'tray' },
      ],
    );
    assert.equal(scored.unexplained[0]?.nearest?.distanceM, 0.2);
  });
});

describe('runs pooled', () => {
  const other: RunScore = {
    ...run,
    name: 'other',
    strict: { found: 4, missed: 0, wrong: 0 },
    recall: { count: 4, of: 4 },
    errorsM: [0.01, 0.02, 0.04],
    removedAfterS: [0.5, null],
  };
  const pooled = poolRuns('both', [run, other]);

  it('are all their objects together, not a mean of means', () => {
    assert.equal(pooled.runs, 2);
    assert.deepEqual(pooled.strict, { found: 6, missed: 2, wrong: 1 });
    // 12 / (12 + 3), where the mean of 4/7 and 1 would be 0.79
    assert.equal(f1Of(pooled), 0.8);
    assert.deepEqual(pooled.recall, { count: 6, of: 8 });
  });

  it('have the median of all errors and the slowest of all latencies', () => {
    assert.equal(medianOf(pooled.errorsM)?.toFixed(3), '0.030');
    assert.equal(slowestOf(pooled.removedAfterS), Infinity);
    assert.equal(slowestOf([0.2, 0.7]), 0.7);
    assert.equal(slowestOf([]), undefined);
  });
});

describe('the latency of changes', () => {
  it('counts from the first look at the place, and not for what had never been found', () => {
    const gone = makeObject('gone', [0, 0, 0.75], {
      intervals: [{ from: END_S - 10, to: END_S - 5, center: [0, 0, 0.75], size: [0.1, 0.1, 0.1] }],
    });
    const unknown = makeObject('unknown', [0.5, 0, 0.75], { intervals: gone.intervals });
    const changes = ['gone', 'unknown'].map((id) => ({
      kind: 'removed' as const,
      id,
      lastBefore: END_S - 5,
      firstAfter: END_S - 4,
    }));
    const brief = (timeS: number, freshness: string) => ({
      updatedAt: new Date(timeS * 1000).toISOString(),
      objects: [{ ref: 'object_1', coarsePosition: [0, 0, 0.75], freshness }],
    });
    const history = [brief(END_S - 6, 'current'), brief(END_S - 3.5, 'recent'), brief(END_S - 3, 'missing')];
    const missing = makeEntity('object_1', [0, 0, 0.75], { freshness: 'missing' });
    const scored = evaluate(makeResult([missing], [], history), makeTruth([gone, unknown], { changes }));
    assert.deepEqual(scoreRun('gone', scored).removedAfterS, [1]);
  });
});
