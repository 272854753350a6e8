import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { CloudGrid } from '../../../src/perceive/CloudGrid.js';
import { SMALL, roughGrid, roughPicture } from '../../fixtures/roughPicture.js';

/** A wall through a cell of the cloud, in any direction, with any reach. */
const walls = fc.record({
  direction: fc.double({ min: -3.2, max: 3.2, noNaN: true }),
  through: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  reach: fc.constantFrom(0.2, 1, Infinity),
});

function wallOf(
  grid: CloudGrid,
  { direction, through, reach }: { direction: number; through: number; reach: number },
): { normalX: number; normalY: number; d: number; reach: number } {
  const i = Math.floor(through * grid.depth.length);
  const [normalX, normalY] = [Math.cos(direction), Math.sin(direction)];
  return { normalX, normalY, d: -(normalX * grid.x[i] + normalY * grid.y[i]), reach };
}

describe('the kernels of upright planes', () => {
  it('find the free cells near a plane that face as it does or have no normal, within its reach', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), walls, (picture, choice) => {
        const grid = roughGrid(picture);
        const { normalX, normalY, d, reach } = wallOf(grid, choice);
        const { depth, owner, x, y, z, nx, ny, nz, sigma } = grid;
        owner.forEach((_, i) => (owner[i] = i % 3 === 0 ? 1 : 0));
        const expected = [...depth.keys()].filter((i) => {
          const along = -normalY * x[i] + normalX * y[i];
          const isNear = Math.abs(normalX * x[i] + normalY * y[i] + d) <= Math.max(0.03, 3 * sigma[i]);
          const hasNormal = nx[i] !== 0 || ny[i] !== 0 || nz[i] !== 0;
          const faces = !hasNormal || nx[i] * normalX + ny[i] * normalY >= 0.5;
          const isWithin = along > -reach && along < reach && z[i] > -reach && z[i] < reach;
          return depth[i] > 0 && owner[i] === 0 && isNear && faces && isWithin;
        });
        const { kernels, lists } = grid;
        const count = kernels.wallInliers(
          normalX,
          normalY,
          d,
          normalX,
          normalY,
          -reach,
          reach,
          -reach,
          reach,
        );
        assert.deepEqual([...lists.found.subarray(0, count)], expected);
        const area = kernels.ownFound(count, 9);
        assert.equal(
          area,
          expected.reduce((sum, i) => sum + grid.area[i], 0),
        );
        assert.deepEqual(
          [...owner.keys()].filter((i) => owner[i] === 9),
          expected,
        );
      }),
      { numRuns: 100 },
    );
  });

  it('say what faces a direction, and how far away most of it is', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), fc.integer({ min: 0, max: 71 }), (picture, direction) => {
        const grid = roughGrid(picture);
        const { kernels, lists, width, nx, ny, area, x, y } = grid;
        kernels.findUpright();
        const binOf = (i: number): number =>
          Math.floor(((Math.atan2(ny[i], nx[i]) + Math.PI) / (2 * Math.PI)) * 72) % 72;
        const upright = [...nx.keys()].filter(
          (i) =>
            (i % width) % 2 === 0 && Math.floor(i / width) % 2 === 0 && nx[i] * nx[i] + ny[i] * ny[i] > 0.85,
        );
        const areas = new Array<number>(72).fill(0);
        for (const i of upright) areas[binOf(i)] += area[i];
        kernels.directionHistogram();
        assert.deepEqual([...lists.numbers.subarray(0, 72)], areas);
        const facing = upright.filter((i) => [0, 1, 2, 70, 71].includes((binOf(i) - direction + 72) % 72));
        const count = kernels.findFacing(direction);
        assert.deepEqual([...lists.found.subarray(0, count)], facing);
        const bins = new Map<number, number>();
        for (const i of facing) {
          const bin = Math.round((0.6 * x[i] + 0.8 * y[i]) / 0.05);
          bins.set(bin, (bins.get(bin) ?? 0) + 4 * area[i]);
        }
        const around = (bin: number): number =>
          (bins.get(bin - 1) ?? 0) + (bins.get(bin) ?? 0) + (bins.get(bin + 1) ?? 0);
        const best = kernels.strongestDistance(count, 0.6, 0.8, 0, 0);
        assert.equal(
          best,
          Math.max(0, ...[...bins.keys()].flatMap((bin) => [bin - 1, bin, bin + 1]).map(around)),
        );
        if (count > 0) assert.equal(around(Math.round(lists.numbers[0] / 0.05)), best);
      }),
      { numRuns: 60 },
    );
  });

  it('tell pieces that are on a wall by the share of their cells', () => {
    fc.assert(
      fc.property(
        roughPicture(SMALL),
        walls,
        fc.double({ min: 0.1, max: 1, noNaN: true }),
        (picture, choice, share) => {
          const grid = roughGrid(picture);
          const { normalX, normalY, d, reach } = wallOf(grid, choice);
          const { depth, kernels, lists, x, y, z, sigma } = grid;
          const cells = [...depth.keys()].filter((i) => depth[i] > 0).slice(0, 149);
          if (cells.length === 0) return;
          lists.patches.set(cells);
          const on = cells.filter((i) => {
            const along = -normalY * x[i] + normalX * y[i];
            const isNear = Math.abs(normalX * x[i] + normalY * y[i] + d) <= Math.max(0.04, 4 * sigma[i]);
            return isNear && Math.abs(along) <= reach && Math.abs(z[i]) <= reach;
          });
          const found = kernels.isOnWall(
            ...([lists.patches.byteOffset, cells.length, share] as const),
            ...([normalX, normalY, d] as const),
            ...([-reach, reach, -reach, reach] as const),
          );
          assert.equal(found !== 0, on.length / cells.length >= share);
        },
      ),
      { numRuns: 100 },
    );
  });
});
