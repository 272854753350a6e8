import assert from 'node:assert/strict';
import { findLevelPlanes, type KnownLevel, type LevelPlane } from '../../src/perceive/horizontalPlanes.js';
import { buildCloudGrid, type CloudGrid } from '../../src/perceive/CloudGrid.js';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { shelf } from '../../src/simulate/furniture.js';
import { at, book, carton } from '../../src/simulate/things.js';
import { defaultPerception, tableLook, TABLE_Z } from '../fixtures/tableLook.js';
import { cellAt, downPicture, gridOf, inRectangle } from '../fixtures/heightField.js';

const LEVELS = defaultPerception().levels;

function gridOfFrame({ depth, depthCamera, map_T_depth }: RgbdFrame): CloudGrid {
  return buildCloudGrid(depth, depthCamera, map_T_depth, 0.15, 6);
}

interface Found {
  readonly planes: readonly LevelPlane[];
  readonly strips: readonly LevelPlane[];
  readonly owner: Int16Array;
}

function find(grid: CloudGrid, known: readonly KnownLevel[] = []): Found {
  return { ...findLevelPlanes(grid, 1, known, LEVELS), owner: grid.owner };
}

function heights({ planes }: Found): number[] {
  return planes.map(({ z }) => Math.round(z * 100) / 100 + 0).sort((a, b) => a - b);
}

/** Share of a thing's cells that went to level surfaces. */
function claimedShare(owner: Int16Array, instances: Uint16Array, id: number): number {
  let all = 0;
  let claimed = 0;
  instances.forEach((instance, i) => {
    if (instance !== id) return;
    all++;
    if (owner[i] > 0) claimed++;
  });
  return claimed / all;
}

describe('findLevelPlanes', () => {
  it('finds table and floor at their heights, with and without noise', () => {
    for (const isNoisy of [false, true]) {
      const found = find(gridOfFrame(tableLook([], { isNoisy }).frame));
      const table = found.planes.find(({ z }) => Math.abs(z - TABLE_Z) < 0.005);
      assert.ok(table, `heights ${heights(found).join(' ')}`);
      assert.ok(Math.abs(table.area - 1.2) < 0.35, `${table.area} m²`);
      assert.ok(found.planes.some(({ z }) => Math.abs(z) < 0.01));
      assert.ok(found.planes.every(({ z }) => Math.abs(z) < 0.02 || Math.abs(z - TABLE_Z) < 0.01));
    }
  });

  it('gives the table what is the table’s and things nothing of theirs but their foot', () => {
    const things = [
      book('book', at(0.2, 0, TABLE_Z, 0.4), [0.22, 0.16, 0.036], [40, 70, 120]),
      carton(
        'carton',
        at(-0.3, 0.05, TABLE_Z, 0.5),
        [0.25, 0.2, 0.15],
        [
          [226, 176, 52],
          [190, 48, 40],
        ],
      ),
    ];
    const { frame, truth } = tableLook(things, { isNoisy: true });
    const { owner } = find(gridOfFrame(frame));
    const share = (id: string): number => claimedShare(owner, truth.instances, truth.ids.indexOf(id) + 1);
    assert.ok(share('table') > 0.85, `table ${share('table')}`);
    assert.ok(share('book') < 0.2, `book ${share('book')}`);
    assert.ok(share('carton') < 0.15, `carton ${share('carton')}`);
  });

  // seen from above:  ┌───────────┐ table
  //                   │  ┌────┐   │ a lid of 0.16 m² 10 cm above it: an object's top
  //                   └──└────┘───┘
  it('takes a smaller surface right above a larger one for an object’s top, however far the lid', () => {
    for (const height of [0.03, 0.1, 0.25]) {
      const lid = [0, 0, 0.4, 0.4] as const;
      const grid = gridOf(downPicture((x, y) => (inRectangle(x, y, lid) ? height : 0)));
      const found = find(grid);
      assert.deepEqual(heights(found), [0], `lid at ${height}`);
      assert.deepEqual(found.strips, []);
      assert.equal(found.owner[cellAt(grid, 0, 0, height)], 0);
    }
  });

  it('finds the boards of a shelf, one above the other', () => {
    const boards = [0.42, 0.78, 1.12];
    const rack = shelf('shelf', at(0, 1.8, 0), [1.2, 0.32, 1.5], boards, {
      kind: 'wood',
      color: [150, 112, 76],
    });
    for (const isNoisy of [false, true]) {
      const look = { from: [0, 0.45, 1.75], target: [0, 1.8, 0.9], isNoisy } as const;
      const found = find(gridOfFrame(tableLook([rack], look).frame));
      const seen = [...found.planes, ...found.strips];
      for (const z of [0.78, 1.12])
        assert.ok(
          seen.some((plane) => Math.abs(plane.z - z) < 0.01),
          `board ${z} among ${seen.map((plane) => plane.z.toFixed(3)).join(' ')}`,
        );
    }
  });

  it('reports a small surface with nothing under it as a strip and leaves its cells to things', () => {
    const strip = [0, 0, 0.3, 0.22] as const;
    const grid = gridOf(downPicture((x, y) => (inRectangle(x, y, strip) ? 0 : NaN)));
    const found = find(grid);
    assert.deepEqual(found.planes, []);
    assert.equal(found.strips.length, 1);
    assert.ok(found.owner.every((id) => id === 0));
  });

  it('does not fit a slope or a staircase of noise', () => {
    assert.deepEqual(find(gridOf(downPicture((x) => 0.3 * x))).planes, []);
  });

  describe('with what is known from before', () => {
    const known: KnownLevel = {
      z: 0,
      minX: -0.5,
      maxX: 0.5,
      minY: -0.4,
      maxY: 0.4,
      hull: [-0.5, -0.4, 0.5, -0.4, 0.5, 0.4, -0.5, 0.4],
    };

    it('finds a known surface again on a quarter of the evidence', () => {
      const corner = [0.3, 0.2, 0.16, 0.12] as const;
      const grid = gridOf(downPicture((x, y) => (inRectangle(x, y, corner) ? 0 : NaN)));
      assert.deepEqual(find(grid).planes, []);
      const { planes, owner } = find(grid, [known]);
      assert.equal(planes.length, 1);
      assert.equal(planes[0].isRecalled, false);
      assert.equal(owner[cellAt(grid, 0.3, 0.2)], 1);
    });

    it('claims the little that is seen of a known surface without measuring it', () => {
      const scrap = [0.3, 0.2, 0.03, 0.03] as const;
      const thing = [0, 0, 0.2, 0.2] as const;
      const heightAt = (x: number, y: number): number =>
        inRectangle(x, y, scrap) ? 0.002 : inRectangle(x, y, thing) ? 0.06 : NaN;
      const grid = gridOf(downPicture(heightAt));
      const { planes, owner } = find(grid, [known]);
      const recalled = planes.find((plane) => plane.isRecalled);
      assert.ok(recalled);
      assert.equal(recalled.z, 0);
      const id = owner[cellAt(grid, 0.3, 0.2)];
      assert.ok(id > 0, 'the scrap of the surface');
      assert.equal(owner[cellAt(grid, 0, 0, 0.06)], 0, 'the thing on it');
    });

    it('does not reach beyond the known outline', () => {
      const scraps = [
        [0.3, 0.2, 0.03, 0.03],
        [-0.6, 0.2, 0.03, 0.03],
      ] as const;
      const seen = (x: number, y: number): boolean => scraps.some((scrap) => inRectangle(x, y, scrap));
      const grid = gridOf(downPicture((x, y) => (seen(x, y) ? 0 : NaN), { eyeZ: 1.4 }));
      const { owner } = find(grid, [known]);
      assert.ok(owner[cellAt(grid, 0.3, 0.2)] > 0);
      assert.equal(owner[cellAt(grid, -0.6, 0.2)], 0);
    });

    it('keeps two known surfaces of one height two', () => {
      const right = { ...known, minX: 0.2, hull: [0.2, -0.4, 0.5, -0.4, 0.5, 0.4, 0.2, 0.4] };
      const left = { ...known, maxX: -0.2, hull: [-0.5, -0.4, -0.2, -0.4, -0.2, 0.4, -0.5, 0.4] };
      const seen = (x: number, y: number): boolean =>
        inRectangle(x, y, [0.35, 0, 0.3, 0.8]) || inRectangle(x, y, [-0.35, 0, 0.06, 0.06]);
      const grid = gridOf(downPicture((x, y) => (seen(x, y) ? 0 : NaN), { eyeZ: 1.4 }));
      const { planes, owner } = find(grid, [right, left]);
      const measured = planes.filter((plane) => !plane.isRecalled);
      assert.equal(measured.length, 1);
      for (const i of measured[0].indices)
        assert.ok(grid.x[i] > 0, 'what is seen of the other one is not its');
      assert.ok(owner[cellAt(grid, -0.35, 0)] > 0, 'but it is the other one’s');
    });
  });
});
