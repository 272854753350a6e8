import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emptyState } from '../../src/graph/emptyState.js';
import { hangsOn, isFragmentOf, liesWithin } from '../../src/graph/fragments.js';
import { observeFrame } from '../../src/graph/observeFrame.js';
import { newThing, seenAgain } from '../../src/graph/thing.js';
import type { GraphState, Thing } from '../../src/graph/types.js';
import type { Box } from '../../src/math/types.js';
import type { ObjectObservation } from '../../src/perceive/observations.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { box, T0 } from '../fixtures/graphStates.js';
import { frameOf, seenBox } from '../fixtures/observations.js';

const PARAMETERS = graphParameters(defaultParameters());
const STEP = 200_000_000n;

//        ┌─────┐┐          a cup on a table at 0.72 with its handle, and a pen lying beside it
//        │ cup ││ handle
//        └─────┘   ▬ pen
//   ─────────────────────
const CUP = box([0, 0, 0.77], [0.09, 0.09, 0.1]);
const HANDLE = box([0.062, 0, 0.77], [0.015, 0.02, 0.06]);
const PEN = box([0.06, 0, 0.725], [0.012, 0.12, 0.01]);

function thing(at: Box, partial: boolean, appearance?: Float32Array): Thing {
  const seen = seenBox(at, { occludedShare: partial ? 0.5 : 0, ...(appearance && { appearance }) });
  const now = { epoch: 0, stamp: T0 };
  return seenAgain(newThing(seen, now), seen, now, PARAMETERS);
}

function watch(n: number, objects: readonly ObjectObservation[], from = emptyState('map')): GraphState {
  let state = from;
  for (let k = 0; k < n; k++)
    state = observeFrame(state, frameOf((state.graphTime ?? T0) + STEP, objects), PARAMETERS);
  return state;
}

describe('what hangs on a thing', () => {
  it('is at its side, within its height, clear of what it stands on', () => {
    assert.ok(hangsOn(HANDLE, CUP));
    assert.ok(hangsOn(box([-0.06, 0.02, 0.78], [0.02, 0.02, 0.03]), CUP), 'a spout');
  });

  it('is nothing that has a footing of its own', () => {
    assert.ok(!hangsOn(PEN, CUP));
    assert.ok(!hangsOn(box([0.06, 0, 0.75], [0.015, 0.02, 0.06]), CUP), 'a candle');
  });

  it('is nothing that stands out above it, lies in it, is as large, or is out of reach', () => {
    assert.ok(!hangsOn(box([0.055, 0, 0.82], [0.01, 0.01, 0.08]), CUP), 'a spoon');
    assert.ok(!hangsOn(box([0.01, 0, 0.78], [0.03, 0.03, 0.03]), CUP), 'an egg');
    assert.ok(!hangsOn(box([0.1, 0, 0.78], [0.09, 0.09, 0.08]), CUP), 'a cup on a book');
    assert.ok(!hangsOn(box([0.09, 0, 0.77], [0.015, 0.02, 0.06]), CUP));
  });

  it('hangs there wherever the thing is and however it is turned', () => {
    const turn = fc.double({ min: -3, max: 3, noNaN: true });
    const place = fc.double({ min: -2, max: 2, noNaN: true });
    fc.assert(
      fc.property(turn, place, place, (yaw, x, y) => {
        const moved = ({ center, size }: Box): Box => ({
          center: [
            x + center[0] * Math.cos(yaw) - center[1] * Math.sin(yaw),
            y + center[0] * Math.sin(yaw) + center[1] * Math.cos(yaw),
            center[2],
          ],
          size,
          yaw,
        });
        assert.ok(hangsOn(moved(HANDLE), moved(CUP)));
        assert.ok(!hangsOn(moved(PEN), moved(CUP)));
        assert.ok(!hangsOn(moved(CUP), moved(CUP)));
      }),
    );
  });
});

describe('a fragment of a thing', () => {
  it('hangs on it and mostly shows in part only', () => {
    assert.ok(isFragmentOf(thing(HANDLE, true), thing(CUP, false)));
    assert.ok(!isFragmentOf(thing(HANDLE, false), thing(CUP, false)), 'a tap that is seen whole');
  });

  it('or is a sliver of it that looks like it', () => {
    const [red, blue] = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    const sliver = box([0.04, 0, 0.77], [0.01, 0.02, 0.1]);
    assert.ok(liesWithin(sliver, CUP));
    assert.ok(isFragmentOf(thing(sliver, true, red), thing(CUP, false, red)));
    assert.ok(!isFragmentOf(thing(sliver, true, blue), thing(CUP, false, red)), 'a straw in it');
    assert.ok(!isFragmentOf(thing(sliver, false, red), thing(CUP, false, red)));
  });

  it('becomes an alias of the thing, whose box stays what it was', () => {
    const hidden = seenBox(HANDLE, { occludedShare: 0.5 });
    const handle = watch(2, [seenBox(HANDLE)]);
    const both = watch(12, [seenBox(CUP), hidden], handle);
    const objects = [...both.entities.values()];
    assert.equal(objects.length, 1, objects.map(({ ref }) => ref).join());
    assert.equal(both.aliases.size, 1);
    assert.ok(Math.abs(objects[0].box.size[2] - CUP.size[2]) < 0.01, String(objects[0].box.size));
  });

  it('is not the pen beside it, seen with it for long', () => {
    const both = watch(40, [seenBox(CUP), seenBox(PEN)]);
    assert.equal(both.entities.size, 2);
    assert.equal(both.aliases.size, 0);
  });
});
