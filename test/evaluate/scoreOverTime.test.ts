import assert from 'node:assert/strict';
import type { BriefRecord } from '../../src/evaluate/replayResult.js';
import { scoreOverTime } from '../../src/evaluate/scoreOverTime.js';
import type { Vec3 } from '../../src/math/types.js';
import { END_S, makeEntity, makeObject, makeResult, makeTruth } from './fixtures.js';

const LEFT: Vec3 = [0, 0, 0.75];
const RIGHT: Vec3 = [0.5, 0, 0.75];

type Seen = readonly [ref: string, place: Vec3 | undefined, freshness?: string];

function briefAt(secondsBeforeEnd: number, ...seen: readonly Seen[]): BriefRecord {
  return {
    updatedAt: new Date((END_S - secondsBeforeEnd) * 1000).toISOString(),
    objects: seen.map(([ref, place, freshness = 'current']) => ({
      ref,
      freshness,
      ...(place && { coarsePosition: place }),
    })),
  };
}

describe('scoreOverTime', () => {
  it('finds a ref that came to name another object', () => {
    const truth = makeTruth([makeObject('a', LEFT), makeObject('b', RIGHT)]);
    const history = [
      briefAt(2, ['cup_1', LEFT], ['cup_2', RIGHT]),
      briefAt(1, ['cup_1', RIGHT], ['cup_2', LEFT]),
    ];
    const { swappedRefs } = scoreOverTime(truth, makeResult([], [], history));
    assert.deepEqual(swappedRefs, [
      { ref: 'cup_1', from: 'a', to: 'b' },
      { ref: 'cup_2', from: 'b', to: 'a' },
    ]);
  });

  it('does not call it a swap while the position fits both neighbours', () => {
    const near: Vec3 = [0.1, 0, 0.75];
    const truth = makeTruth([makeObject('a', LEFT), makeObject('b', near)]);
    const history = [briefAt(2, ['cup_1', [0.04, 0, 0.75]]), briefAt(1, ['cup_1', [0.06, 0, 0.75]])];
    assert.deepEqual(scoreOverTime(truth, makeResult([], [], history)).swappedRefs, []);
  });

  it('finds what was declared missing while it stood there, by its last position', () => {
    const truth = makeTruth([makeObject('a', LEFT)]);
    const history = [briefAt(2, ['cup_1', LEFT]), briefAt(1, ['cup_1', undefined, 'missing'])];
    const { falselyMissing } = scoreOverTime(truth, makeResult([makeEntity('cup_1', LEFT)], [], history));
    assert.deepEqual(falselyMissing, [{ ref: 'cup_1', id: 'a', atS: END_S - 1 }]);
  });

  it('tells when a removed object was noticed, and that nothing stayed behind', () => {
    // taken away 4 s before the end; the graph says missing from 3 s before the end
    const cup = makeObject('cup', LEFT, {
      intervals: [{ from: END_S - 10, to: END_S - 5, center: LEFT, size: [0.1, 0.1, 0.1] }],
    });
    const changes = [{ kind: 'removed' as const, id: 'cup', lastBefore: END_S - 5, firstAfter: END_S - 4 }];
    const history = [
      briefAt(6, ['cup_1', LEFT]),
      briefAt(4, ['cup_1', LEFT, 'recent']),
      briefAt(3, ['cup_1', LEFT, 'missing']),
    ];
    const final = [makeEntity('cup_1', LEFT, { freshness: 'missing' })];
    const [change] = scoreOverTime(makeTruth([cup], { changes }), makeResult(final, [], history)).changes;
    assert.equal(change?.ref, 'cup_1');
    assert.equal(change?.noticedAfterS, 1);
    assert.deepEqual(change?.staleRefs, []);
  });

  it('lists a removed object that is still live at the end as stale', () => {
    const cup = makeObject('cup', LEFT, {
      intervals: [{ from: END_S - 10, to: END_S - 5, center: LEFT, size: [0.1, 0.1, 0.1] }],
    });
    const changes = [{ kind: 'removed' as const, id: 'cup', lastBefore: END_S - 5, firstAfter: END_S - 4 }];
    const history = [briefAt(6, ['cup_1', LEFT])];
    const [change] = scoreOverTime(
      makeTruth([cup], { changes }),
      makeResult([makeEntity('cup_1', LEFT)], [], history),
    ).changes;
    assert.equal(change?.noticedAfterS, undefined);
    assert.deepEqual(change?.staleRefs, ['cup_1']);
  });

  it('follows a moved object to its new place under the same or another ref', () => {
    const size: Vec3 = [0.1, 0.1, 0.1];
    const mug = makeObject('mug', RIGHT, {
      intervals: [
        { from: END_S - 10, to: END_S - 5, center: LEFT, size },
        { from: END_S - 3, to: END_S, center: RIGHT, size },
      ],
    });
    const changes = [{ kind: 'moved' as const, id: 'mug', lastBefore: END_S - 5, firstAfter: END_S - 3 }];
    const truth = makeTruth([mug], { changes });
    const run = (ref: string) =>
      scoreOverTime(
        truth,
        makeResult([makeEntity(ref, RIGHT)], [], [briefAt(6, ['cup_1', LEFT]), briefAt(2, [ref, RIGHT])]),
      );
    assert.deepEqual(run('cup_1').changes[0], {
      kind: 'moved',
      id: 'mug',
      ref: 'cup_1',
      noticedAfterS: 1,
      sameRef: true,
      staleRefs: [],
    });
    assert.equal(run('cup_2').changes[0]?.sameRef, false);
    assert.deepEqual(run('cup_1').rests, [{ id: 'mug', found: 2, of: 2 }]);
  });

  it('leaves out a change that happens after the replay ends', () => {
    const changes = [{ kind: 'removed' as const, id: 'cup', lastBefore: END_S + 1, firstAfter: END_S + 2 }];
    assert.deepEqual(
      scoreOverTime(makeTruth([makeObject('cup', LEFT)], { changes }), makeResult([])).changes,
      [],
    );
  });
});
