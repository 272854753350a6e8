import assert from 'node:assert/strict';
import { emptyState } from '../../src/graph/emptyState.js';
import { confidenceOf } from '../../src/graph/confidenceOf.js';
import { freshnessOf } from '../../src/graph/freshnessOf.js';
import { projectBrief } from '../../src/graph/projectBrief.js';
import { briefSchema, checkRecord, renderSceneGraphBrief } from '../../src/protocol/index.js';
import { box, entity, kitchen, stateOf, T0 } from '../fixtures/graphStates.js';

const OK = { perception: { state: 'ok' }, stale: false } as const;
const S = 1_000_000_000n;

describe('projectBrief', () => {
  it('lists every entity in ref order, missing ones and structure too, and is a valid record', () => {
    const state = kitchen();
    const entities = state.entities
      .update('cup_2', (cup) => ({ ...cup!, missing: true }))
      .set('cup_10', entity('cup_10', box([1, 1, 1])));
    const brief = projectBrief({ ...state, entities }, OK);
    assert.deepEqual(
      brief.objects.map(({ ref }) => ref),
      ['battery_1', 'box_1', 'cup_1', 'cup_2', 'cup_10', 'floor_1', 'table_1'],
    );
    assert.equal(checkRecord(briefSchema, brief).ok, true);
    assert.deepEqual(brief.objects[1], {
      ref: 'box_1',
      coarsePosition: [1.2, 0, 0.9],
      confidence: confidenceOf(state.entities.get('box_1')!),
      freshness: 'current',
      lastSeen: '2026-07-27T12:00:00Z',
      containerState: 'open',
      contents: ['battery_1'],
    });
    assert.deepEqual(brief.robot, { pose: [0, 0, 0, 0] });
  });

  it('leaves out what is not known', () => {
    const brief = projectBrief(emptyState('map'), { perception: { state: 'ok' }, stale: true });
    assert.ok(!('updatedAt' in brief));
    assert.deepEqual(brief.robot, {});
    assert.ok(renderSceneGraphBrief(brief).endsWith('  - none'));
  });

  it('gives the label only where it differs from the stem', () => {
    const state = stateOf([
      entity('object_1', box([0, 0, 0]), { label: 'mug' }),
      entity('cup_1', box([1, 0, 0])),
    ]);
    assert.deepEqual(
      projectBrief(state, OK).objects.map(({ label }) => label),
      [undefined, 'mug'],
    );
  });
});

describe('freshnessOf', () => {
  // seen at T0;   graph time  +1.5 s    +1.501 s … +30 s   later
  //               freshness   current   recent             last_seen
  it('follows graph time, not the clock on the wall', () => {
    const cup = entity('cup_1', box([0, 0, 0]));
    const at = (ms: bigint): string => freshnessOf(cup, { epoch: 0, graphTime: T0 + ms * 1_000_000n });
    assert.deepEqual(
      [at(0n), at(1500n), at(1501n), at(30_000n), at(30_001n)],
      ['current', 'current', 'recent', 'recent', 'last_seen'],
    );
  });

  it('is last_seen at best for an older epoch and while graph time is unknown', () => {
    const cup = entity('cup_1', box([0, 0, 0]));
    assert.equal(freshnessOf(cup, { epoch: 1, graphTime: T0 }), 'last_seen');
    assert.equal(freshnessOf(cup, { epoch: 0, graphTime: undefined }), 'last_seen');
    assert.equal(freshnessOf({ ...cup, missing: true }, { epoch: 1, graphTime: T0 }), 'missing');
  });

  it('is last_seen for an estimated place until the thing is seen again', () => {
    const cup = entity('cup_1', box([0, 0, 0]), {
      setByExecutionAt: { epoch: 0, stamp: T0 + S },
      positionEstimated: true,
    });
    assert.equal(freshnessOf(cup, { epoch: 0, graphTime: T0 + S }), 'last_seen');
    const seen = { ...cup, lastSeen: { epoch: 0, stamp: T0 + 2n * S } };
    assert.equal(freshnessOf(seen, { epoch: 0, graphTime: T0 + 2n * S }), 'current');
  });
});

describe('confidenceOf', () => {
  it('grows with the evidence and is held back below six sightings', () => {
    assert.equal(confidenceOf({ existsLogOdds: 0, observations: 100 }), 0.5);
    assert.equal(confidenceOf({ existsLogOdds: 0, observations: 3 }), 0.25);
    assert.ok(confidenceOf({ existsLogOdds: 4, observations: 6 }) > 0.98);
  });
});
