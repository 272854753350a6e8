import assert from 'node:assert/strict';
import fc from 'fast-check';
import { intersectBox, intersectLathe, intersectSphere } from '../../src/simulate/intersect.js';

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`);

const coordinate = fc.double({ min: -0.9, max: 0.9, noNaN: true });
const direction = fc
  .tuple(coordinate, coordinate, coordinate)
  .filter(([x, y, z]) => Math.hypot(x, y, z) > 0.1);

describe('intersectBox', () => {
  it('gives the distance to the face that is hit head-on', () => {
    near(intersectBox(-3, 0.1, 0.2, 1, 0, 0, 0.5, 1, 1), 2.5);
    near(intersectBox(0.1, 0.2, 5, 0, 0, -2, 0.5, 1, 1.5), 1.75);
  });

  it('misses beside the box and behind the ray', () => {
    assert.equal(intersectBox(-3, 1.01, 0, 1, 0, 0, 0.5, 1, 1), Infinity);
    assert.equal(intersectBox(3, 0, 0, 1, 0, 0, 0.5, 1, 1), Infinity);
  });

  it('gives the exit from inside', () => near(intersectBox(0, 0, 0, 0, 1, 0, 0.5, 0.7, 1), 0.7));

  it('puts every hit on the surface', () => {
    fc.assert(
      fc.property(direction, fc.tuple(coordinate, coordinate, coordinate), ([dx, dy, dz], [tx, ty, tz]) => {
        // Aim at a point inside the unit cube from ten lengths away.
        const [ox, oy, oz] = [tx - 10 * dx, ty - 10 * dy, tz - 10 * dz];
        fc.pre(Math.max(Math.abs(ox), Math.abs(oy), Math.abs(oz)) > 1.01);
        const t = intersectBox(ox, oy, oz, dx, dy, dz, 1, 1, 1);
        const largest = Math.max(Math.abs(ox + t * dx), Math.abs(oy + t * dy), Math.abs(oz + t * dz));
        assert.ok(t < 10 && Math.abs(largest - 1) < 1e-9, `t ${t}, largest coordinate ${largest}`);
      }),
    );
  });
});

describe('intersectSphere', () => {
  it('follows the chord formula: entry at distance − √(r² − offset²)', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 0.99, noNaN: true }), (offset) =>
        near(intersectSphere(-4, offset, 0, 1, 0, 0, 1), 4 - Math.sqrt(1 - offset * offset)),
      ),
    );
  });

  it('misses when the ray passes further away than the radius', () =>
    assert.equal(intersectSphere(-4, 1.001, 0, 1, 0, 0, 1), Infinity));
});

describe('intersectLathe', () => {
  const cylinder = Float64Array.from([0, 0, 0.5, 0, 0.5, 2, 0, 2]);
  const cone = Float64Array.from([1, 0, 0, 1]);
  const cup = Float64Array.from([0, 0, 0.5, 0, 0.5, 1]);

  it('meets the side of a cylinder where a circle is met', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.49, max: 0.49, noNaN: true }), (y) =>
        near(intersectLathe(-3, y, 1, 1, 0, 0, cylinder), 3 - Math.sqrt(0.25 - y * y)),
      ),
    );
  });

  it('meets its lid and its bottom', () => {
    near(intersectLathe(0.2, 0.1, 5, 0, 0, -1, cylinder), 3);
    near(intersectLathe(0.2, 0.1, -1, 0, 0, 1, cylinder), 1);
    assert.equal(intersectLathe(0.51, 0, 5, 0, 0, -1, cylinder), Infinity);
  });

  it('meets a cone at the height that its slope says, not its mirror image above the tip', () => {
    near(intersectLathe(-3, 0, 0.25, 1, 0, 0, cone), 3 - 0.75);
    assert.equal(intersectLathe(-3, 0, 1.5, 1, 0, 0, cone), Infinity);
  });

  it('looks into an open cup: over the rim onto the far inner wall or the bottom', () => {
    near(intersectLathe(0, 0, 3, 0, 0, -1, cup), 3);
    // From x = −1 at z = 1.25, falling 0.5 per metre: over the rim (z = 1 at x = −0.5), far wall at x = 0.5, z = 0.5.
    near(intersectLathe(-1, 0, 1.26, 1, 0, -0.5, cup), 1.5);
  });
});
