import assert from 'node:assert/strict';
import fc from 'fast-check';
import { containsPoint } from '../../src/math/box.js';
import type { Box } from '../../src/math/types.js';
import { convexHull } from '../../src/perceive/convexHull.js';
import { fitBox, rectangleAt, smallestRectangle } from '../../src/perceive/fitBox.js';
import { assertClose } from '../fixtures/assertClose.js';

/** Boxes whose two sides differ enough for the yaw to mean something. */
const arbitraryOblong: fc.Arbitrary<Box> = fc
  .record({
    x: fc.double({ min: -5, max: 5, noNaN: true }),
    y: fc.double({ min: -5, max: 5, noNaN: true }),
    z: fc.double({ min: 0, max: 2, noNaN: true }),
    length: fc.double({ min: 0.1, max: 0.6, noNaN: true }),
    ratio: fc.double({ min: 0.3, max: 0.8, noNaN: true }),
    height: fc.double({ min: 0.02, max: 0.4, noNaN: true }),
    yaw: fc.double({ min: -3.1, max: 3.1, noNaN: true }),
  })
  .map(({ x, y, z, length, ratio, height, yaw }) => ({
    center: [x, y, z],
    size: [length, length * ratio, height],
    yaw,
  }));

/** Points of a lattice over the whole box. */
function latticeOf({ center, size, yaw }: Box, perSide = 14): Float32Array {
  const points: number[] = [];
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const steps = Array.from({ length: perSide }, (_, k) => k / (perSide - 1) - 0.5);
  for (const a of steps)
    for (const b of steps)
      for (const h of [-0.5, -0.25, 0, 0.25, 0.5]) {
        const x = a * size[0];
        const y = b * size[1];
        points.push(center[0] + c * x - s * y, center[1] + s * x + c * y, center[2] + h * size[2]);
      }
  return Float32Array.from(points);
}

/** The angle between two directions of a rectangle's sides, which repeat every quarter turn. */
function quarterTurnGap(a: number, b: number): number {
  const gap = (((a - b) % (Math.PI / 2)) + Math.PI / 2) % (Math.PI / 2);
  return Math.min(gap, Math.PI / 2 - gap);
}

describe('fitBox', () => {
  it('finds centre, size and turn of a box that is seen all over', () => {
    fc.assert(
      fc.property(arbitraryOblong, (box) => {
        const fitted = fitBox(latticeOf(box)).box;
        assertClose(fitted.center, box.center, 0.02 * box.size[0] + 1e-3);
        const [long, short] = [fitted.size[0], fitted.size[1]].sort((a, b) => b - a);
        assertClose([long, short], [box.size[0], box.size[1]], 0.08 * box.size[0]);
        assert.ok(Math.abs(fitted.size[2] - box.size[2]) < 1e-3);
        assert.ok(quarterTurnGap(fitted.yaw, box.yaw) < 0.12, `yaw ${fitted.yaw}, true ${box.yaw}`);
      }),
      { numRuns: 60 },
    );
  });

  it('is not swollen by a few strays', () => {
    const box: Box = { center: [1, 2, 0.5], size: [0.3, 0.2, 0.1], yaw: 0.3 };
    const clean = latticeOf(box);
    const strays = [
      [2, 2, 0.5],
      [1, 3, 0.5],
      [1, 2, 1.9],
      [0.2, 1.1, 0.5],
    ].flat();
    const { box: fitted } = fitBox(Float32Array.from([...clean, ...strays]));
    assertClose(fitted.center, box.center, 0.01);
    assert.ok(Math.max(...fitted.size) < 0.32, `${fitted.size.join(' × ')}`);
  });

  it('gives a flat or single point a box of a millimetre rather than of nothing', () => {
    const { box } = fitBox(Float32Array.from([1, 2, 3]));
    assertClose(box.center, [1, 2, 3], 1e-6);
    assertClose(box.size, [0.001, 0.001, 0.001], 1e-9);
  });
});

describe('smallestRectangle', () => {
  const coordinate = fc.double({ min: -1, max: 1, noNaN: true });
  const hulls = fc
    .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 30 })
    .map((xy) => convexHull(xy.flat()))
    .filter((hull) => hull.length >= 6);

  it('holds the whole hull and is no larger than a rectangle of any other turn', () => {
    fc.assert(
      fc.property(hulls, fc.double({ min: 0, max: 1.57, noNaN: true }), (hull, yaw) => {
        const best = smallestRectangle(hull);
        const box: Box = {
          center: [best.cx, best.cy, 0],
          size: [best.length, best.width, 1],
          yaw: best.yaw,
        };
        for (let k = 0; k < hull.length; k += 2)
          assert.ok(containsPoint(box, [hull[k], hull[k + 1], 0], 1e-9));
        const other = rectangleAt(hull, yaw);
        assert.ok(best.length * best.width <= other.length * other.width + 1e-8);
      }),
    );
  });
});
