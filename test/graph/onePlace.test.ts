import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyCorrection } from '../../src/graph/corrections.js';
import { applyExecution } from '../../src/graph/executions.js';
import { mergeEntities } from '../../src/graph/mergeEntities.js';
import { liesIn, placesOf } from '../../src/graph/onePlace.js';
import type { GraphState } from '../../src/graph/types.js';
import { box, edges, entity, execution, kitchen, shippedEffects, stateOf } from '../fixtures/graphStates.js';

const EFFECTS = shippedEffects();

function act(state: GraphState, tool: string, args: object): GraphState {
  return applyExecution(state, execution(tool, args), EFFECTS).state;
}

function merge(state: GraphState, keepRef: string, otherRef: string): GraphState {
  return applyCorrection(state, { kind: 'correction', correction: 'merge', keepRef, otherRef }).state;
}

/** Where a thing is, as words. */
function where(state: GraphState, ref: string): string[] {
  const { containers, supports } = placesOf(state, ref);
  const held = state.robot.holding.filter((item) => item.ref === ref).map(() => 'held');
  return [...held, ...containers.map((at) => `inside ${at}`), ...supports.map((at) => `on ${at}`)];
}

function assertOnePlace(state: GraphState, story: string): void {
  for (const ref of state.entities.keys()) {
    assert.ok(where(state, ref).length <= 1, `${story}: ${ref} is ${where(state, ref).join(' and ')}`);
    assert.ok(!liesIn(state, ref, ref), `${story}: ${ref} lies in itself`);
  }
}

describe('a merged thing is in one place', () => {
  it('held rather than inside', () => {
    const state = merge(act(kitchen(), 'pick', { obj: 'cup_1' }), 'battery_1', 'cup_1');
    assert.deepEqual(where(state, 'battery_1'), ['held']);
    assert.deepEqual(state.entities.get('box_1')?.contents, []);
  });

  it('held rather than on, and near nothing', () => {
    const state = merge(act(kitchen(), 'pick', { obj: 'cup_1' }), 'cup_2', 'cup_1');
    assert.deepEqual(where(state, 'cup_2'), ['held']);
    assert.ok(![...state.relations.keys()].some((key) => key.includes('cup')));
  });

  it('inside rather than on, whichever ref survives', () => {
    const inBox = act(kitchen(), 'put_inside', { obj: 'cup_1', container: 'box_1' });
    for (const [keep, other] of [
      ['cup_1', 'cup_2'],
      ['cup_2', 'cup_1'],
    ] as const) {
      const state = merge(inBox, keep, other);
      assert.deepEqual(where(state, keep), ['inside box_1']);
      assert.deepEqual(state.entities.get('box_1')?.contents.toSorted(), ['battery_1', keep].sort());
    }
  });

  it('on its own support rather than on that of the other', () => {
    const moved = act(kitchen(), 'move_to', { obj: 'cup_1', target: 'floor_1', relation: 'on' });
    assert.deepEqual(where(moved, 'cup_1'), ['on floor_1']);
    assert.deepEqual(where(merge(moved, 'cup_2', 'cup_1'), 'cup_2'), ['on table_1']);
    assert.deepEqual(where(merge(moved, 'cup_1', 'cup_2'), 'cup_1'), ['on floor_1']);
  });

  it('and so is what lay in one of the two and on the other', () => {
    const things = ['box_1', 'box_2', 'cup_1'].map((ref, k) =>
      entity(ref, box([k, 0, 0]), ref === 'box_1' ? { contents: ['cup_1'] } : {}),
    );
    const state = stateOf(things, { relations: edges(['cup_1', 'on', 'box_2']) });
    assert.deepEqual(where(merge(state, 'box_1', 'box_2'), 'cup_1'), ['inside box_1']);
  });

  it('and never in what it contains, even when nobody asked a person', () => {
    const nested = act(act(kitchen(), 'put_inside', { obj: 'cup_1', container: 'box_1' }), 'put_inside', {
      obj: 'cup_2',
      container: 'cup_1',
    });
    const state = mergeEntities(nested, 'cup_2', 'box_1');
    assertOnePlace(state, 'ring');
    assert.deepEqual(where(state, 'cup_1'), ['inside cup_2']);
    assert.deepEqual(where(state, 'cup_2'), ['on table_1']);
  });

  it('after any sequence of executions and merges', () => {
    const refs = ['table_1', 'box_1', 'battery_1', 'cup_1', 'cup_2'];
    const ref = fc.constantFrom(...refs);
    const step = fc.tuple(fc.constantFrom('pick', 'put_inside', 'move_to', 'merge', 'merge'), ref, ref);
    let merged = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) => {
        let state = kitchen();
        for (const [how, a, b] of steps) {
          const target = how === 'move_to' ? 'floor_1' : b;
          state =
            how === 'merge'
              ? merge(state, a, b)
              : act(state, how, { obj: a, target, container: b, relation: 'on' });
          assertOnePlace(state, JSON.stringify(steps));
        }
        merged += state.aliases.size;
      }),
      { numRuns: 300 },
    );
    assert.ok(merged > 50, `the sequences must merge things to mean anything: ${merged}`);
  });
});

describe('liesIn', () => {
  it('follows contents and edges to any depth, and ends in a ring', () => {
    const things = ['a_1', 'b_1', 'c_1', 'd_1'].map((ref, k) =>
      entity(ref, box([k, 0, 0]), ref === 'a_1' ? { contents: ['b_1'] } : {}),
    );
    const state = stateOf(things, { relations: edges(['c_1', 'inside', 'b_1'], ['d_1', 'on', 'a_1']) });
    assert.ok(liesIn(state, 'c_1', 'a_1'));
    assert.ok(!liesIn(state, 'a_1', 'c_1'));
    assert.ok(!liesIn(state, 'd_1', 'a_1'));
    const ring = { ...state, relations: edges(['c_1', 'inside', 'b_1'], ['a_1', 'inside', 'c_1']) };
    assert.ok(!liesIn(ring, 'a_1', 'd_1'));
  });
});
