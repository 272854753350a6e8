import assert from 'node:assert/strict';
import fc from 'fast-check';
import { gridOfPoints } from '../fixtures/gridOfPoints.js';
import { fitHeightSurface, solve, type HeightSurface } from '../../src/perceive/HeightSurface.js';
import { assertClose } from '../fixtures/assertClose.js';

type HeightAt = (x: number, y: number) => number;

/** A 20 × 20 lattice over 2 × 2 m. */
function lattice(
  heightAt: HeightAt,
  keep: (x: number, y: number) => boolean = () => true,
): [number, number, number][] {
  const points: [number, number, number][] = [];
  for (let a = 0; a < 20; a++)
    for (let b = 0; b < 20; b++) {
      const [x, y] = [a / 10 - 0.95, b / 10 - 0.95];
      if (keep(x, y)) points.push([x, y, heightAt(x, y)]);
    }
  return points;
}

/** The surface through points with equal noise figures. */
function fit(
  points: readonly [number, number, number][],
  quadratic: boolean,
  inlierM: number,
): HeightSurface | undefined {
  const grid = gridOfPoints(points);
  const { found } = grid.lists;
  points.forEach((_, k) => (found[k] = k));
  return fitHeightSurface(grid, { place: found.byteOffset, length: points.length }, quadratic, inlierM);
}

const slope = fc.double({ min: -0.08, max: 0.08, noNaN: true });
const bend = fc.double({ min: -0.02, max: 0.02, noNaN: true });

describe('fitHeightSurface', () => {
  it('finds the coefficients of a bent surface', () => {
    fc.assert(
      fc.property(slope, slope, bend, bend, bend, (a, b, c, d, e) => {
        const heightAt: HeightAt = (x, y) => 0.7 + a * x + b * y + c * x * x + d * x * y + e * y * y;
        const surface = fit(lattice(heightAt), true, 0.05);
        assert.ok(surface);
        for (const [x, y] of [
          [0, 0],
          [0.9, -0.9],
          [-0.4, 0.7],
        ])
          assert.ok(Math.abs(surface.heightAt(x, y) - heightAt(x, y)) < 1e-5);
        assertClose(surface.coefficients.slice(3), [c, d, e], 1e-5);
        assert.ok(Math.abs(surface.slope - Math.hypot(a, b)) < 1e-5);
      }),
      { numRuns: 50 },
    );
  });

  it('fits a plane where it is told to, and calls its bend zero', () => {
    const surface = fit(
      lattice((x) => 1 + 0.05 * x),
      false,
      0.05,
    );
    assert.deepEqual(surface?.coefficients.slice(3), [0, 0, 0]);
    assertClose([surface?.heightAt(0.5, 0.5) ?? NaN], [1.025], 1e-6);
  });

  it('is not lifted by a book that lies on it', () => {
    const isBook = (x: number, y: number): boolean => x > 0.3 && x < 0.9 && y > 0.3 && y < 0.9;
    const points = lattice((x, y) => (isBook(x, y) ? 0.03 : 0));
    const surface = fit(points, false, 0.012);
    assert.ok(surface);
    assert.ok(Math.abs(surface.heightAt(-0.5, -0.5)) < 0.002, `${surface.heightAt(-0.5, -0.5)}`);
  });

  it('says undefined when the points lie on one line, or are too few', () => {
    const onLine = lattice(
      () => 0,
      (x, y) => Math.abs(x - y) < 1e-9,
    );
    assert.equal(fit(onLine, false, 0.05), undefined);
    const few = onLine.slice(0, 5);
    assert.equal(fit(few, false, 0.05), undefined);
    const twoLines = lattice(
      () => 0,
      (_, y) => Math.abs(Math.abs(y) - 0.05) < 1e-6,
    );
    assert.equal(fit(twoLines, true, 0.05), undefined);
  });
});

describe('solve', () => {
  const number = fc.double({ min: -3, max: 3, noNaN: true });

  it('finds the x that was put in, also where pivots must be swapped', () => {
    fc.assert(
      fc.property(
        fc.array(number, { minLength: 9, maxLength: 9 }),
        fc.array(number, { minLength: 3, maxLength: 3 }),
        (m, x) => {
          // Strong on the anti-diagonal: never singular, and the first pivot may be zero.
          [m[2], m[4], m[6]] = [20, 20, 20];
          m[0] = 0;
          const right = Float64Array.from(
            [0, 1, 2],
            (r) => m[3 * r] * x[0] + m[3 * r + 1] * x[1] + m[3 * r + 2] * x[2],
          );
          assertClose(solve(Float64Array.from(m), right, 3) ?? [], x, 1e-9);
        },
      ),
    );
  });

  it('says undefined for a singular system and leaves its input alone', () => {
    const matrix = Float64Array.from([1, 2, 2, 4]);
    const right = Float64Array.from([1, 2]);
    assert.equal(solve(matrix, right, 2), undefined);
    assert.deepEqual([...matrix, ...right], [1, 2, 2, 4, 1, 2]);
  });
});
