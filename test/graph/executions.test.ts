import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Map as ImmutableMap } from 'immutable';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import { parseEffectsTable } from '../../src/graph/effectsTable.js';
import { executionHash } from '../../src/graph/executionHash.js';
import { applyExecution } from '../../src/graph/executions.js';
import { freshnessOf } from '../../src/graph/freshnessOf.js';
import { nextRevision } from '../../src/graph/nextRevision.js';
import { moveHeld } from '../../src/graph/relocate.js';
import type { Entity, ExecutionEvent, GraphState } from '../../src/graph/types.js';
import type { RigidTransform, Vec3 } from '../../src/math/types.js';
import { execution, kitchen, shippedEffects, T0 } from '../fixtures/graphStates.js';

const EFFECTS = shippedEffects();

function apply(state: GraphState, ...events: readonly ExecutionEvent[]): GraphState {
  return events.reduce((before, event) => {
    const { state: after, answer } = applyExecution(before, event, EFFECTS);
    assert.ok(answer.success, answer.success ? '' : answer.reason);
    return after;
  }, state);
}

function refusal(state: GraphState, event: ExecutionEvent): string {
  const { state: after, answer } = applyExecution(state, event, EFFECTS);
  assert.equal(after, state, 'a refusal changed the state');
  return answer.success ? 'success' : answer.kind;
}

function get(state: GraphState, ref: string): Entity {
  const entity = state.entities.get(ref);
  assert.ok(entity, `${ref} is gone`);
  return entity;
}

function at(x: number, y: number, z: number): RigidTransform {
  return { translation: [x, y, z], rotation: [0, 0, 0, 1] };
}

function assertPlace(state: GraphState, ref: string, place: Vec3): void {
  get(state, ref).box.center.forEach((value, axis) =>
    assert.ok(
      Math.abs(value - (place[axis] ?? NaN)) < 1e-9,
      `${ref} at ${get(state, ref).box.center.join()}`,
    ),
  );
}

function reasonOf(event: ExecutionEvent, state: GraphState, grippers: readonly string[] = []): string {
  const { state: after, answer } = applyExecution(state, event, EFFECTS, grippers);
  assert.equal(after, state, 'a refusal changed the state');
  return answer.success ? 'success' : `${answer.kind}: ${answer.reason}`;
}

const keys = (state: GraphState): string[] => [...state.relations.keys()].sort();
const withoutGripper = (state: GraphState): GraphState => ({
  ...state,
  robot: { ...state.robot, map_T_grippers: ImmutableMap() },
});

describe('applyExecution', () => {
  it('takes a picked thing off its support into the only gripper and answers with the diff', () => {
    const before = kitchen();
    const { state, answer } = applyExecution(before, execution('pick', { obj: 'cup_1' }), EFFECTS);
    assert.ok(answer.success);
    assert.deepEqual(answer.changedRefs, ['cup_1']);
    assert.equal(answer.revision, before.revision + 1);
    assert.deepEqual(answer.update, {
      toolName: 'pick',
      effects: [{ effect: 'hold', ref: 'cup_1', gripper: 'left' }],
    });
    assert.deepEqual(state.robot.holding.map(({ ref, gripper }) => [ref, gripper]).toArray(), [
      ['cup_1', 'left'],
    ]);
    assert.ok(!keys(state).some((key) => key.includes('cup_1')));
    assert.deepEqual(get(state, 'cup_1').setByExecutionAt, { epoch: 0, stamp: T0 });
    assert.equal(state.ledger.size, 1);
    assert.notEqual(executionHash(state), executionHash(before));
  });

  it('refuses a gripper or label that is long, not printable or holds a local path', () => {
    for (const name of ['g'.repeat(65), 'a\u0007b', '/home/robot/x', '../x', 'C:\\x', 'file:///x']) {
      assert.equal(
        refusal(kitchen(), execution('pick', { obj: 'cup_1', gripper: name })),
        'effect_impossible',
        name,
      );
      const table = parseEffectsTable(
        'tools: {name: [{effect: relabel, ref: arguments.obj, label: arguments.label}]}',
        'test',
      );
      const { answer } = applyExecution(kitchen(), execution('name', { obj: 'cup_1', label: name }), table);
      assert.equal(answer.success ? 'success' : answer.kind, 'effect_impossible', name);
    }
  });

  it('refuses a gripper that the robot does not have, and takes any name while it has told of none', () => {
    const pick = execution('pick', { obj: 'cup_1', gripper: 'lefft' });
    assert.equal(
      reasonOf(pick, kitchen(), ['left', 'right']),
      "effect_impossible: There is no gripper 'lefft', only 'left', 'right'.",
    );
    assert.equal(apply(kitchen(), pick).robot.holding.first()?.gripper, 'lefft');
  });

  it('takes the only gripper the robot has told of, its pose seen or not', () => {
    const pick = execution('pick', { obj: 'cup_1' });
    const gripperOf = (grippers: readonly string[]): string | undefined =>
      applyExecution(withoutGripper(kitchen()), pick, EFFECTS, grippers).state.robot.holding.first()?.gripper;
    assert.deepEqual([['hand'], ['left', 'right'], []].map(gripperOf), ['hand', '', '']);
  });

  it('puts one thing into a gripper: the next has to wait for a release, the same may be taken again', () => {
    const holding = apply(kitchen(), execution('pick', { obj: 'cup_1', gripper: 'left' }));
    assert.equal(
      reasonOf(execution('pick', { obj: 'cup_2', gripper: 'left' }), holding),
      "effect_impossible: The gripper 'left' holds 'cup_1', which has to be released first.",
    );
    const again = apply(
      holding,
      execution('grasp', { obj: 'cup_1', gripper: 'left' }),
      execution('place', { obj: 'cup_1', target: 'table_1' }),
      execution('pick', { obj: 'cup_2', gripper: 'left' }),
    );
    assert.deepEqual(again.robot.holding.map(({ ref }) => ref).toArray(), ['cup_2']);
  });

  it('keeps several things on a robot whose grippers nobody has named', () => {
    const both = apply(
      withoutGripper(kitchen()),
      execution('pick', { obj: 'cup_1' }),
      execution('pick', { obj: 'cup_2' }),
    );
    assert.equal(both.robot.holding.size, 2);
  });

  it('lets go of nothing when the call names a thing and another gripper than the one that holds it', () => {
    const holding = apply(kitchen(), execution('pick', { obj: 'cup_1', gripper: 'left' }));
    const place = { obj: 'cup_1', target: 'table_1' };
    assert.equal(
      reasonOf(execution('place', { ...place, gripper: 'right' }), holding),
      "effect_impossible: 'cup_1' is not held by 'right', so it cannot be released.",
    );
    assert.ok(apply(holding, execution('place', { ...place, gripper: 'left' })).robot.holding.isEmpty());
    const unnamed = apply(withoutGripper(kitchen()), execution('pick', { obj: 'cup_1' }));
    assert.ok(apply(unnamed, execution('place', { ...place, gripper: 'right' })).robot.holding.isEmpty());
  });

  it('refuses a time more than an hour after the newest data, which no look could contradict until then', () => {
    const second = 1_000_000_000n;
    const pickAt = (finishedAt: bigint): ExecutionEvent =>
      execution('pick', { obj: 'cup_1' }, { finishedAt });
    assert.match(
      reasonOf(pickAt(T0 + 3601n * second), kitchen()),
      /^invalid_execution: finished_at 2026-07-27T13:00:01Z is more than an hour after the newest data, 2026-07-27T12:00:00Z: it has to be on the data's clock/,
    );
    const late = apply(kitchen(), pickAt(T0 + 3600n * second));
    assert.equal(get(late, 'cup_1').setByExecutionAt?.stamp, T0 + 3600n * second);
    const unfed: GraphState = { ...kitchen(), graphTime: undefined };
    assert.equal(apply(unfed, pickAt(T0 + 7200n * second)).robot.holding.size, 1);
  });

  it('answers with a tool name that holds no local path, whole when it is an ordinary one', () => {
    for (const [toolName, told] of [
      ['/opt/tool', '<path>'],
      ['n'.repeat(128), 'n'.repeat(128)],
      ['ns/tool', 'ns/tool'],
    ] as const) {
      const { answer } = applyExecution(kitchen(), execution(toolName, {}), EFFECTS);
      assert.equal(answer.success && answer.update.toolName, told);
    }
  });

  it('applies once: a repeat with other arguments answers the first content and changes nothing', () => {
    const pick = execution('pick', { obj: 'cup_1' });
    const first = applyExecution(kitchen(), pick, EFFECTS);
    const again = applyExecution(
      first.state,
      { ...pick, toolName: 'x', arguments: { obj: 'cup_2' } },
      EFFECTS,
    );
    assert.equal(again.state, first.state);
    assert.ok(first.answer.success && again.answer.success);
    assert.deepEqual(again.answer, { ...first.answer, alreadyApplied: true });
  });

  it('leaves the id free when it refuses, and applies the same id later', () => {
    const state = kitchen();
    const pick = execution('pick', { obj: 'cup_1' });
    for (const verdictStatus of ['process', 'failure', '', 'Success', ' success', 'success!']) {
      assert.equal(refusal(state, { ...pick, verdictStatus }), 'verdict_not_success', verdictStatus);
    }
    assert.equal(refusal(state, { ...pick, executionId: '' }), 'invalid_execution');
    assert.equal(refusal(state, { ...pick, executionId: 'x'.repeat(257) }), 'invalid_execution');
    assert.equal(apply(state, { ...pick, executionId: 'x'.repeat(256) }).robot.holding.size, 1);
  });

  it('applies on the verdict even when the tool itself said false', () => {
    const state = apply(kitchen(), execution('pick', { obj: 'cup_1' }, { result: { success: false } }));
    assert.equal(state.robot.holding.size, 1);
  });

  it('uses up the id of a tool without an effect, with a note and without a new revision', () => {
    const before = kitchen();
    const { state, answer } = applyExecution(before, execution('say', { text: 'hi' }), EFFECTS);
    assert.ok(answer.success);
    assert.equal(answer.applied, false);
    assert.deepEqual(answer.update, { toolName: 'say', effects: [], note: 'no_effect_defined' });
    assert.equal(canonicalHash(state), canonicalHash(before));
    assert.equal(nextRevision(before, state), before.revision);
    assert.equal(answer.revision, before.revision);
    assert.equal(state.ledger.size, 1);
  });

  it('refuses refs that are not there and effects that cannot be', () => {
    const state = kitchen();
    assert.equal(refusal(state, execution('pick', { obj: 'cup_77' })), 'effect_ref_not_found');
    assert.equal(refusal(state, execution('pick', {})), 'effect_ref_not_found');
    assert.equal(refusal(state, execution('pick', { obj: 'floor_1' })), 'effect_impossible');
    assert.equal(refusal(state, execution('place', {})), 'effect_impossible');
    assert.equal(refusal(state, execution('place', { obj: 'cup_1' })), 'effect_impossible');
    const holding = apply(state, execution('pick', { obj: 'box_1' }));
    assert.equal(refusal(holding, execution('place', { target: 'box_1' })), 'effect_impossible');
    assert.equal(refusal(holding, execution('place', { target: 'battery_1' })), 'effect_impossible');
    assert.equal(refusal(holding, execution('place', { target: 'nowhere_1' })), 'effect_ref_not_found');
    const elsewhere = { header: { frame_id: 'odom' }, pose: { position: { x: 1, y: 2, z: 3 } } };
    assert.equal(refusal(holding, execution('place', { pose: elsewhere })), 'effect_impossible');
    assert.equal(refusal(holding, execution('place', { pose: [1, 'a', 2] })), 'effect_impossible');
  });

  it('asks which thing is released when several are held', () => {
    const both = apply(
      kitchen(),
      execution('pick', { obj: 'cup_1' }),
      execution('pick', { obj: 'cup_2', gripper: 'right' }),
    );
    assert.equal(refusal(both, execution('place', { target: 'table_1' })), 'effect_impossible');
    const one = apply(both, execution('place', { gripper: 'right', target: 'table_1' }));
    assert.deepEqual(one.robot.holding.map(({ ref }) => ref).toArray(), ['cup_1']);
  });

  it('follows aliases', () => {
    const state = apply(
      { ...kitchen(), aliases: ImmutableMap({ cup_8: 'cup_2' }) },
      execution('pick', { obj: ' cup_8 ' }),
    );
    assert.equal(state.robot.holding.first()?.ref, 'cup_2');
  });

  it('is all or nothing over several effects', () => {
    const table = new Map(EFFECTS).set('pour', [
      { effect: 'set_container_state', ref: 'arguments.obj', state: { value: 'open' } },
      { effect: 'hold', ref: 'arguments.other' },
    ] as const);
    const state = kitchen();
    const outcome = applyExecution(state, execution('pour', { obj: 'cup_1', other: 'cup_77' }), table);
    assert.equal(outcome.state, state);
    assert.equal(outcome.answer.success, false);
  });
});

describe('release', () => {
  const held = apply(kitchen(), execution('pick', { obj: 'cup_1' }));

  it('puts the thing where it is told, on its target', () => {
    const pose = {
      position: { x: 1.3, y: 0.3, z: 0.85 },
      orientation: { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 },
    };
    const state = apply(held, execution('place', { target: 'table_1', pose }));
    assertPlace(state, 'cup_1', [1.3, 0.3, 0.85]);
    assert.ok(Math.abs(get(state, 'cup_1').box.yaw - Math.PI / 2) < 1e-9);
    assert.equal(get(state, 'cup_1').positionEstimated, undefined);
    assert.ok(state.relations.get('cup_1 on table_1')?.setByExecution);
    assert.equal(state.robot.holding.size, 0);
  });

  it('without a pose takes the last gripper pose', () => {
    const moved = moveHeld(held, new Map([['left', at(1.5, -0.3, 1)]]), undefined);
    const state = apply(moved, execution('place', { target: 'table_1' }));
    assertPlace(state, 'cup_1', [1.8, -0.3, 0.95]);
    assert.equal(get(state, 'cup_1').positionEstimated, true);
  });

  it('without pose and gripper centres it on the surface, marked estimated and last_seen', () => {
    const blindHeld = apply(withoutGripper(kitchen()), execution('pick', { obj: 'cup_1' }));
    const later = { ...blindHeld, graphTime: T0 + 1_000_000n };
    const { state, answer } = applyExecution(later, execution('place', { target: 'table_1' }), EFFECTS);
    assert.ok(answer.success);
    assertPlace(state, 'cup_1', [1, 0, 0.85]);
    assert.deepEqual(answer.update.effects[0], {
      effect: 'release',
      ref: 'cup_1',
      targetRef: 'table_1',
      relation: 'on',
      position: get(state, 'cup_1').box.center,
      estimated: true,
    });
    assert.equal(freshnessOf(get(state, 'cup_1'), state), 'last_seen');
  });

  it('into a container puts it in its box and into its contents', () => {
    const state = apply(withoutGripper(held), execution('place', { target: 'box_1' }));
    assert.deepEqual(get(state, 'box_1').contents, ['battery_1', 'cup_1']);
    assertPlace(state, 'cup_1', [1.2, 0, 0.85]);
    assert.ok(state.relations.get('cup_1 inside box_1')?.setByExecution);
  });

  it('onto what cannot carry it puts it beside, towards the robot', () => {
    const state = apply(withoutGripper(held), execution('place', { target: 'battery_1' }));
    const cup = get(state, 'cup_1').box.center;
    assert.ok(cup[0] < 1.2 && cup[0] > 1);
    assert.ok(state.relations.get('battery_1 near cup_1')?.setByExecution);
  });
});

describe('a held thing', () => {
  it('follows its gripper with its contents, in position and yaw', () => {
    const held = apply(kitchen(), execution('pick', { obj: 'box_1' }));
    // gripper at (0.5, 0.2, 0.9); box 0.7 ahead and 0.2 to its right; then turned left by 90° at (2, 2, 1)
    const turned: RigidTransform = { translation: [2, 2, 1], rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] };
    const state = moveHeld(held, new Map([['left', turned]]), at(1, 1, 0));
    assertPlace(state, 'box_1', [2.2, 2.7, 1]);
    assertPlace(state, 'battery_1', [2.2, 2.7, 0.95]);
    assert.ok(Math.abs(get(state, 'battery_1').box.yaw - Math.PI / 2) < 1e-9);
    assert.equal(get(state, 'box_1').cells.count, 0);
    assert.deepEqual(state.robot.map_T_base, at(1, 1, 0));
    assert.equal(executionHash(state), executionHash(held));
  });

  it('follows the base while its gripper is unknown, and the gripper from when it is known', () => {
    const held = apply(withoutGripper(kitchen()), execution('pick', { obj: 'cup_1', gripper: 'left' }));
    const driven = moveHeld(held, new Map(), at(1, 0, 0));
    assertPlace(driven, 'cup_1', [1.8, 0.2, 0.85]);
    const gripped = moveHeld(driven, new Map([['left', at(5, 5, 5)]]), at(1, 0, 0));
    assertPlace(gripped, 'cup_1', [1.8, 0.2, 0.85]);
    assertPlace(moveHeld(gripped, new Map([['left', at(5, 5, 6)]]), at(9, 9, 9)), 'cup_1', [1.8, 0.2, 1.85]);
  });

  it('changes hands without being let go', () => {
    const handed = apply(
      kitchen(),
      execution('pick', { obj: 'cup_1' }),
      execution('pick', { obj: 'cup_1', gripper: 'right' }),
    );
    assert.deepEqual(handed.robot.holding.map(({ gripper }) => gripper).toArray(), ['right']);
  });

  it('leaves the state as it was while nothing is held and nothing moves', () => {
    const state = kitchen();
    assert.equal(moveHeld(state, new Map(state.robot.map_T_grippers), undefined), state);
  });
});

describe('other effects', () => {
  it('open, close, put inside, take out, move, dispose and relabel', () => {
    let state = apply(kitchen(), execution('close', { obj: 'box_1' }));
    assert.equal(get(state, 'box_1').containerState, 'closed');
    state = apply(
      state,
      execution('open', { obj: 'box_1' }),
      execution('put_inside', { obj: 'cup_2', container: 'box_1' }),
    );
    assert.deepEqual(get(state, 'box_1').contents, ['battery_1', 'cup_2']);
    assert.ok(!keys(state).includes('cup_2 on table_1'));
    state = apply(state, execution('take_out', { obj: 'battery_1' }));
    assert.deepEqual(get(state, 'box_1').contents, ['cup_2']);
    assert.equal(state.robot.holding.first()?.ref, 'battery_1');
    state = apply(state, execution('move_to', { obj: 'box_1', position: [3, 3, 0.1] }));
    assertPlace(state, 'box_1', [3, 3, 0.1]);
    assertPlace(state, 'cup_2', [3, 3, 0.05]);
    state = apply(
      state,
      execution('relabel', { obj: 'cup_1', label: 'vase' }),
      execution('dispose', { obj: 'cup_2' }),
    );
    assert.equal(get(state, 'cup_1').label, 'vase');
    assert.equal(state.tombstones.get('cup_2')?.reason, 'removed by dispose');
    assert.deepEqual(get(state, 'box_1').contents, []);
    assert.ok(!keys(state).some((key) => key.includes('cup_2')));
  });
});

describe('tools by their usual names', () => {
  const inBox = { obj: 'cup_2', container: 'box_1' };
  type Row = readonly [string, string, Record<string, unknown>, (state: GraphState) => boolean];
  const row = (does: string, tools: readonly string[], args: Row[2], isDone: Row[3]): Row[] =>
    tools.map((tool) => [tool, does, args, isDone]);
  const done: Row[] = [
    ...row('holds', ['pick', 'pick_up', 'grasp'], { obj: 'cup_1' }, (state) => holds(state, 'cup_1')),
    ...row('fills', ['put_in', 'put_into', 'put_inside'], inBox, (state) =>
      get(state, 'box_1').contents.includes('cup_2'),
    ),
    ...row('removes', ['throw_away', 'discard', 'dispose'], { obj: 'cup_1' }, (state) =>
      state.tombstones.has('cup_1'),
    ),
    ...row(
      'moves',
      ['move', 'move_to', 'push'],
      { obj: 'cup_1', position: [2, 2, 1] },
      (state) => get(state, 'cup_1').box.center[0] === 2,
    ),
  ];
  for (const [tool, does, args, isDone] of done)
    it(`${tool} ${does}`, () => {
      assert.ok(!isDone(kitchen()));
      const open = apply(kitchen(), execution('open', { obj: 'box_1' }));
      assert.ok(isDone(apply(open, execution(tool, args))));
    });

  for (const tool of ['hand_over', 'give', 'release', 'put_down', 'place'])
    it(`${tool} frees the gripper, and the thing keeps its ref`, () => {
      const held = apply(kitchen(), execution('pick', { obj: 'cup_1' }));
      const given = apply(held, execution(tool, { obj: 'cup_1' }));
      assert.ok(holds(held, 'cup_1') && !holds(given, 'cup_1'));
      assert.equal(given.tombstones.size, 0);
      assert.equal(get(given, 'cup_1').positionEstimated, true);
    });
});

function holds({ robot }: GraphState, ref: string): boolean {
  return robot.holding.some((holding) => holding.ref === ref);
}

describe('exactly once', () => {
  const tools = fc.constantFrom('pick', 'place', 'say', 'close', 'put_inside');
  const calls = fc.array(
    fc.record({
      id: fc.integer({ min: 1, max: 6 }),
      tool: tools,
      obj: fc.constantFrom('cup_1', 'cup_2', 'box_1', 'cup_99'),
      verdict: fc.constantFrom('success', 'success', 'process'),
    }),
    { maxLength: 25 },
  );

  it('holds under any interleaving: an id changes the state at most once and then always answers the same', () => {
    fc.assert(
      fc.property(calls, (list) => {
        let state = kitchen();
        const answers = new Map<number, unknown>();
        for (const { id, tool, obj, verdict } of list) {
          const args = { obj, target: 'table_1', container: 'box_1' };
          const event = execution(tool, args, { executionId: `e${id}`, verdictStatus: verdict });
          const { state: after, answer } = applyExecution(state, event, EFFECTS);
          if (answers.has(id)) {
            assert.equal(after, state);
            assert.deepEqual(answer, answers.get(id));
          } else if (!answer.success) {
            assert.equal(after, state);
          } else {
            assert.equal(answer.alreadyApplied, false);
            answers.set(id, { ...answer, alreadyApplied: true });
          }
          state = after;
        }
        assert.deepEqual([...state.ledger.keys()].sort(), [...answers.keys()].map((id) => `e${id}`).sort());
        assertConsistent(state);
      }),
      { numRuns: 300 },
    );
  });
});

/** No edge or content names what is not there, contents and `inside` agree, nothing is held twice. */
function assertConsistent(state: GraphState): void {
  for (const { ref, otherRef } of state.relations.values()) {
    assert.ok(state.entities.has(ref) && state.entities.has(otherRef));
  }
  for (const { ref, contents } of state.entities.values()) {
    for (const item of contents) {
      assert.ok(state.relations.has(`${item} inside ${ref}`), `${item} in ${ref}`);
    }
  }
  const held = state.robot.holding.map(({ ref }) => ref);
  assert.equal(held.toSet().size, held.size);
}
