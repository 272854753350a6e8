import assert from 'node:assert/strict';
import fc from 'fast-check';
import { canonicalHash, canonicalJson } from '../../src/graph/canonicalHash.js';
import { executionHash } from '../../src/graph/executionHash.js';
import type { GraphState } from '../../src/graph/types.js';
import { box, edges, entity, kitchen, stateOf } from '../fixtures/graphStates.js';

/** Worked value T37: a cup on a desk that is turned by 45°; the robot at the origin. */
function t37(cupX = 3.91): GraphState {
  const cup = entity('cup_2', box([cupX, -0.18, 1.08], [0.08, 0.08, 0.1]));
  const desk = entity('desk_12', box([3.6, 0, 0.37], [1.2, 0.6, 0.74], Math.PI / 4));
  return stateOf([desk, cup], { relations: edges(['cup_2', 'on', 'desk_12']) });
}

const T37_JSON =
  '{"frame":"map","objects":[{"container_state":"","contents":[],"obj":"cup_2","p":[3910000,-180000,1080000],' +
  '"parent":"desk_12","q":[0,0,0,1000000],"relation":"on","size":[80000,80000,100000]},{"container_state":"",' +
  '"contents":[],"obj":"desk_12","p":[3600000,0,370000],"parent":"","q":[0,0,382683,923880],"relation":"",' +
  '"size":[1200000,600000,740000]}],"robot":{"holding":[],"p":[0,0,0],"q":[0,0,0,1000000]}}';

describe('canonicalHash', () => {
  it('gives the worked value T37 byte for byte', () => {
    assert.equal(canonicalJson(t37()), T37_JSON);
    assert.equal(Buffer.byteLength(T37_JSON), 403);
    assert.equal(canonicalHash(t37()), '0380c607329ab10951b6b54510ca98d490822a0ba84de9355e096274e8979c90');
  });

  it('does not see a tenth of a micrometre and sees ten', () => {
    assert.equal(canonicalHash(t37(3.91 + 1e-7)), canonicalHash(t37()));
    assert.ok(canonicalHash(t37(3.91 + 1e-5)).startsWith('68c1422616a2d21a'));
  });

  it('does not depend on time, freshness, revision, certainty or order of insertion', () => {
    const state = kitchen();
    const shuffled = stateOf([...state.entities.values()].reverse(), {
      ...state,
      revision: 99,
      graphTime: 5n,
      entities: state.entities
        .sortBy((item) => -item.box.center[0])
        .map((item) => ({ ...item, existsLogOdds: 0, observations: 2, missing: true })),
    });
    assert.equal(canonicalHash(shuffled), canonicalHash(state));
  });

  it('has one form of a rotation: w > 0 after any number of turns, and never -0', () => {
    const json = (yaw: number): string =>
      canonicalJson(stateOf([entity('cup_1', box([-0, 0, 0], [1, 1, 1], yaw))]));
    fc.assert(
      fc.property(fc.integer({ min: -31, max: 31 }), fc.integer({ min: -2, max: 2 }), (tenths, turns) => {
        const turned = json(tenths / 10 + 2 * Math.PI * turns);
        assert.equal(turned, json(tenths / 10));
        assert.doesNotMatch(turned, /-0[,\]]/);
      }),
    );
    assert.equal(json(Math.PI), json(-Math.PI));
  });
});

describe('executionHash', () => {
  it('stays while perception moves and adds things', () => {
    const state = kitchen();
    const moved = state.entities
      .update('cup_1', (cup) => ({ ...cup!, box: box([2, 2, 2]) }))
      .set('cup_3', entity('cup_3', box([3, 3, 3])));
    assert.equal(executionHash({ ...state, entities: moved }), executionHash(state));
  });

  it('moves with what a container holds', () => {
    const state = kitchen();
    const emptied = state.entities.update('box_1', (item) => ({ ...item!, contents: [] }));
    assert.notEqual(executionHash({ ...state, entities: emptied }), executionHash(state));
  });
});
