import assert from 'node:assert/strict';
import { emptyState } from '../../src/graph/emptyState.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import { partOf, structuresOf } from '../../src/graph/partOfStructure.js';
import { newThing } from '../../src/graph/thing.js';
import type { GraphState } from '../../src/graph/types.js';
import type { Box, Vec3 } from '../../src/math/types.js';
import type { StructureObservation } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox, seenLevel, seenWall } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());
const NOW = { epoch: 0, stamp: T0 };

function knowing(...structures: readonly StructureObservation[]): GraphState {
  let state = emptyState('map');
  for (let k = 0n; k < 8n; k++)
    state = observeFrame(state, frameOf(T0 + k * 200_000_000n, [], structures), PARAMETERS);
  return state;
}

function partAt(state: GraphState, at: Box): string | undefined {
  return partOf(newThing(seenBox(at), NOW), structuresOf(state));
}

function boxOf(low: Vec3, high: Vec3): Box {
  const middle = (axis: 0 | 1 | 2): number => (low[axis] + high[axis]) / 2;
  return box([middle(0), middle(1), middle(2)], [high[0] - low[0], high[1] - low[1], high[2] - low[2]]);
}

//        ┌────────────── table top, 0.72 ─────────────┐
//   rim ▮│                                            │▮
//        └┬┬──────────────────────────────────────┬┬──┘
//      leg││          box on the floor            ││
//   ──────┴┴──────────────────────────────────────┴┴────── floor
describe('parts of a table', () => {
  const table = knowing(
    seenLevel('floor', 0, [-2, -2, 2, 2]),
    seenLevel('support', 0.72, [-0.75, -0.4, 0.75, 0.4]),
  );

  it('are the strips of its rim', () => {
    assert.equal(partAt(table, boxOf([-0.3, -0.42, 0.67], [0.1, -0.4, 0.71])), 'support_1');
    assert.equal(partAt(table, boxOf([0.75, -0.2, 0.69], [0.76, 0.0, 0.7])), 'support_1');
  });

  it('are ripples of its top that rise no higher than noise, also at its edge', () => {
    assert.equal(partAt(table, boxOf([-0.2, -0.1, 0.719], [0.02, -0.02, 0.722])), 'support_1');
    assert.equal(partAt(table, boxOf([0.7, -0.2, 0.71], [0.77, -0.05, 0.725])), 'support_1');
  });

  it('are its legs, as far up as the top lets them be seen', () => {
    assert.equal(partAt(table, boxOf([-0.7, -0.37, 0.02], [-0.65, -0.32, 0.68])), 'support_1');
    assert.equal(partAt(table, boxOf([0.65, 0.3, 0.1], [0.71, 0.36, 0.6])), 'support_1');
  });

  it('are not what stands on it, up to its very edge', () => {
    assert.equal(partAt(table, boxOf([0.68, -0.05, 0.72], [0.75, 0.05, 0.82])), undefined);
    assert.equal(partAt(table, boxOf([-0.1, -0.4, 0.72], [0.1, -0.25, 0.735])), undefined, 'a magazine');
  });

  it('are not what stands below it or beside it', () => {
    assert.equal(partAt(table, boxOf([-0.2, -0.2, 0], [0.2, 0.1, 0.35])), undefined, 'a crate');
    assert.equal(partAt(table, boxOf([-0.3, -0.39, 0.02], [-0.22, -0.31, 0.3])), undefined, 'a bottle');
    assert.equal(partAt(table, boxOf([0.9, -0.2, 0.45], [0.95, 0.2, 0.85])), undefined, 'a chair’s back');
  });
});

describe('parts of a shelf', () => {
  // Two boards, 1 m wide, between sides of 2 cm.
  const shelf = knowing(
    seenLevel('support', 0.4, [-0.5, 0, 0.5, 0.3]),
    seenLevel('support', 0.8, [-0.5, 0, 0.5, 0.3]),
  );

  it('are its sides, seen from board to board or past both', () => {
    assert.match(partAt(shelf, boxOf([0.5, 0.02, 0.41], [0.52, 0.28, 0.78])) ?? '', /^support_/);
    assert.match(partAt(shelf, boxOf([-0.53, 0.0, 0.02], [-0.5, 0.3, 1.5])) ?? '', /^support_/);
  });

  it('are not what stands on its boards, tall or at the end', () => {
    assert.equal(partAt(shelf, boxOf([0.43, 0.05, 0.4], [0.46, 0.25, 0.72])), undefined, 'a folder');
    assert.equal(partAt(shelf, boxOf([-0.2, 0.05, 0.4], [-0.12, 0.13, 0.66])), undefined, 'a bottle');
    assert.equal(partAt(shelf, boxOf([-0.5, 0.05, 0.8], [-0.47, 0.25, 1.1])), undefined, 'the last book');
  });
});

describe('parts of a wall', () => {
  const room = knowing(seenWall(2, [-1.5, 1.5], [0.1, 1.8]));

  it('are what lies flat on it and what is let into it', () => {
    assert.equal(partAt(room, boxOf([-0.2, 1.95, 1.2], [0.2, 2, 1.5])), 'wall_1');
    assert.equal(partAt(room, boxOf([-0.8, 2.03, 0.02], [-0.2, 2.08, 0.1])), 'wall_1');
  });

  it('are not what stands before it or hangs beyond its end', () => {
    assert.equal(partAt(room, boxOf([-0.2, 1.75, 0.9], [0.2, 1.95, 1.2])), undefined);
    assert.equal(partAt(room, boxOf([1.8, 1.95, 1.2], [2.1, 2, 1.5])), undefined);
  });
});
