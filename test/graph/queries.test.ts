import assert from 'node:assert/strict';
import { Map as ImmutableMap } from 'immutable';
import { acceptRef } from '../../src/graph/acceptRef.js';
import { applyExecution } from '../../src/graph/executions.js';
import { findObjects } from '../../src/graph/findObjects.js';
import { getObject, getObjectRelations } from '../../src/graph/queries.js';
import type { GraphState } from '../../src/graph/types.js';
import type { FindFilter, Relation } from '../../src/protocol/index.js';
import { execution, kitchen, refsOf, shippedEffects, T0 } from '../fixtures/graphStates.js';

function relations(
  state: GraphState,
  ref: string,
  relation = '',
  latest = refsOf(state),
): readonly Relation[] {
  const answer = getObjectRelations(state, latest, ref, relation);
  assert.ok(answer.success, answer.success ? '' : answer.reason);
  return answer.relations;
}

function kindOf(answer: { readonly success: boolean; readonly kind?: string }): string {
  return answer.success ? 'success' : (answer.kind ?? '');
}

const words = ({ relation, otherRef, inverse }: Relation): string =>
  `${inverse ? '<' : '>'}${relation} ${otherRef}`;

describe('getObjectRelations', () => {
  it('gives outgoing and arriving edges, near once and nearest first', () => {
    assert.deepEqual(relations(kitchen(), 'cup_1').map(words), ['>on table_1', '>near box_1', '>near cup_2']);
    assert.deepEqual(relations(kitchen(), 'cup_2').map(words), ['>on table_1', '>near cup_1']);
    assert.deepEqual(relations(kitchen(), 'table_1').map(words), [
      '>on floor_1',
      '<on box_1',
      '<on cup_1',
      '<on cup_2',
    ]);
    assert.deepEqual(relations(kitchen(), 'box_1', 'inside').map(words), ['<inside battery_1']);
  });

  it('measures near between the boxes and the others between the centres', () => {
    const near = relations(kitchen(), 'cup_1', 'near').map(({ distanceM }) => Number(distanceM?.toFixed(6)));
    assert.deepEqual(near, [0.2, 0.3]);
    assert.ok(
      Math.abs((relations(kitchen(), 'cup_1', 'on')[0]?.distanceM ?? 0) - Math.hypot(0.2, 0.2, 0.45)) < 1e-12,
    );
  });

  it('trims refs, finds nothing as a success, refuses unknown words and blanks', () => {
    const state = kitchen();
    assert.deepEqual(relations(state, '  cup_2 ', 'inside'), []);
    assert.equal(
      kindOf(getObjectRelations(state, refsOf(state), 'cup_2', 'under')),
      'invalid_tool_arguments',
    );
    assert.equal(kindOf(getObjectRelations(state, refsOf(state), ' \t')), 'invalid_tool_arguments');
    assert.equal(kindOf(getObjectRelations(state, refsOf(state), 'cup_99')), 'scene_graph_ref_not_found');
  });

  it('refuses refs that are in the graph but not yet in the latest Brief, and does not name them either', () => {
    const state = kitchen();
    const latest = new Set([...refsOf(state)].filter((ref) => ref !== 'cup_2'));
    assert.equal(kindOf(getObjectRelations(state, latest, 'cup_2')), 'scene_graph_ref_not_found');
    assert.deepEqual(relations(state, 'table_1', 'on', latest).map(words), [
      '>on floor_1',
      '<on box_1',
      '<on cup_1',
    ]);
  });

  it('answers for an alias under the survivor, and says of a removed ref why and when', () => {
    const base = kitchen();
    const state: GraphState = {
      ...base,
      aliases: ImmutableMap({ cup_9: 'cup_1' }),
      tombstones: ImmutableMap({
        cup_5: { ref: 'cup_5', label: 'cup', reason: 'seen gone', at: { epoch: 0, stamp: T0 } },
      }),
    };
    const answer = getObjectRelations(state, refsOf(state), 'cup_9', 'on');
    assert.ok(answer.success);
    assert.equal(answer.objectRef, 'cup_1');
    const gone = getObjectRelations(state, refsOf(state), 'cup_5');
    assert.ok(!gone.success);
    assert.equal(gone.kind, 'scene_graph_ref_removed');
    assert.match(gone.reason, /seen gone.*2026-07-27T12:00:00Z/);
  });

  it('tells what the robot holds, from both ends', () => {
    const { state } = applyExecution(kitchen(), execution('pick', { obj: 'cup_1' }), shippedEffects());
    assert.deepEqual(relations(state, 'robot').map(words), ['>holding cup_1']);
    assert.deepEqual(relations(state, 'robot', 'on'), []);
    assert.deepEqual(relations(state, 'cup_1', 'holding').map(words), ['<holding robot']);
    assert.equal(acceptRef(state, refsOf(state), 'robot').ok, false);
  });
});

describe('getObject', () => {
  it('tells box, label, support, times and the freshness of each field', () => {
    const state = { ...kitchen(), aliases: ImmutableMap({ box_4: 'box_1', box_3: 'box_1' }) };
    const answer = getObject(state, refsOf(state), 'box_3');
    assert.ok(answer.success);
    assert.equal(answer.object.ref, 'box_1');
    assert.equal(answer.object.support, 'table_1');
    assert.deepEqual(answer.object.aliases, ['box_3', 'box_4']);
    assert.deepEqual(answer.object.contents, ['battery_1']);
    assert.deepEqual(answer.object.fieldFreshness, {
      position: 'current',
      label: 'current',
      containerState: 'current',
      contents: 'current',
    });
    assert.equal(answer.object.firstSeen, '2026-07-27T12:00:00Z');
  });
});

describe('findObjects', () => {
  const state = kitchen();
  const find = (filter: FindFilter): string[] => {
    const answer = findObjects(state, refsOf(state), filter);
    assert.ok(answer.success, answer.success ? '' : answer.reason);
    return answer.objects.map(({ ref }) => ref);
  };

  it('finds by label, synonyms included, in ref order', () => {
    assert.deepEqual(find({ label: 'Cup' }), ['cup_1', 'cup_2']);
    assert.deepEqual(find({ label: 'coffee_mug' }), ['cup_1', 'cup_2']);
    assert.deepEqual(find({ label: 'desk' }), ['table_1']);
    assert.deepEqual(find({ label: 'spoon' }), []);
  });

  it('finds near a ref or a point, nearest first, and within a distance', () => {
    assert.deepEqual(find({ nearRef: 'cup_1', limit: 2 }), ['table_1', 'box_1']);
    assert.deepEqual(find({ nearPoint: [0.8, -0.2, 1], withinM: 0.25 }), ['cup_2', 'table_1']);
    assert.deepEqual(find({ nearRef: 'cup_1', withinM: 0.25, orderBy: 'ref' }), ['box_1', 'table_1']);
  });

  it('finds near the robot, once its pose is known', () => {
    const lost = { ...state, robot: { ...state.robot, map_T_base: undefined } };
    const unknown = findObjects(lost, refsOf(lost), { nearRef: 'robot' });
    assert.ok(!unknown.success && unknown.kind === 'scene_graph_ref_not_found', 'no pose, no answer');
    const at = { translation: [0.8, -0.2, 1] as const, rotation: [0, 0, 0, 1] as const };
    const placed = { ...state, robot: { ...state.robot, map_T_base: at } };
    const answer = findObjects(placed, refsOf(placed), { nearRef: 'robot', withinM: 0.25 });
    assert.ok(answer.success);
    assert.deepEqual(
      answer.objects.map(({ ref }) => ref),
      ['cup_2', 'table_1'],
    );
  });

  it('finds by relation and freshness', () => {
    assert.deepEqual(find({ relation: 'on', relatedRef: 'table_1' }), ['box_1', 'cup_1', 'cup_2']);
    assert.deepEqual(find({ relation: 'near', relatedRef: 'cup_2' }), ['cup_1']);
    assert.deepEqual(find({ freshness: 'missing' }), []);
  });

  it('refuses filters that make no sense and refs it does not know', () => {
    assert.equal(kindOf(findObjects(state, refsOf(state), { withinM: 1 })), 'invalid_tool_arguments');
    assert.equal(kindOf(findObjects(state, refsOf(state), { nearRef: 'x_1' })), 'scene_graph_ref_not_found');
    const odd = { label: 'cup', colour: 'red' } as FindFilter;
    assert.equal(kindOf(findObjects(state, refsOf(state), odd)), 'invalid_tool_arguments');
  });
});
