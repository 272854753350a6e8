import assert from 'node:assert/strict';
import fc from 'fast-check';
import { convexHull } from '../../src/perceive/convexHull.js';

const coordinate = fc.double({ min: -5, max: 5, noNaN: true });
const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 60 });

/** Twice the area of the triangle from a hull edge to a point: positive on its left. */
function leftOf(hull: readonly number[], k: number, [x, y]: readonly [number, number]): number {
  const j = (k + 2) % hull.length;
  return (hull[j] - hull[k]) * (y - hull[k + 1]) - (hull[j + 1] - hull[k + 1]) * (x - hull[k]);
}

describe('convexHull', () => {
  it('holds every point and has only given points as corners, counter-clockwise', () => {
    fc.assert(
      fc.property(points, (xy) => {
        const hull = convexHull(xy.flat());
        const given = new Set(xy.map(([x, y]) => `${x} ${y}`));
        for (let k = 0; k < hull.length; k += 2) {
          assert.ok(given.has(`${hull[k]} ${hull[k + 1]}`));
          if (hull.length >= 6) for (const point of xy) assert.ok(leftOf(hull, k, point) >= -1e-9);
        }
      }),
    );
  });

  it('is the same for the hull itself and for any order of the points', () => {
    fc.assert(
      fc.property(points, (xy) => {
        const hull = convexHull(xy.flat());
        assert.deepEqual(convexHull([...xy].reverse().flat()), hull);
        assert.deepEqual(convexHull(hull), hull);
      }),
    );
  });

  it('leaves out points on its edges', () => {
    assert.deepEqual(convexHull([0, 0, 1, 0, 2, 0, 2, 2, 1, 1, 0, 2]), [0, 0, 2, 0, 2, 2, 0, 2]);
  });

  it('gives one or two points back as they are, and a line as its ends', () => {
    assert.deepEqual(convexHull([3, 4]), [3, 4]);
    assert.deepEqual(convexHull([3, 4, 1, 2]), [3, 4, 1, 2]);
    assert.deepEqual(convexHull([0, 0, 2, 2, 1, 1, 3, 3]), [0, 0, 3, 3]);
  });
});
