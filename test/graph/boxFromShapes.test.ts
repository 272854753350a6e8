import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  boxFromShapes,
  facesOf,
  LowQuantile,
  SHAPES_KEPT,
  withShape,
} from '../../src/graph/boxFromShapes.js';
import type { SeenShape } from '../../src/graph/types.js';
import { footprint } from '../../src/math/box.js';
import type { Box } from '../../src/math/types.js';
import { assertClose } from '../fixtures/assertClose.js';
import { box } from '../fixtures/graphStates.js';

function shapeOf(seen: Box, change: Partial<SeenShape> = {}): SeenShape {
  return {
    faces: facesOf(footprint(seen).flat()),
    zMin: seen.center[2] - seen.size[2] / 2,
    zMax: seen.center[2] + seen.size[2] / 2,
    partial: false,
    weight: 1,
    ...change,
  };
}

const CUP = box([1, 2, 0.8], [0.1, 0.08, 0.12]);

describe('boxFromShapes', () => {
  it('is the box that all frames agree on', () => {
    const shapes = Array.from({ length: 10 }, () => shapeOf(CUP));
    const { center, size } = boxFromShapes(shapes);
    assertClose(center, CUP.center, 1e-9);
    assertClose(size, CUP.size, 1e-9);
  });

  it('is not swollen by a few frames that ran the thing together with its neighbour', () => {
    const swollen = box([1.1, 2, 0.8], [0.3, 0.08, 0.12]);
    const shapes = [swollen, CUP, CUP, swollen, CUP, CUP, CUP, swollen, CUP, CUP].map((seen) =>
      shapeOf(seen),
    );
    assertClose(boxFromShapes(shapes).size, CUP.size, 1e-9);
  });

  it('lets partial views count only while nothing better is known, and then joined', () => {
    const left = shapeOf(box([0.97, 2, 0.8], [0.04, 0.08, 0.12]), { partial: true });
    const right = shapeOf(box([1.03, 2, 0.8], [0.04, 0.08, 0.06]), { partial: true });
    const joined = boxFromShapes([left, right]);
    assertClose(joined.size, [0.1, 0.08, 0.12], 1e-9);
    assertClose(boxFromShapes([left, right, shapeOf(CUP)]).size, CUP.size, 1e-9);
  });

  it('is not swollen by a few partial views that ran the thing together with its neighbour', () => {
    const cut = shapeOf(CUP, { partial: true });
    const together = shapeOf(box([1.3, 2, 0.8], [0.7, 0.3, 0.12]), { partial: true });
    assertClose(boxFromShapes([cut, cut, together, cut, together, cut, cut]).size, CUP.size, 1e-9);
  });

  it('weighs frames by what they are worth', () => {
    const near = shapeOf(CUP, { weight: 10 });
    const far = [0, 1, 2, 3].map(() => shapeOf(box([1, 2, 0.8], [0.2, 0.2, 0.2]), { weight: 1 }));
    assertClose(boxFromShapes([near, ...far]).size, CUP.size, 1e-9);
  });

  it('turns the box as the thing is turned, to within its steps', () => {
    fc.assert(
      fc.property(fc.double({ min: -3.1, max: 3.1, noNaN: true }), (yaw) => {
        const turned: Box = { center: [1, 2, 0.8], size: [0.3, 0.1, 0.1], yaw };
        const fitted = boxFromShapes([shapeOf(turned), shapeOf(turned)]);
        assertClose(fitted.center, turned.center, 1e-6);
        // Yaw goes in steps of 5°: half a step off adds 0.3 m · sin 2.5° to the short side.
        assert.ok(Math.max(fitted.size[0], fitted.size[1]) < 0.306);
        assert.ok(Math.min(fitted.size[0], fitted.size[1]) < 0.114);
      }),
    );
  });

  it('lies between the smallest and the largest of what was seen, whatever that was', () => {
    const side = fc.double({ min: 0.02, max: 0.5, noNaN: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(side, side, side), { minLength: 1, maxLength: 24 }), (sizes) => {
        const fitted = boxFromShapes(sizes.map((size) => shapeOf(box([0, 0, 1], size))));
        const heights = sizes.map(([, , h]) => h);
        assert.ok(
          fitted.size[2] >= Math.min(...heights) - 1e-9 && fitted.size[2] <= Math.max(...heights) + 1e-9,
        );
        const reach = (axis: 0 | 1): number => Math.max(...sizes.map((size) => size[axis]));
        const area = fitted.size[0] * fitted.size[1];
        assert.ok(area > 0 && area <= reach(0) * reach(1) + 1e-9);
      }),
    );
  });
});

describe('LowQuantile', () => {
  it('is a given value that has the wanted share of the weight at or below it, and no more than needed', () => {
    const pair = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 1, max: 9 }));
    fc.assert(
      fc.property(
        fc.array(pair, { minLength: 1, maxLength: 20 }),
        fc.double({ min: 0.01, max: 1, noNaN: true }),
        (pairs, share) => {
          const values = pairs.map(([value]) => value);
          const weights = pairs.map(([, weight]) => weight);
          const total = weights.reduce((a, b) => a + b, 0);
          const weightWhere = (holds: (value: number) => boolean): number =>
            pairs.reduce((sum, [value, weight]) => sum + (holds(value) ? weight : 0), 0);
          const found = new LowQuantile(weights, share).of((k) => values[k]);
          assert.ok(values.includes(found));
          assert.ok(weightWhere((value) => value <= found) >= share * total - 1e-9);
          assert.ok(weightWhere((value) => value < found) < share * total);
        },
      ),
    );
  });
});

describe('withShape', () => {
  const full = Array.from({ length: SHAPES_KEPT }, (_, k) =>
    shapeOf(CUP, { weight: k + 1, partial: k === 3 }),
  );

  it('drops the oldest partial shape first, then the oldest', () => {
    const once = withShape(full, shapeOf(CUP, { weight: 100 }));
    assert.equal(once.length, SHAPES_KEPT);
    assert.ok(once.every(({ partial }) => !partial));
    const twice = withShape(once, shapeOf(CUP, { weight: 101 }));
    assert.equal(twice[0].weight, 2);
    assert.equal(twice.at(-1)?.weight, 101);
    assert.equal(full.length, SHAPES_KEPT, 'what was given is left as it was');
  });

  it('does not drop the new one, be it partial', () => {
    const whole = full.map((shape) => ({ ...shape, partial: false }));
    assert.equal(withShape(whole, shapeOf(CUP, { partial: true, weight: 7.5 })).at(-1)?.weight, 7.5);
  });
});
