import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CellRaster } from '../../../src/perceive/CellRaster.js';
import { claimCells, type LevelClaim } from '../../../src/perceive/claimCells.js';
import type { CloudGrid } from '../../../src/perceive/CloudGrid.js';
import { HeightSurface, setSurface } from '../../../src/perceive/HeightSurface.js';
import { SMALL, randomFrom, roughGrid, roughPicture } from '../../fixtures/roughPicture.js';

const CELL = 0.05;
const INLIER_M = 0.012;

function upwardCells({ width, nz }: CloudGrid): number[] {
  return [...nz.keys()].filter(
    (i) => (i % width) % 2 === 0 && Math.floor(i / width) % 2 === 0 && nz[i] > 0.85,
  );
}

/** Column and row of each point, counted from the snapped corner of the raster around all of them. */
function places(
  grid: CloudGrid,
  cells: readonly number[],
  size: number,
): { columns: number[]; rows: number[] } {
  const along = (of: Float32Array): number[] => {
    const corner = Math.floor(Math.min(...cells.map((i) => of[i])) / size) * size;
    return cells.map((i) => Math.floor((of[i] - corner) / size));
  };
  return { columns: along(grid.x), rows: along(grid.y) };
}

/** Groups of cells whose squares touch by sides or corners, those with the lowest and leftmost square first. */
function touching(grid: CloudGrid, cells: readonly number[], size: number): number[][] {
  const { columns, rows } = places(grid, cells, size);
  const groupOf = cells.map((_, k) => k);
  for (let changed = true; changed;) {
    changed = false;
    for (let a = 0; a < cells.length; a++)
      for (let b = 0; b < cells.length; b++) {
        const isNear = Math.abs(columns[a] - columns[b]) <= 1 && Math.abs(rows[a] - rows[b]) <= 1;
        if (!isNear || groupOf[a] <= groupOf[b]) continue;
        groupOf[a] = groupOf[b];
        changed = true;
      }
  }
  const members = [...new Set(groupOf)].map((group) => [...cells.keys()].filter((k) => groupOf[k] === group));
  const first = (ks: number[]): number => Math.min(...ks.map((k) => rows[k] * 1e4 + columns[k]));
  return members.sort((a, b) => first(a) - first(b)).map((ks) => ks.map((k) => cells[k]));
}

const heights = fc.double({ min: -3, max: 3, noNaN: true });
const tilts = fc.double({ min: -0.05, max: 0.05, noNaN: true });

describe('the kernels of level surfaces', () => {
  it('part what faces up near a height into patches that touch', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), (picture) => {
        const grid = roughGrid(picture);
        const upward = upwardCells(grid);
        assert.equal(grid.kernels.findUpward(), upward.length);
        const z = upward.length === 0 ? 0 : grid.z[upward[upward.length >> 1]];
        const near = upward.filter((i) => Math.abs(grid.z[i] - z) < 0.025 + 2 * grid.sigma[i]);
        const count = grid.kernels.findPatches(z, 3);
        const { patches, table } = grid.lists;
        const found = Array.from({ length: count }, (_, k) => [
          ...patches.subarray(table[2 * k], table[2 * k] + table[2 * k + 1]),
        ]);
        const expected = near.length < 3 ? [] : touching(grid, near, 2 * CELL);
        assert.deepEqual(
          found,
          expected.filter((patch) => patch.length >= 3),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('sum up the area that faces up by height', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), (picture) => {
        const grid = roughGrid(picture);
        grid.kernels.findUpward();
        const place = grid.kernels.heightHistogram(0.01);
        const [first, bins] = grid.lists.numbers;
        const areas = [...new Float64Array(grid.kernels.memory.buffer, place, bins)];
        const expected = new Map<number, number>();
        for (const i of upwardCells(grid)) {
          const bin = Math.round(grid.z[i] / 0.01);
          expected.set(bin, (expected.get(bin) ?? 0) + 4 * grid.area[i]);
        }
        const filled = areas.flatMap((area, k): [number, number][] => (area > 0 ? [[first + k, area]] : []));
        assert.deepEqual(
          filled,
          [...expected].sort(([a], [b]) => a - b),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('keep of a patch what lies on a surface, and grow its extent by one square to every side', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), heights, tilts, (picture, height, tilt) => {
        const grid = roughGrid(picture);
        const { kernels, lists } = grid;
        const cells = [...grid.depth.keys()].filter((i) => grid.depth[i] > 0);
        const surface = new HeightSurface(0.1, -0.2, [height, tilt, -tilt, 0.3, 0.2, -0.1]);
        const isOn = (i: number): boolean =>
          Math.abs(grid.z[i] - surface.heightAt(grid.x[i], grid.y[i])) <=
          Math.max(INLIER_M, 3 * grid.sigma[i]);
        const expected = cells.filter(isOn);
        lists.patches.set(cells);
        setSurface(kernels, surface);
        const count = kernels.surfaceInliers(lists.patches.byteOffset, cells.length, INLIER_M, 1);
        assert.deepEqual([...lists.found.subarray(0, count)], expected);
        if (count === 0) return;
        const [minA, minB, columns, rows, , place] = lists.numbers;
        const grown = new Uint8Array(kernels.memory.buffer, place, columns * rows).slice();
        const raster = new CellRaster(CELL, minA, minB, columns, rows);
        for (const i of expected) raster.occupied[raster.cellAt(grid.x[i], grid.y[i])] = 1;
        const wanted = [...raster.occupied.keys()].filter((cell) => isNextToOccupied(raster, cell));
        assert.deepEqual(
          [...grown.keys()].filter((cell) => grown[cell] === 1),
          wanted,
        );
        assert.equal(Math.abs(minA / CELL - Math.round(minA / CELL)) < 1e-6, true, 'snapped');
      }),
      { numRuns: 60 },
    );
  });

  it('claim the free cells that the rules name, for any surface, extent and outlines', () => {
    fc.assert(
      fc.property(
        roughPicture(SMALL),
        fc.integer({ min: 1, max: 1e9 }),
        tilts,
        fc.integer({ min: 0, max: 3 }),
        (picture, seed, tilt, outlines) => {
          const grid = roughGrid(picture);
          const claim = anyClaim(grid, randomFrom(seed), tilt, outlines);
          grid.owner.forEach((_, i) => (grid.owner[i] = i % 5 === 0 ? 7 : 0));
          const expected = [...grid.depth.keys()].filter((i) => belongs(grid, claim, i));
          const [cells] = claimCells(grid, [claim], 3, INLIER_M);
          assert.deepEqual([...cells], expected);
          const owned = [...grid.owner.keys()].filter((i) => grid.owner[i] === 3);
          assert.deepEqual(owned, expected);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function isNextToOccupied({ columns, rows, occupied }: CellRaster, cell: number): boolean {
  const [column, row] = [cell % columns, Math.floor(cell / columns)];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++)
    for (let c = Math.max(0, column - 1); c <= Math.min(columns - 1, column + 1); c++)
      if (occupied[r * columns + c] === 1) return true;
  return false;
}

/** A claim at the height of one of the cells, with rasters that are occupied at random. */
function anyClaim(grid: CloudGrid, random: () => number, tilt: number, outlines: number): LevelClaim {
  const measured = [...grid.depth.keys()].filter((i) => grid.depth[i] > 0);
  const i = measured[Math.floor(random() * measured.length)] ?? 0;
  const z = grid.z[i];
  const raster = (): CellRaster => {
    const [left, front] = [grid.x[i] - random(), grid.y[i] - random()];
    const covering = CellRaster.covering(
      0.05 + random() / 10,
      left,
      front,
      left + 2 * random(),
      front + 2 * random(),
    );
    covering.occupied.forEach((_, cell) => (covering.occupied[cell] = random() < 0.7 ? 1 : 0));
    return covering;
  };
  return {
    plane: {
      surface: new HeightSurface(grid.x[i], grid.y[i], [z, tilt, -tilt, tilt / 2, tilt, 0]),
      extent: raster(),
      z,
    },
    outlines: Array.from({ length: outlines }, () => {
      const outlineZ = z + 0.1 * (random() - 0.5);
      const level = { z: outlineZ, minX: 0, minY: 0, maxX: 0, maxY: 0 };
      return { level, z: outlineZ, raster: raster() };
    }),
  };
}

function belongs(grid: CloudGrid, { plane, outlines }: LevelClaim, i: number): boolean {
  if (grid.depth[i] === 0 || grid.owner[i] !== 0) return false;
  const [x, y, z, sigma] = [grid.x[i], grid.y[i], grid.z[i], grid.sigma[i]];
  if (Math.abs(z - plane.z) > 0.08) return false;
  const isLevel = (above: number, inlierM: number): boolean =>
    above < Math.max(inlierM, 3 * sigma) && above > -Math.max(0.03, 5 * sigma);
  if (plane.extent.has(x, y)) return isLevel(z - plane.surface.heightAt(x, y), INLIER_M);
  const outline = outlines.find(({ raster }) => raster.has(x, y));
  return outline !== undefined && isLevel(z - outline.z, 2 * INLIER_M);
}
