import assert from 'node:assert/strict';
import { buildCloudGrid, type CloudGrid } from '../../src/perceive/CloudGrid.js';
import {
  findUprightPlanes,
  type KnownUpright,
  type UprightPlanes,
} from '../../src/perceive/uprightPlanes.js';
import type { Thing } from '../../src/simulate/Scene.js';
import { at, carton } from '../../src/simulate/things.js';
import { defaultPerception, tableLook, type Look } from '../fixtures/tableLook.js';

const UPRIGHTS = defaultPerception().uprights;
const GREY = [
  [150, 150, 150],
  [90, 90, 90],
] as const;

function gridFor(things: readonly Thing[], look: Look): CloudGrid {
  const { depth, depthCamera, map_T_depth } = tableLook(things, look).frame;
  return buildCloudGrid(depth, depthCamera, map_T_depth, 0.15, 6);
}

function find(grid: CloudGrid, known: readonly KnownUpright[] = []): UprightPlanes & { owner: Int16Array } {
  return { ...findUprightPlanes(grid, 5, known, UPRIGHTS), owner: grid.owner };
}

/** The room's walls lie 2 m from the map's origin; normals point into the room. */
function isWallAt(plane: { normalX: number; normalY: number; d: number }, nx: number, ny: number): boolean {
  return plane.normalX * nx + plane.normalY * ny > 0.999 && Math.abs(plane.d - 2) < 0.02;
}

describe('findUprightPlanes', () => {
  // the camera looks into the corner:   ┌───north───┐
  //                                     │      ↗    east
  it('finds both walls of a corner where they are, free side first', () => {
    for (const isNoisy of [false, true]) {
      const { walls, owner } = find(gridFor([], { from: [0, 0, 1.4], target: [2, 2, 1.2], isNoisy }));
      assert.equal(walls.length, 2);
      const north = walls.findIndex((wall) => isWallAt(wall, 0, -1));
      const east = walls.findIndex((wall) => isWallAt(wall, -1, 0));
      assert.ok(north >= 0 && east >= 0, JSON.stringify(walls.map(({ indices: _, ...plane }) => plane)));
      walls.forEach((wall, k) => wall.indices.forEach((i) => assert.equal(owner[i], 5 + k)));
      const claimed = owner.reduce((sum, id) => sum + (id > 0 ? 1 : 0), 0);
      assert.ok(claimed > 0.6 * owner.length, `${claimed} of ${owner.length} cells`);
    }
  });

  it('sees no wall where there is none', () => {
    const { walls, strips } = find(gridFor([], { target: [0, -0.3, 0] }));
    assert.deepEqual(walls, []);
    assert.deepEqual(strips, []);
  });

  // A cabinet's front of 0.55 m²: too small for a wall, large enough to be followed.
  it('reports the front of a cabinet as a strip and leaves it to things', () => {
    const cabinet = carton('cabinet', at(0, 1.3, 0), [0.7, 0.4, 0.8], GREY);
    const look = { from: [0, 0, 1.2], target: [0, 1.1, 0.4] } as const;
    const grid = gridFor([cabinet], look);
    const { walls, strips, owner } = find(grid);
    const front = strips.find(({ normalY, d }) => normalY < -0.999 && Math.abs(d - 1.1) < 0.01);
    assert.ok(front, JSON.stringify({ walls: walls.length, strips: strips.length }));
    assert.ok(Math.abs(front.area - 0.56) < 0.15, `${front.area} m²`);
    for (const i of front.indices) assert.equal(owner[i], 0);
  });

  it('does not take a screen before a wall for the beginning of another wall', () => {
    const screen = carton('screen', at(0, 1.75, 0), [0.9, 0.1, 0.9], GREY);
    const { walls, strips } = find(gridFor([screen], { from: [0, 0.2, 1.5], target: [0, 1.9, 0.9] }));
    assert.ok(walls.some((wall) => isWallAt(wall, 0, -1)));
    assert.deepEqual(strips, []);
  });

  it('finds a known wall again on a quarter of the surface', () => {
    const look = { from: [0, 0, 1.4], target: [0, 2, 1.3] } as const;
    const grid = gridFor([], look);
    // A curtain of missing depth: only 0.4 m² of the wall is left to be seen.
    for (let i = 0; i < grid.depth.length; i++)
      if (Math.abs(grid.x[i]) > 0.25 || Math.abs(grid.z[i] - 1.3) > 0.4) grid.depth[i] = 0;
    assert.deepEqual(find(grid).walls, []);
    const known = { normalX: 0, normalY: -1, d: 2, minAlong: -2, maxAlong: 2, minZ: 0, maxZ: 2.5 };
    const { walls } = find(grid, [known]);
    assert.equal(walls.length, 1);
    assert.ok(isWallAt(walls[0], 0, -1));
  });
});
