import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CellRaster, rasterAround } from '../../src/perceive/CellRaster.js';

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

/** A raster of 10 cm cells; `map` has one character per cell, # occupied, y upwards from the last line. */
function drawn(map: readonly string[]): CellRaster {
  const raster = new CellRaster(0.1, 0, 0, map[0].length * 0.1, map.length * 0.1);
  map.forEach((line, row) =>
    [...line].forEach((sign, column) => {
      if (sign === '#') raster.add((column + 0.5) * 0.1, (map.length - row - 0.5) * 0.1);
    }),
  );
  return raster;
}

describe('CellRaster', () => {
  it('has what was added, also at its limits, and knows each place by a cell around it', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 1, maxLength: 30 }), (points) => {
        const a = Float32Array.from(points, ([x]) => x);
        const b = Float32Array.from(points, ([, y]) => y);
        const raster = rasterAround(
          a,
          b,
          points.map((_, k) => k),
          0.05,
        );
        points.forEach((_, k) => raster.add(a[k], b[k]));
        points.forEach((_, k) => {
          assert.ok(raster.has(a[k], b[k]));
          const isAround = (x: number, y: number): boolean =>
            Math.abs(x - a[k]) < 0.0251 && Math.abs(y - b[k]) < 0.0251;
          assert.ok(raster.some(isAround));
        });
        const cells = new Set(points.map((_, k) => raster.cellAt(a[k], b[k])));
        assert.equal(centresOf(raster).length, cells.size);
      }),
    );
  });

  it('is empty outside, and adding there does nothing', () => {
    const raster = new CellRaster(0.1, 0, 0, 1, 1);
    for (const [a, b] of [
      [-0.2, 0.5],
      [0.5, -0.2],
      [1.3, 0.5],
      [0.5, 1.3],
    ]) {
      assert.equal(raster.cellAt(a, b), -1);
      raster.add(a, b);
      assert.equal(raster.has(a, b), false);
    }
    assert.deepEqual(centresOf(raster), []);
  });

  it('gives the same place the same cell in every frame', () => {
    const frames = [
      [0.31, 0.9],
      [0.02, 1.4],
    ].map(([low, high]) =>
      rasterAround(Float32Array.of(low, high), Float32Array.of(low, high), [0, 1], 0.05),
    );
    const [one, other] = frames.map((raster) => {
      raster.add(0.7, 0.7);
      return centresOf(raster)[0];
    });
    assert.ok(Math.hypot(one[0] - other[0], one[1] - other[1]) < 1e-6, `${one.join()} and ${other.join()}`);
  });

  it('fills the cells whose middle passes a test', () => {
    const raster = new CellRaster(0.1, 0, 0, 1, 1);
    raster.fill((a, b) => a > 0 && a < 0.5 && b > 0 && b < 0.3);
    assert.equal(centresOf(raster).length, 15);
    assert.ok(raster.has(0.45, 0.25) && !raster.has(0.55, 0.25));
  });

  it('joins cells by sides and corners, and nothing else', () => {
    assert.equal(drawn(['##..', '..#.', '....', '#..#']).components().count, 3);
  });

  it('does not join the end of one row with the beginning of the next', () => {
    const raster = new CellRaster(1, 0, 0, 2, 2);
    raster.occupied[raster.columns - 1] = 1;
    raster.occupied[raster.columns] = 1;
    assert.equal(raster.components().count, 2);
    raster.dilate();
    const grown = [...raster.occupied.keys()].filter((cell) => raster.occupied[cell] === 1);
    const { columns } = raster;
    const [last, first] = [columns - 2, 0];
    assert.deepEqual(
      grown,
      [first, first + 1, last, last + 1]
        .concat([first, first + 1, last, last + 1].map((cell) => cell + columns))
        .concat([2 * columns, 2 * columns + 1]),
    );
  });

  it('grows by exactly one cell to every side', () => {
    const raster = drawn(['.....', '.....', '..#..', '.....', '.....']);
    raster.dilate();
    assert.equal(centresOf(raster).length, 9);
    raster.dilate();
    assert.equal(centresOf(raster).length, 25);
  });
});
