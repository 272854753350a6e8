import assert from 'node:assert/strict';
import { Map as ImmutableMap } from 'immutable';
import { NO_CELLS } from '../../src/graph/cells.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { knownScene } from '../../src/graph/knownScene.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import type { Entity, GraphState } from '../../src/graph/types.js';
import type { Box, RigidTransform, Vec3 } from '../../src/math/types.js';
import type {
  FrameObservation,
  ObjectObservation,
  StructureObservation,
} from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { assertClose } from '../fixtures/assertClose.js';
import { box, edges, entity, stateOf, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel, seenWall } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());
const TENTH = 100_000_000n;
const CUP = box([0, 0, 0.77], [0.09, 0.09, 0.1]);
const TABLE = seenLevel('support', 0.72, [-0.75, -0.4, 0.75, 0.4]);

/** Frames every `step`, beginning at `start`; each shows what `objects` says. */
function watch(
  state: GraphState,
  frames: readonly (readonly ObjectObservation[])[],
  { start = T0, step = 2n * TENTH, structures = [] as readonly StructureObservation[] } = {},
): GraphState {
  return frames.reduce(
    (before, objects, k) =>
      observeFrame(before, frameOf(start + BigInt(k) * step, objects, structures), PARAMETERS),
    state,
  );
}

function times(n: number, ...objects: readonly ObjectObservation[]): ObjectObservation[][] {
  return Array.from({ length: n }, () => [...objects]);
}

/** A state that has watched something for a second. */
function after(...objects: readonly ObjectObservation[]): GraphState {
  return watch(emptyState('map'), times(6, ...objects));
}

function refs(state: GraphState): string[] {
  return [...state.entities.keys()].sort();
}

function centreOf(state: GraphState, ref: string): Vec3 {
  return state.entities.get(ref)!.box.center;
}

function at(x: number, y: number, z = 0.77): Box {
  return { ...CUP, center: [x, y, z] };
}

describe('confirmation', () => {
  // frames   0    0.2   0.4   0.6 s
  // track    1     2     3     4 hits       entity
  it('names a thing after three hits over six tenths of a second, not before', () => {
    const cup = seenBox(CUP);
    const known = [1, 2, 3, 4].map((n) => refs(watch(emptyState('map'), times(n, cup))));
    assert.deepEqual(known, [[], [], [], ['object_1']]);
    const quick = watch(emptyState('map'), times(5, cup), { step: TENTH });
    assert.deepEqual(refs(quick), [], 'five hits within half a second');
    const slow = watch(emptyState('map'), times(2, cup), { step: 10n * TENTH });
    assert.deepEqual(refs(slow), [], 'two hits over a second');
  });

  it('keeps tentative things out of the entities and forgets those that do not come again', () => {
    const once = watch(emptyState('map'), [[seenBox(CUP)]]);
    assert.deepEqual([once.entities.size, once.tracks.size], [0, 1]);
    const later = watch(once, [[], []], { start: T0 + 600n * TENTH });
    assert.equal(later.tracks.size, 0);
  });

  it('names things in the order in which they were first seen, and never a number twice', () => {
    let state = after(seenBox(at(0, 0)), seenBox(at(0.4, 0)));
    assert.deepEqual(refs(state), ['object_1', 'object_2']);
    assert.ok(Math.abs(centreOf(state, 'object_1')[0]) < 0.01);
    state = { ...state, entities: state.entities.delete('object_2') };
    state = watch(state, times(6, seenBox(at(0.8, 0))), { start: T0 + 20n * TENTH });
    assert.deepEqual(refs(state), ['object_1', 'object_3']);
  });

  it('takes the stem from a detector’s word', () => {
    const state = after(seenBox(CUP, { label: 'coffee cup', labelScore: 0.8 }));
    assert.deepEqual(refs(state), ['coffee_cup_1']);
    assert.equal(state.entities.get('coffee_cup_1')?.label, 'coffee cup');
  });

  it('is not so sure of what it has seen little, and claims little of the label', () => {
    const state = watch(emptyState('map'), times(4, seenBox(CUP)));
    assert.ok((state.entities.get('object_1')?.labelShare ?? 1) <= 0.3);
    assert.equal(state.entities.get('object_1')?.label, 'object');
  });
});

describe('a thing seen again', () => {
  it('keeps its ref and its place under noise', () => {
    const noise = [0.01, -0.008, 0.004, -0.012, 0.007, 0, 0.011, -0.01];
    const state = watch(
      after(seenBox(CUP)),
      noise.map((dx, k) => [seenBox(at(dx, noise[(k + 3) % 8]))]),
      { start: T0 + 20n * TENTH },
    );
    assert.deepEqual(refs(state), ['object_1']);
    assertClose(centreOf(state, 'object_1'), CUP.center, 0.008);
  });

  it('does not shrink when the picture cuts it off', () => {
    const before = after(seenBox(CUP));
    const half = seenBox(box([-0.02, 0, 0.77], [0.05, 0.09, 0.1]), { truncated: true });
    const state = watch(before, times(10, half), { start: T0 + 20n * TENTH });
    assertClose(state.entities.get('object_1')!.box.size, CUP.size, 1e-6);
  });

  it('goes to its new place at once when it is seen whole and far off', () => {
    const named = { label: 'chair', labelScore: 0.8 };
    const chair = box([0, 0, 0.25], [0.5, 0.5, 0.5]);
    const before = watch(emptyState('map'), times(20, seenBox(chair, named)));
    const pushed = seenBox({ ...chair, center: [0.33, 0, 0.25] }, named);
    const state = watch(before, [[pushed]], { start: T0 + 60n * TENTH });
    assert.deepEqual(refs(state), ['chair_1']);
    assertClose(centreOf(state, 'chair_1'), pushed.box.center, 1e-6);
  });

  it('is two things when something like it turns up elsewhere', () => {
    const state = watch(after(seenBox(CUP)), times(6, seenBox(at(0.6, 0))), { start: T0 + 20n * TENTH });
    assert.deepEqual(refs(state), ['object_1', 'object_2']);
  });

  it('in several pieces takes the shape of them all', () => {
    const tray = box([0, 0, 0.76], [0.4, 0.3, 0.08]);
    const left = seenBox(box([-0.1, 0, 0.76], [0.2, 0.3, 0.08]));
    const right = seenBox(box([0.12, 0, 0.76], [0.16, 0.3, 0.08]));
    const state = watch(after(seenBox(tray)), times(30, left, right), { start: T0 + 20n * TENTH });
    assert.deepEqual(refs(state), ['object_1']);
    const { size } = state.entities.get('object_1')!.box;
    assert.ok(Math.max(size[0], size[1]) > 0.38, size.join(' × '));
  });
});

describe('what executions set', () => {
  const set = { epoch: 0, stamp: T0 + 50n * TENTH };

  it('cannot be contradicted by a frame from before', () => {
    const cup = entity('cup_1', CUP, { setByExecutionAt: set, cells: NO_CELLS });
    const before = stateOf([cup]);
    const frame = frameOf(set.stamp - 1n, [seenBox(at(0.05, 0))]);
    const state = observeFrame(before, frame, PARAMETERS);
    assert.deepEqual(centreOf(state, 'cup_1'), CUP.center);
    const later = observeFrame(before, { ...frame, stamp: set.stamp + 1n }, PARAMETERS);
    assert.ok(Math.abs(centreOf(later, 'cup_1')[0] - 0.05) < 1e-6);
  });

  const gripper = (x: number): ReadonlyMap<string, RigidTransform> =>
    new Map([['hand', { translation: [x, 0, 1], rotation: [0, 0, 0, 1] }]]);
  const carrier_T_object: RigidTransform = { translation: [0, 0, -0.1], rotation: [0, 0, 0, 1] };
  const held = (): GraphState => {
    const cup = entity('cup_1', at(0, 0, 0.9));
    const state = stateOf([cup]);
    const holding = state.robot.holding.push({
      ref: 'cup_1',
      gripper: 'hand',
      carrier_T_object,
      since: set,
    });
    return {
      ...state,
      robot: { ...state.robot, holding, map_T_grippers: state.robot.map_T_grippers.merge(gripper(0)) },
    };
  };

  it('moves a held thing with its gripper, and nothing that is seen with it', () => {
    const frame = frameOf(set.stamp + 1n, [seenBox(at(0, 0, 0.9))], [], { map_T_grippers: gripper(0.5) });
    const state = observeFrame(held(), frame, PARAMETERS);
    assertClose(centreOf(state, 'cup_1'), [0.5, 0, 0.9], 1e-9);
    const seenLast = state.entities.get('cup_1')!.lastSeen;
    assert.deepEqual(seenLast, { epoch: 0, stamp: T0 }, 'what was seen is not taken for the held thing');
  });

  it('takes what is seen in a gripper for what it holds: no second one is named', () => {
    const look = (k: number, y: number): FrameObservation =>
      frameOf(set.stamp + BigInt(k) * TENTH, [seenBox(at(0.01, y, 0.91))], [], {
        map_T_grippers: gripper(0),
      });
    const after = (y: number): GraphState =>
      Array.from({ length: 30 }, (_, k) => look(k, y)).reduce<GraphState>(
        (state, frame) => observeFrame(state, frame, PARAMETERS),
        held(),
      );
    assert.deepEqual([...after(0).entities.keys()], ['cup_1']);
    assert.equal(after(0).tracks.size, 0);
    assert.equal(after(0.3).entities.size, 2, 'what is seen beside the gripper is another thing');
  });

  it('neither looks for what a held container holds, nor takes for it what is seen there', () => {
    const bowl = entity('bowl_1', box([0, 0, 0.9], [0.2, 0.2, 0.1]), { contents: ['egg_1'] });
    const samples = Float32Array.of(0.03, 0, 0.92);
    const egg = entity('egg_1', box([0.03, 0, 0.9], [0.04, 0.04, 0.05]), { samples });
    const base = held();
    const holding = base.robot.holding.map((item) => ({ ...item, ref: 'bowl_1' }));
    const state = { ...base, entities: stateOf([bowl, egg]).entities, robot: { ...base.robot, holding } };
    assert.deepEqual(knownScene(state).probes, []);
    const free = { ...state, robot: { ...state.robot, holding: holding.clear() } };
    assert.deepEqual(
      (knownScene(free).probes ?? []).map(({ key }) => key),
      ['egg_1'],
    );
    const look = seenBox(box([0.03, 0, 0.9], [0.04, 0.04, 0.05]));
    const seen = observeFrame(
      state,
      frameOf(set.stamp + 1n, [look], [], { map_T_grippers: gripper(0) }),
      PARAMETERS,
    );
    assert.deepEqual(seen.entities.get('egg_1')?.lastSeen, egg.lastSeen);
  });

  it('carries the contents of a held container along', () => {
    const bowl = entity('bowl_1', box([0, 0, 0.9], [0.2, 0.2, 0.1]), { contents: ['egg_1'] });
    const egg = entity('egg_1', box([0.03, 0, 0.9], [0.04, 0.04, 0.05]));
    const base = held();
    const state: GraphState = {
      ...base,
      entities: stateOf([bowl, egg]).entities,
      relations: edges(['egg_1', 'inside', 'bowl_1']),
      robot: { ...base.robot, holding: base.robot.holding.map((item) => ({ ...item, ref: 'bowl_1' })) },
    };
    const moved = observeFrame(
      state,
      frameOf(set.stamp + 1n, [], [], { map_T_grippers: gripper(0.5) }),
      PARAMETERS,
    );
    assertClose(centreOf(moved, 'egg_1'), [0.53, 0, 0.9], 1e-9);
  });
});

describe('doubles', () => {
  const twins = (change: Partial<Entity> = {}): GraphState => {
    const first = entity('cup_1', CUP, { cells: NO_CELLS, firstSeen: { epoch: 0, stamp: T0 - 50n * TENTH } });
    return stateOf([first, entity('cup_2', at(0.01, 0), { cells: NO_CELLS, ...change })]);
  };
  const start = T0 + TENTH;

  it('become one, the older ref, once the frames show only one of them', () => {
    const state = watch(twins(), times(8, seenBox(CUP)), { start });
    assert.deepEqual(refs(state), ['cup_1']);
    assert.equal(state.aliases.get('cup_2'), 'cup_1');
    assert.equal(state.tombstones.size, 0, 'a merged ref is an alias, not dead');
  });

  it('stay two as long as frames show both beside each other', () => {
    const both = [seenBox(at(-0.075, 0)), seenBox(at(0.075, 0))];
    const state = watch(after(...both), times(40, ...both), { start: T0 + 20n * TENTH });
    assert.deepEqual(refs(state), ['object_1', 'object_2']);
    assert.equal(state.aliases.size, 0);
  });

  it('are not what a container holds and the container', () => {
    const bowl = entity('bowl_1', box([0, 0, 0.77], [0.2, 0.2, 0.1]), { contents: ['egg_1'] });
    const egg = entity('egg_1', box([0, 0, 0.77], [0.05, 0.05, 0.05]));
    const inside = stateOf([bowl, egg], { relations: edges(['egg_1', 'inside', 'bowl_1']) });
    const state = watch(inside, times(30, seenBox(bowl.box)), { start });
    assert.deepEqual(refs(state), ['bowl_1', 'egg_1']);
  });

  describe('by name', () => {
    const named = (label: string): Partial<Entity> => ({
      label,
      labelVotes: ImmutableMap(label === '' ? [] : [[label, 5]]),
      labelSightings: ImmutableMap(label === '' ? [] : [[label, 10]]),
      cells: NO_CELLS,
    });
    const pairs: [older: string, younger: string, isOne: boolean][] = [
      ['person', 'cup', false],
      ['person', '', false],
      ['book', 'cup', false],
      ['cup', 'mug', true],
      ['bowl', 'cup', true],
      ['', 'cup', true],
      ['', '', true],
    ];
    for (const [older, younger, isOne] of pairs)
      it(`${isOne ? 'may be' : 'are not'} a ${older || 'nameless thing'} and a ${younger || 'nameless thing'} in one place`, () => {
        const first = { epoch: 0, stamp: T0 - 50n * TENTH };
        const one = entity('object_1', CUP, { ...named(older), firstSeen: first });
        const other = entity('object_2', at(0.01, 0), named(younger));
        const state = watch(stateOf([one, other]), times(20, seenBox(CUP)), { start });
        assert.deepEqual(refs(state), isOne ? ['object_1'] : ['object_1', 'object_2']);
      });
  });

  it('are not a held thing and what it passes through', () => {
    const state = twins();
    const holding = state.robot.holding.push({ ref: 'cup_2', gripper: '', since: { epoch: 0, stamp: T0 } });
    const carried = { ...state, robot: { ...state.robot, holding } };
    assert.deepEqual(refs(watch(carried, times(20, seenBox(CUP)), { start })), ['cup_1', 'cup_2']);
  });
});

describe('structures in the graph', () => {
  it('are entities of their own, kept apart from things', () => {
    const walls = [TABLE, seenLevel('floor', 0, [-2, -2, 2, 2]), seenWall(2, [-1, 1], [0.5, 2])];
    const state = watch(emptyState('map'), times(6, seenBox(CUP)), { structures: walls });
    assert.deepEqual(refs(state), ['floor_1', 'object_1', 'support_1', 'wall_1']);
    assert.deepEqual([...state.relations.keys()], ['object_1 on support_1']);
  });

  it('are one floor, whatever parts of it the frames show', () => {
    const patches = [
      seenLevel('floor', 0, [-2, -2, -1, 2]),
      seenLevel('floor', 0.02, [1, -2, 2, 2]),
      seenLevel('floor', -0.03, [-1, 1, 1, 2]),
    ];
    const state = patches.reduce(
      (before, patch, k) =>
        watch(before, times(5), { start: T0 + BigInt(k) * 10n * TENTH, structures: [patch] }),
      emptyState('map'),
    );
    assert.deepEqual(refs(state), ['floor_1']);
  });

  it('grow until they are whole before they are named', () => {
    const strip = (x: number): StructureObservation => seenLevel('support', 0.9, [x, 0, x + 0.25, 0.3]);
    const narrow = watch(emptyState('map'), times(8), { structures: [strip(0)] });
    assert.deepEqual(refs(narrow), []);
    const grown = watch(narrow, times(2), { start: T0 + 20n * TENTH, structures: [strip(0.2)] });
    assert.deepEqual(refs(grown), ['support_1']);
  });
});

describe('graph time', () => {
  it('is the newest stamp, also when an older frame comes late', () => {
    const state = watch(after(seenBox(CUP)), [[seenBox(CUP)]], { start: T0 + TENTH });
    assert.equal(state.graphTime, T0 + 10n * TENTH);
  });
});
