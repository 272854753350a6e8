import assert from 'node:assert/strict';
import { resolveAlias } from '../../src/graph/acceptRef.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { knownScene } from '../../src/graph/knownScene.js';
import { createReducer } from '../../src/graph/reduce.js';
import type { GraphState } from '../../src/graph/types.js';
import { perceive } from '../../src/perceive/perceive.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateFrames } from '../../src/simulate/simulateFrames.js';
import { shippedEffects } from '../fixtures/graphStates.js';
import { defaultPerception } from '../fixtures/tableLook.js';

/** The ref whose middle is nearest to (x, y), among things within 6 cm of it. */
function refAt(state: GraphState, x: number, y: number): string[] {
  return [...state.entities.values()]
    .filter(
      ({ kind, box: { center } }) => kind === 'object' && Math.hypot(center[0] - x, center[1] - y) < 0.06,
    )
    .map(({ ref }) => ref);
}

describe('two cups that only their place tells apart', function () {
  this.timeout(60_000);

  //  seen from −63° round to +63°:   camera ⟍  (cup)15 cm(cup)  ⟋ camera
  it('keep their refs over 200 frames while the view crosses from one side to the other', () => {
    const reduce = createReducer(graphParameters(defaultParameters()), shippedEffects());
    let state = emptyState('map');
    let frames = 0;
    const seen = { left: new Set<string>(), right: new Set<string>() };
    for (const { frame } of simulateFrames(scriptNamed('two_cups', { size: [240, 180] }))) {
      state = reduce(state, {
        kind: 'observation',
        frame: perceive(frame, knownScene(state), defaultPerception()),
      });
      frames++;
      refAt(state, -0.075, 0).forEach((ref) => seen.left.add(ref));
      refAt(state, 0.075, 0).forEach((ref) => seen.right.add(ref));
    }
    assert.equal(frames, 200);
    const [left, right] = [refAt(state, -0.075, 0), refAt(state, 0.075, 0)];
    assert.deepEqual([left.length, right.length], [1, 1], `${left.join()} and ${right.join()}`);
    assert.notEqual(left[0], right[0]);
    assert.ok(!seen.right.has(left[0]) && !seen.left.has(right[0]), 'a ref changed sides');
    const both = [...left, ...right].map((ref) => state.entities.get(ref)!);
    for (const { ref, missing, lastSeen, observations } of both) {
      assert.equal(missing, false);
      assert.ok(observations > 120, `${ref} was observed ${observations} times`);
      assert.ok(state.graphTime! - lastSeen.stamp < 500_000_000n, `${ref} was not seen at the end`);
    }
    // A handle that the picture parted from its cup for a while may have had a ref: it ends as that cup's alias.
    for (const ref of seen.left) assert.equal(resolveAlias(state, ref), left[0], ref);
    for (const ref of seen.right) assert.equal(resolveAlias(state, ref), right[0], ref);
  });
});
