import assert from 'node:assert/strict';
import { emptyState } from '../../src/graph/emptyState.js';
import { labelAgreement } from '../../src/graph/labelVotes.js';
import { shippedEffects } from '../fixtures/graphStates.js';
import { createReducer } from '../../src/graph/reduce.js';
import type { Entity, GraphState } from '../../src/graph/types.js';
import type { Box } from '../../src/math/types.js';
import type { FrameObservation, ObjectObservation } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { SeededRandom } from '../../src/simulate/SeededRandom.js';
import { frameOf, seenBox } from '../fixtures/observations.js';

const START = 1_800_000_000_000_000_000n;
const STEP = 100_000_000n;
const BOX: Box = { center: [0, 0, 0.77], size: [0.09, 0.09, 0.1], yaw: 0 };
const reduce = createReducer(graphParameters(defaultParameters()), shippedEffects());

function named(label: string, labelScore = 0.8, box = BOX): ObjectObservation {
  return seenBox(box, { label, labelScore });
}

/** Folds one frame each tenth of a second, from the `from`-th on. */
function watched(
  frames: readonly (readonly ObjectObservation[])[],
  before: GraphState = emptyState('map'),
  from = 0,
  change: Partial<FrameObservation> = { isNamed: true },
): GraphState {
  return frames.reduce((state, objects, k) => {
    const stamp = START + STEP * BigInt(from + k);
    return reduce(state, { kind: 'observation', frame: frameOf(stamp, objects, [], change) });
  }, before);
}

function only(state: GraphState): Entity {
  assert.equal(state.entities.size, 1, [...state.entities.keys()].join(' '));
  return [...state.entities.values()][0];
}

const times = <T>(n: number, value: T): T[] => Array.from({ length: n }, () => value);

describe('labels of entities', () => {
  it('name the ref when three frames agree, and soon when the detector is sure', () => {
    assert.equal(only(watched(times(3, [named('cup')]))).ref, 'cup_1');
    assert.equal(watched(times(3, [named('cup', 0.3)])).entities.size, 0, 'unsure: the usual time');
    assert.equal(only(watched(times(7, [named('cup', 0.3)]))).ref, 'cup_1');
  });

  it('come to a nameless thing without renaming it', () => {
    const nameless = watched(times(8, [seenBox(BOX)]));
    assert.equal(only(nameless).ref, 'object_1');
    assert.equal(only(watched(times(2, [named('cup')]), nameless, 8)).label, 'object');
    const later = only(watched(times(3, [named('cup')]), nameless, 8));
    assert.equal(later.ref, 'object_1');
    assert.equal(later.label, 'cup');
    assert.equal(later.labelShare, 1);
  });

  it('change only for a clearly better name, and never the ref', () => {
    const cup = watched(times(6, [named('cup')]));
    const doubted = only(watched(times(7, [named('bowl')]), cup, 6));
    assert.equal(doubted.label, 'cup');
    assert.ok(doubted.labelShare < 0.5);
    const bowl = only(watched(times(14, [named('bowl')]), cup, 6));
    assert.equal(bowl.label, 'bowl');
    assert.equal(bowl.ref, 'cup_1');
  });

  it('settle within ten frames and keep the ref when three names in ten are wrong', () => {
    const others = ['bowl', 'vase', 'bottle', 'potted plant', 'toilet', 'chair'];
    let settled = 0;
    const seeds = 60;
    for (let seed = 1; seed <= seeds; seed++) {
      const random = new SeededRandom(seed);
      const label = (): string =>
        random.uniform() < 0.3 ? others[Math.floor(random.uniform() * others.length)] : 'cup';
      const frames = Array.from({ length: 40 }, () => [named(label(), 0.4 + 0.5 * random.uniform())]);
      const early = only(watched(frames.slice(0, 10)));
      const late = only(watched(frames.slice(10), watched(frames.slice(0, 10)), 10));
      assert.equal(late.ref, early.ref, `seed ${seed}`);
      assert.equal(late.label, 'cup', `seed ${seed}`);
      if (early.label === 'cup') settled++;
    }
    assert.ok(settled >= 0.95 * seeds, `${settled} of ${seeds} settled`);
  });

  it('pull a sighting to the thing of that name', () => {
    const votes = only(watched(times(5, [named('cup')])));
    const agreement = (label: string, score = 0.8): number => labelAgreement(named(label, score), votes);
    assert.equal(agreement('cup'), 1);
    assert.equal(agreement('mug'), 1);
    assert.equal(labelAgreement(seenBox(BOX), votes), 0.6);
    assert.ok(Math.abs(agreement('bowl') - 0.3) < 1e-9);
    assert.equal(agreement('chair'), 0);
    assert.ok(agreement('chair', 0.15) > 0.4, 'an unsure name counts less');
  });

  it('cost a little when the detector looked and was silent, though the thing is there', () => {
    const cup = watched(times(4, [named('cup', 0.5)]));
    const after = (change: Partial<FrameObservation>): number =>
      only(watched([[seenBox(BOX)]], cup, 4, change)).existsLogOdds;
    assert.ok(Math.abs(after({}) - after({ isNamed: true }) - 0.1) < 1e-9);
  });

  const elsewhere: Box = { ...BOX, center: [1.4, 0.2, 0.77] };
  const emptyPlace = new Map([['cup_1', { samples: 25, present: 0, clear: 25, occluded: 0 }]]);

  it('keep the ref of a thing that turns up elsewhere after its place was seen empty', () => {
    const cup = watched(times(8, [named('cup')]));
    const gone = watched(times(14, []), cup, 8, { isNamed: true, visibility: emptyPlace });
    assert.equal(only(gone).missing, true);
    const found = only(watched(times(4, [named('cup', 0.8, elsewhere)]), gone, 22));
    assert.equal(found.ref, 'cup_1');
    assert.equal(found.missing, false);
    assert.ok(Math.abs(found.box.center[0] - 1.4) < 0.01);
  });

  it('are two refs when the old place was not seen empty, or the size is another', () => {
    const cup = watched(times(8, [named('cup')]));
    assert.equal(watched(times(4, [named('cup', 0.8, elsewhere)]), cup, 8).entities.size, 2);
    const gone = watched(times(14, []), cup, 8, { isNamed: true, visibility: emptyPlace });
    const large: Box = { ...elsewhere, size: [0.2, 0.2, 0.2] };
    assert.equal(watched(times(4, [named('cup', 0.8, large)]), gone, 22).entities.size, 2);
  });

  it('follow a thing that is carried while its old place is seen empty', () => {
    const cup = watched(times(8, [named('cup')]));
    const aside: Box = { ...BOX, center: [0.12, 0, 0.77] };
    const carried = only(
      watched([[named('cup', 0.8, aside)]], cup, 8, { isNamed: true, visibility: emptyPlace }),
    );
    assert.ok(Math.abs(carried.box.center[0] - 0.12) < 0.01);
  });
});
