import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Map as ImmutableMap } from 'immutable';
import { addRefsNear, inMapOrder, noPlaces, placesOfState } from '../../src/graph/placeIndex.js';
import { updateRelations } from '../../src/graph/relations.js';
import type { Entity, GraphState } from '../../src/graph/types.js';
import { halfDiagonal } from '../../src/math/box.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, entity, stateOf } from '../fixtures/graphStates.js';

const PARAMETERS = graphParameters(defaultParameters());

const metre = fc.double({ min: -4, max: 4, noNaN: true });
const side = fc.double({ min: 0.05, max: 3, noNaN: true });
/** Things that come, move or grow: a later one of the same number takes the place of the earlier. */
const things = fc.array(
  fc
    .tuple(fc.integer({ min: 1, max: 60 }), metre, metre, side, side)
    .map(([n, x, y, a, b]): Entity => entity(`cup_${n}`, box([x, y, 0.5], [a, b, 0.2], x))),
  { minLength: 1, maxLength: 80 },
);

/** The state after each thing, one at a time, each indexed from the one before. */
function oneByOne(list: readonly Entity[]): GraphState {
  let state = stateOf([]);
  for (const item of list) {
    const next = { ...state, entities: state.entities.set(item.ref, item) };
    state = { ...next, places: placesOfState(next) };
  }
  return state;
}

describe('the index of places', () => {
  it('finds all whose footprint comes within reach, whatever came, moved or grew before', () => {
    fc.assert(
      fc.property(things, metre, metre, side, (list, x, y, reach) => {
        const { entities, places } = oneByOne(list);
        const found = addRefsNear(new Set(), places, [x, y, 0], reach);
        for (const { ref, box: at } of entities.values()) {
          const apart = Math.hypot(at.center[0] - x, at.center[1] - y) - halfDiagonal(at);
          if (apart <= reach) assert.ok(found.has(ref), ref);
        }
        for (const ref of found) assert.ok(entities.has(ref));
      }),
    );
  });

  it('kept up one by one is the same as made at once, and forgets what is gone', () => {
    fc.assert(
      fc.property(things, metre, metre, side, (list, x, y, reach) => {
        const state = oneByOne(list);
        const afresh = placesOfState({ entities: state.entities, places: noPlaces() });
        const near = (places: GraphState['places']): string[] =>
          [...addRefsNear(new Set(), places, [x, y, 0], reach)].sort();
        assert.deepEqual(near(state.places), near(afresh));
        const emptied = placesOfState({ entities: ImmutableMap(), places: state.places });
        assert.deepEqual([emptied.squares.size, emptied.wide, near(emptied)], [0, [], []]);
      }),
    );
  });

  it('gives refs in the order of the map they come from', () => {
    const list = Array.from({ length: 300 }, (_, k) => entity(`cup_${k}`, box([k, 0, 0])));
    const { entities } = stateOf(list);
    const some = new Set(list.filter((_, k) => k % 3 === 0).map(({ ref }) => ref));
    assert.deepEqual(
      inMapOrder(some, entities),
      [...entities.keys()].filter((ref) => some.has(ref)),
    );
  });
});

describe('relations kept up thing by thing', () => {
  it('are those that looking at all things at once gives, for things that hold still', () => {
    fc.assert(
      fc.property(things, (list) => {
        const all = oneByOne(list);
        const refs = [...all.entities.keys()];
        let state = all;
        for (const ref of refs) state = { ...state, ...updateRelations(state, [ref], PARAMETERS) };
        const atOnce = updateRelations({ ...all, places: noPlaces() }, refs, PARAMETERS);
        const texts = ({ relations }: Pick<GraphState, 'relations'>): string[] =>
          [...relations.keys()].filter((key) => key.includes(' near ')).sort();
        assert.deepEqual(texts(state), texts(atOnce));
      }),
      { numRuns: 40 },
    );
  });
});
