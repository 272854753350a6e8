import assert from 'node:assert/strict';
import { confidenceOf } from '../../src/graph/confidenceOf.js';
import { knownScene } from '../../src/graph/knownScene.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import { emptyState } from '../../src/graph/emptyState.js';
import type { GraphState } from '../../src/graph/types.js';
import type { ObjectObservation, Visibility } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, entity, stateOf, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel, seenWall } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());
const FIFTH = 200_000_000n;
const CUP = seenBox(box([0, 0, 0.77], [0.09, 0.09, 0.1]));

const CLEAR: Visibility = { samples: 20, present: 0, clear: 20, occluded: 0 };
const HIDDEN: Visibility = { samples: 20, present: 0, clear: 0, occluded: 20 };
const THERE: Visibility = { samples: 20, present: 18, clear: 2, occluded: 0 };
const HALF_HIDDEN: Visibility = { samples: 20, present: 0, clear: 7, occluded: 13 };

/** Frames every fifth of a second after the state's time, each with what it shows of cup and place. */
function watch(
  state: GraphState,
  frames: number,
  visibility: Visibility | undefined,
  objects: readonly ObjectObservation[] = [],
): GraphState {
  let next = state;
  for (let k = 0; k < frames; k++) {
    const stamp = (next.graphTime ?? T0) + FIFTH;
    const shown = visibility === undefined ? new Map() : new Map([['object_1', visibility]]);
    next = observeFrame(next, frameOf(stamp, objects, [], { visibility: shown }), PARAMETERS);
  }
  return next;
}

const seen = (): GraphState => watch(emptyState('map'), 20, undefined, [CUP]);
const cupOf = (state: GraphState) => state.entities.get('object_1')!;

describe('absence', () => {
  it('makes a thing missing after clear views of its place, not after one', () => {
    assert.equal(cupOf(watch(seen(), 1, CLEAR)).missing, false);
    const gone = watch(seen(), 10, CLEAR);
    assert.equal(cupOf(gone).missing, true);
    assert.ok(confidenceOf(cupOf(gone)) < 0.35);
  });

  it('does not come of looking away, of what stands in front, of holes, nor of time', () => {
    for (const visibility of [undefined, HIDDEN, HALF_HIDDEN, THERE]) {
      const later = watch(seen(), 300, visibility);
      assert.equal(cupOf(later).missing, false);
      assert.ok(confidenceOf(cupOf(later)) > 0.9);
    }
  });

  it('ends its count when the thing is seen again in between', () => {
    let state = seen();
    for (let round = 0; round < 10; round++) state = watch(watch(state, 2, CLEAR), 2, undefined, [CUP]);
    assert.equal(cupOf(state).missing, false);
    assert.equal(cupOf(state).misses, 0);
  });

  it('is over as soon as the thing is observed again, under its old ref', () => {
    const back = watch(watch(seen(), 10, CLEAR), 1, undefined, [CUP]);
    assert.deepEqual([...back.entities.keys()], ['object_1']);
    assert.equal(cupOf(back).missing, false);
  });

  it('leaves a tombstone only when the place has stayed empty for long', () => {
    const gone = watch(seen(), 10, CLEAR);
    const { removeAfterS } = PARAMETERS.absence;
    const long = watch(gone, Math.ceil(removeAfterS * 5) + 5, CLEAR);
    assert.equal(long.entities.size, 0);
    assert.match(long.tombstones.get('object_1')?.reason ?? '', /empty/);
    const short = watch(gone, Math.floor(removeAfterS * 2), CLEAR);
    assert.equal(cupOf(short).missing, true);
  });

  it('is not told of a thing before the moment at which an execution set its place', () => {
    const state = seen();
    const set = { epoch: 0, stamp: state.graphTime! + 100n * FIFTH };
    const moved = {
      ...state,
      entities: state.entities.update('object_1', (cup) => ({ ...cup!, setByExecutionAt: set })),
    };
    assert.equal(cupOf(watch(moved, 30, CLEAR)).missing, false);
  });
});

describe('knownScene', () => {
  it('tells of structures that were seen often and whole, and of nothing else as structure', () => {
    const structures = [seenLevel('support', 0.72, [0, 0, 1.5, 0.8]), seenWall(2, [-1, 1], [0, 2])];
    const strip = seenLevel('support', 1.2, [0, 0, 0.2, 0.2]);
    let state = observeFrame(emptyState('map'), frameOf(T0, [], [...structures, strip]), PARAMETERS);
    assert.deepEqual(knownScene(state).levels, []);
    for (let k = 1n; k < 5n; k++)
      state = observeFrame(state, frameOf(T0 + k * FIFTH, [], [...structures, strip]), PARAMETERS);
    const { levels, uprights } = knownScene(state);
    assert.deepEqual(
      levels.map(({ z, minX, maxX, minY, maxY }) => [z, minX, maxX, minY, maxY]),
      [[0.72, 0, 1.5, 0, 0.8]],
    );
    const [wall] = uprights;
    assert.equal(uprights.length, 1);
    assert.deepEqual([wall.d, wall.maxAlong - wall.minAlong, wall.minZ, wall.maxZ], [2, 2, 0, 2]);
  });

  it('says where to look for things and tentative ones, but not for what is held', () => {
    const once = watch(emptyState('map'), 1, undefined, [CUP]);
    assert.deepEqual(
      knownScene(once).probes?.map(({ key }) => key),
      ['#1'],
    );
    const state = seen();
    const [probe] = knownScene(state).probes ?? [];
    assert.equal(probe.key, 'object_1');
    assert.ok(probe.samples.length > 0);
    for (let k = 2; k < probe.samples.length; k += 3) assert.ok(probe.samples[k] >= 0.72 + 0.3 * 0.1 - 1e-6);
    const holding = state.robot.holding.push({
      ref: 'object_1',
      gripper: '',
      since: { epoch: 0, stamp: T0 },
    });
    assert.deepEqual(knownScene({ ...state, robot: { ...state.robot, holding } }).probes, []);
  });

  it('leaves out what lies far beyond the reach of a camera, and nothing within it', () => {
    const row = Array.from({ length: 3000 }, (_, x) =>
      entity(`cup_${x}`, box([x, 0, 0.77]), { samples: Float32Array.of(x, 0, 0.8) }),
    );
    const state = stateOf(row);
    const places = (knownScene(state, { center: [1500, 0, 1.3], reachM: 12 }).probes ?? []).map(
      ({ samples: [x] }) => x,
    );
    for (let x = 1488; x <= 1512; x++) assert.ok(places.includes(x), `${x} m`);
    assert.ok(Math.min(...places) > 1480 && Math.max(...places) < 1520);
    assert.deepEqual(knownScene(state, { center: [1500, 0, 1.3], reachM: 1e4 }), knownScene(state));
  });
});
