import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyState } from '../../src/graph/emptyState.js';
import { confidenceOf } from '../../src/graph/confidenceOf.js';
import { freshnessOf } from '../../src/graph/freshnessOf.js';
import { BriefProjector, projectBrief } from '../../src/graph/projectBrief.js';
import { BriefRenderer, briefSchema, checkRecord, renderSceneGraphBrief } from '../../src/protocol/index.js';
import type { GraphState } from '../../src/graph/types.js';
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

describe('BriefProjector', () => {
  const ref = fc.constantFrom('cup_1', 'cup_2', 'cup_10', 'box_1', 'table_1', 'mug_1');
  /** What may become of a thing, or of time alone, between two Briefs. */
  const change = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), ref }),
    fc.record({ kind: fc.constant('remove' as const), ref }),
    fc.record({ kind: fc.constant('move' as const), ref, x: fc.double({ min: -5, max: 5, noNaN: true }) }),
    fc.record({ kind: fc.constant('miss' as const), ref }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
    fc.constant({ kind: 'new epoch' as const }),
  );

  function changed(state: GraphState, what: Change): GraphState {
    const { entities } = state;
    switch (what.kind) {
      case 'add':
        return { ...state, entities: entities.set(what.ref, entity(what.ref, box([1, 1, 1]))) };
      case 'remove':
        return { ...state, entities: entities.delete(what.ref) };
      case 'move':
        return {
          ...state,
          entities: entities.update(what.ref, entity(what.ref, box([0, 0, 0])), (known) => ({
            ...known,
            box: box([what.x, 0, 0]),
          })),
        };
      case 'miss':
        return {
          ...state,
          entities: entities.update(what.ref, entity(what.ref, box([0, 0, 0])), (known) => ({
            ...known,
            missing: !known.missing,
          })),
        };
      case 'wait':
        return { ...state, graphTime: (state.graphTime ?? T0) + BigInt(what.ms) * 1_000_000n };
      case 'new epoch':
        return { ...state, epoch: state.epoch + 1 };
    }
  }

  it('gives the same Briefs and texts one after the other as each would be made alone', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const projector = new BriefProjector();
        const renderer = new BriefRenderer();
        let state = kitchen();
        for (const what of changes) {
          state = changed(state, what);
          const brief = projector.project(state, OK);
          assert.deepEqual(brief, projectBrief(state, OK));
          assert.equal(renderer.render(brief), renderSceneGraphBrief(brief));
          const short = { tokenBudget: 40 };
          assert.equal(renderer.render(brief, short), renderSceneGraphBrief(brief, short));
        }
      }),
    );
  });

  it('says again what it said of a thing that is as it was', () => {
    const projector = new BriefProjector();
    const state = kitchen();
    const [first] = projector.project(state, OK).objects;
    const later = changed(state, { kind: 'move', ref: 'cup_1', x: 3 });
    const objects = projector.project(later, OK).objects;
    assert.equal(objects[0], first);
    assert.equal(objects.find((object) => object.ref === 'cup_1')?.coarsePosition?.[0], 3);
  });

  type Change = typeof change extends fc.Arbitrary<infer What> ? What : never;
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
