import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CellRaster } from '../../src/perceive/CellRaster.js';

/** Centres of the occupied cells. */
function centresOf(raster: CellRaster): [number, number][] {
  const centres: [number, number][] = [];
  raster.some((a, b) => {
    centres.push([a, b]);
    return false;
  });
  return centres;
}

const coordinate = fc.double({ min: -3, max: 3, noNaN: true });

function occupy(raster: CellRaster, a: number, b: number): void {
  raster.occupied[raster.cellAt(a, b)] = 1;
}

describe('CellRaster', () => {
  it('covers all that it shall, also at its limits, and knows each place by a cell around it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 30 }), (points) => {
        const a = points.map(([x]) => x);
        const b = points.map(([, y]) => y);
        const least = [Math.min(...a), Math.min(...b)] as const;
        const raster = CellRaster.covering(0.05, ...least, Math.max(...a), Math.max(...b));
        for (const [x, y] of points) occupy(raster, x, y);
        for (const [x, y] of points) {
          assert.ok(raster.has(x, y));
          assert.ok(
            raster.some(
              (middleX, middleY) => Math.abs(middleX - x) < 0.0251 && Math.abs(middleY - y) < 0.0251,
            ),
          );
        }
        const cells = new Set(points.map(([x, y]) => raster.cellAt(x, y)));
        assert.equal(centresOf(raster).length, cells.size);
      }),
    );
  });

  it('is empty outside', () => {
    const raster = CellRaster.covering(0.1, 0, 0, 1, 1);
    for (const [a, b] of [
      [-0.2, 0.5],
      [0.5, -0.2],
      [1.3, 0.5],
      [0.5, 1.3],
    ]) {
      assert.equal(raster.cellAt(a, b), -1);
      assert.equal(raster.has(a, b), false);
    }
    assert.deepEqual(centresOf(raster), []);
  });

  it('fills the cells whose middle passes a test', () => {
    const raster = CellRaster.covering(0.1, 0, 0, 1, 1);
    raster.fill((a, b) => a > 0 && a < 0.5 && b > 0 && b < 0.3);
    assert.equal(centresOf(raster).length, 15);
    assert.ok(raster.has(0.45, 0.25) && !raster.has(0.55, 0.25));
  });
});
