import assert from 'node:assert/strict';
import { applyCorrection } from '../../src/graph/corrections.js';
import { applyExecution } from '../../src/graph/executions.js';
import { applyClockJump, applyReset } from '../../src/graph/lifecycle.js';
import { nextRevision } from '../../src/graph/nextRevision.js';
import type { CorrectionEvent, GraphState } from '../../src/graph/types.js';
import { box, entity, execution, kitchen, shippedEffects, T0 } from '../fixtures/graphStates.js';

type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

function correct(state: GraphState, correction: Without<CorrectionEvent, 'kind'>): GraphState {
  const { state: after, answer } = applyCorrection(state, {
    kind: 'correction',
    ...correction,
  });
  assert.ok(answer.success, answer.success ? '' : answer.reason);
  assert.equal(answer.revision, state.revision + 1);
  return after;
}

function refusal(state: GraphState, correction: Without<CorrectionEvent, 'kind'>): string {
  const { state: after, answer } = applyCorrection(state, {
    kind: 'correction',
    ...correction,
  });
  assert.equal(after, state);
  return answer.success ? 'success' : answer.kind;
}

describe('applyCorrection', () => {
  it('relabels without renaming, and holds against a few contrary votes', () => {
    const state = correct(kitchen(), { correction: 'relabel', ref: 'cup_1', label: ' vase ' });
    const cup = state.entities.get('cup_1');
    assert.equal(cup?.label, 'vase');
    assert.equal(cup.labelShare, 1);
    assert.ok((cup.labelVotes.get('vase') ?? 0) >= 20);
    assert.equal(
      refusal(kitchen(), { correction: 'relabel', ref: 'cup_1', label: ' ' }),
      'invalid_tool_arguments',
    );
  });

  it('merges the younger ref into the older: edges, contents, votes, aliases and hands', () => {
    const held = applyExecution(kitchen(), execution('pick', { obj: 'cup_2' }), shippedEffects()).state;
    const first = correct(held, { correction: 'merge', keepRef: 'cup_1', otherRef: 'cup_2' });
    assert.equal(first.entities.has('cup_2'), false);
    assert.equal(first.aliases.get('cup_2'), 'cup_1');
    assert.equal(first.entities.get('cup_1')?.labelVotes.get('cup'), 10);
    assert.equal(first.entities.get('cup_1')?.observations, 10);
    assert.equal(first.robot.holding.first()?.ref, 'cup_1');
    const second = correct(first, { correction: 'merge', keepRef: 'box_1', otherRef: 'cup_2' });
    assert.equal(second.aliases.get('cup_2'), 'box_1');
    assert.equal(second.aliases.get('cup_1'), 'box_1');
    assert.ok(![...second.relations.keys()].some((key) => key.includes('cup')));
  });

  it('refuses a label that is long, not printable or holds a local path', () => {
    for (const label of [
      'x'.repeat(65),
      'a\nb',
      'a\u200bb',
      '/home/robot/secret.txt',
      'file:///etc/passwd',
      'C:\\Users',
      '~/secret',
      'see ../secret',
    ]) {
      const correction = { correction: 'relabel', ref: 'cup_1', label } as const;
      assert.equal(refusal(kitchen(), correction), 'invalid_tool_arguments', label);
    }
    for (const label of ['x'.repeat(64), 'salt/pepper', 'Tasse für Öl', 'cup no. 3']) {
      const state = correct(kitchen(), { correction: 'relabel', ref: 'cup_1', label });
      assert.equal(state.entities.get('cup_1')?.label, label);
    }
  });

  it('refuses to merge a thing with what it lies in, at any depth', () => {
    const deep = execution('put_inside', { obj: 'cup_1', container: 'battery_1' });
    const state = applyExecution(kitchen(), deep, shippedEffects()).state;
    for (const [keepRef, otherRef] of [
      ['battery_1', 'box_1'],
      ['box_1', 'battery_1'],
      ['cup_1', 'box_1'],
      ['box_1', 'cup_1'],
    ] as const) {
      assert.equal(refusal(state, { correction: 'merge', keepRef, otherRef }), 'effect_impossible');
    }
  });

  it('keeps the contents of both', () => {
    const base = kitchen();
    const second = entity('box_2', box([1.2, 0, 0.9]), { contents: ['cup_2'] });
    const boxes = correct(
      { ...base, entities: base.entities.set('box_2', second) },
      { correction: 'merge', keepRef: 'box_1', otherRef: 'box_2' },
    );
    assert.deepEqual(boxes.entities.get('box_1')?.contents, ['battery_1', 'cup_2']);
  });

  it('forgets with a tombstone that gives reason and time', () => {
    const state = correct(kitchen(), { correction: 'forget', ref: 'battery_1', why: 'a reflection' });
    assert.deepEqual(state.tombstones.get('battery_1'), {
      ref: 'battery_1',
      label: 'battery',
      reason: 'a reflection',
      at: { epoch: 0, stamp: T0 },
    });
    assert.deepEqual(state.entities.get('box_1')?.contents, []);
    const why = correct(kitchen(), { correction: 'forget', ref: 'cup_1', why: 'as told in /home/robot/a' });
    assert.equal(why.tombstones.get('cup_1')?.reason, 'as told in <path>');
    assert.equal(
      refusal(state, { correction: 'forget', ref: 'battery_1', why: '' }),
      'scene_graph_ref_removed',
    );
  });

  it('refuses what is not there and what cannot be one', () => {
    const state = kitchen();
    assert.equal(
      refusal(state, { correction: 'relabel', ref: 'x_1', label: 'a' }),
      'scene_graph_ref_not_found',
    );
    assert.equal(
      refusal(state, { correction: 'merge', keepRef: 'cup_1', otherRef: 'cup_1' }),
      'invalid_tool_arguments',
    );
    assert.equal(
      refusal(state, { correction: 'merge', keepRef: 'cup_1', otherRef: 'floor_1' }),
      'effect_impossible',
    );
    assert.equal(refusal(state, { correction: 'forget', ref: ' ', why: '' }), 'invalid_tool_arguments');
    assert.equal(refusal(state, { correction: 'forget', ref: 'cup_1', why: 'x'.repeat(200) }), 'too_large');
  });
});

describe('applyReset', () => {
  it('removes entities, relations and what is held; keeps counters and ledger', () => {
    const held = applyExecution(kitchen(), execution('pick', { obj: 'cup_2' }), shippedEffects()).state;
    const counted = { ...held, refCounters: held.refCounters.set('cup', 2) };
    const state = applyReset(counted);
    assert.equal(state.entities.size + state.relations.size + state.robot.holding.size, 0);
    assert.equal(state.refCounters.get('cup'), 2);
    assert.equal(state.ledger.size, 1);
    assert.equal(state.tombstones.get('cup_1')?.reason, 'reset');
    assert.equal(nextRevision(counted, state), counted.revision + 1);
    assert.equal(applyReset(state), state);
  });
});

describe('applyClockJump', () => {
  it('begins an epoch without graph time; entities and held things stay', () => {
    const held = applyExecution(kitchen(), execution('pick', { obj: 'cup_2' }), shippedEffects()).state;
    const state = applyClockJump(held);
    assert.equal(state.epoch, 1);
    assert.equal(state.graphTime, undefined);
    assert.equal(state.entities, held.entities);
    assert.equal(state.robot.holding.first()?.ref, 'cup_2');
    assert.equal(nextRevision(held, state), held.revision + 1);
  });
});
