import assert from 'node:assert/strict';
import { whyNoThing } from '../../src/graph/dropNonThings.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import { newThing, seenAgain } from '../../src/graph/thing.js';
import type { GraphState } from '../../src/graph/types.js';
import type { ObjectObservation, StructureObservation, Visibility } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());
const STEP = 200_000_000n;
const TABLE = seenLevel('support', 0.72, [-0.75, -0.4, 0.75, 0.4]);
const RIM = box([0, -0.41, 0.69], [0.4, 0.01, 0.02]);
const CUP = box([0, 0, 0.77], [0.09, 0.09, 0.1]);
/** Its surface is there, though perception made no piece of it. */
const PRESENT: Visibility = { samples: 25, present: 25, clear: 0, occluded: 0 };

interface Look {
  readonly objects?: readonly ObjectObservation[];
  readonly structures?: readonly StructureObservation[];
  readonly visible?: readonly string[];
}

function watch(
  state: GraphState,
  n: number,
  { objects = [], structures = [], visible = [] }: Look,
): GraphState {
  let next = state;
  for (let k = 0; k < n; k++) {
    const stamp = (next.graphTime ?? T0) + STEP;
    const visibility = new Map(visible.map((ref) => [ref, PRESENT]));
    next = observeFrame(next, frameOf(stamp, objects, structures, { visibility }), PARAMETERS);
  }
  return next;
}

function objectsOf(state: GraphState): string[] {
  return [...state.entities.values()].filter(({ kind }) => kind === 'object').map(({ ref }) => ref);
}

describe('entities that turn out to be parts of furniture', () => {
  it('are taken back once the furniture is known, out of view too, and say of what they are a part', () => {
    const rim = watch(emptyState('map'), 6, { objects: [seenBox(RIM)] });
    assert.deepEqual(objectsOf(rim), ['object_1']);
    const table = watch(rim, 8, { structures: [TABLE] });
    assert.deepEqual(objectsOf(table), []);
    assert.equal(table.tombstones.get('object_1')?.reason, 'it is a part of support_1');
    const again = watch(table, 8, { objects: [seenBox(RIM)], structures: [TABLE] });
    assert.deepEqual(objectsOf(again), [], 'and do not come back');
  });

  it('stay when somebody has named them or a detector has', () => {
    for (const change of [{ label: 'ruler' }, { setByExecutionAt: { epoch: 0, stamp: T0 } }]) {
      const rim = watch(emptyState('map'), 6, { objects: [seenBox(RIM)] });
      const named = {
        ...rim,
        entities: rim.entities.update('object_1', (entity) => entity && { ...entity, ...change }),
      };
      assert.deepEqual(objectsOf(watch(named, 8, { structures: [TABLE] })), ['object_1']);
    }
  });
});

describe('entities that come and go in full view', () => {
  // looks      o o o o · · · · · · · · · · · ·    o: observed, ·: its surface is there, no piece of it
  it('are taken back after some looks that seldom showed them', () => {
    const seen = watch(emptyState('map'), 4, { objects: [seenBox(CUP)] });
    assert.deepEqual(objectsOf(seen), ['object_1']);
    const few = watch(seen, 5, { visible: ['object_1'] });
    assert.deepEqual(objectsOf(few), ['object_1'], 'not at once');
    const many = watch(seen, 30, { visible: ['object_1'] });
    assert.deepEqual(objectsOf(many), []);
    assert.equal(many.tombstones.get('object_1')?.reason, 'it was seldom to be seen in its place');
  });

  it('stay when they were seen for long before', () => {
    const seen = watch(emptyState('map'), 70, { objects: [seenBox(CUP)] });
    assert.deepEqual(objectsOf(watch(seen, 300, { visible: ['object_1'] })), ['object_1']);
  });

  it('stay while nothing is known of their place', () => {
    const seen = watch(emptyState('map'), 4, { objects: [seenBox(CUP)] });
    assert.deepEqual(objectsOf(watch(seen, 100, {})), ['object_1']);
  });
});

describe('what the picture’s edge always cuts off', () => {
  it('becomes an entity only once it was seen whole', () => {
    const cut = seenBox(CUP, { truncated: true });
    const state = watch(emptyState('map'), 20, { objects: [cut] });
    assert.deepEqual(objectsOf(state), []);
    const once = watch(state, 1, { objects: [seenBox(CUP)] });
    assert.deepEqual(objectsOf(once), [], 'one whole view may be chance');
    assert.deepEqual(objectsOf(watch(once, 1, { objects: [seenBox(CUP)] })), ['object_1']);
  });
});

describe('what something nearer always hides in part', () => {
  it('becomes an entity only once it was seen by itself, and stays one when it is hidden again', () => {
    const hidden = seenBox(CUP, { occludedShare: 0.5 });
    const state = watch(emptyState('map'), 20, { objects: [hidden] });
    assert.deepEqual(objectsOf(state), []);
    const shown = watch(state, 2, { objects: [seenBox(CUP)] });
    assert.deepEqual(objectsOf(shown), ['object_1']);
    assert.deepEqual(objectsOf(watch(shown, 60, { objects: [hidden] })), ['object_1']);
  });

  it('was seen whole before it was moved, too', () => {
    const now = { epoch: 0, stamp: T0 };
    const seen = newThing(seenBox(CUP), now);
    const moved = seenAgain(seen, seenBox(box([1, 0, 0.77], CUP.size)), now, PARAMETERS, true);
    assert.equal(moved.shapes.length, 1, 'what was measured before says nothing about where it is');
    assert.equal(whyNoThing(moved, { walls: [], supports: [] }, PARAMETERS), undefined);
    assert.equal(whyNoThing(seen, { walls: [], supports: [] }, PARAMETERS), 'it was never seen whole');
  });
});
