import assert from 'node:assert/strict';
import fc from 'fast-check';
import { rotationMatrix } from '../../../src/math/quaternion.js';
import { RUN_CELLS } from '../../../src/perceive/CellRuns.js';
import { CloudBuffers } from '../../../src/perceive/CloudBuffers.js';
import { buildCloudGrid, type CloudGrid } from '../../../src/perceive/CloudGrid.js';
import { depthSigma } from '../../../src/perceive/depthNoise.js';
import { MAX_RANGE_M, MIN_RANGE_M, SMALL, roughGrid, roughPicture } from '../../fixtures/roughPicture.js';
import type { RoughPicture } from '../../fixtures/roughPicture.js';

/** The whole readings of the nearest surface in a cell's block of pixels, averaged; 0 without any. */
function thinned(
  { image: { width, depthM } }: RoughPicture,
  { stride }: CloudGrid,
  u: number,
  v: number,
): number {
  const readings: number[] = [];
  for (let row = v * stride; row < (v + 1) * stride; row++)
    for (let column = u * stride; column < (u + 1) * stride; column++)
      readings.push(depthM[row * width + column]);
  const usable = readings.filter((d) => d >= MIN_RANGE_M && d <= MAX_RANGE_M);
  if (usable.length === 0) return 0;
  const nearest = Math.min(...usable);
  const same = usable.filter((d) => d <= nearest + Math.max(0.01, 4 * depthSigma(nearest)));
  return Math.fround(same.reduce((sum, d) => sum + d, 0) / same.length);
}

/** The normal and the area of a cell of even row and column, from the points. */
function normalOf(grid: CloudGrid, u: number, v: number): number[] {
  const { width, height, depth, sigma, cellAngle, origin } = grid;
  const i = v * width + u;
  const d = depth[i];
  const flat = Math.fround(cellAngle * cellAngle * d * d);
  const jump = Math.max(0.03, 6 * sigma[i]) + 3 * cellAngle * d;
  const pointAt = (column: number, row: number): number[] => {
    const k = row * width + column;
    const isInside = column >= 0 && column < width && row >= 0 && row < height;
    const isSame = isInside && depth[k] !== 0 && Math.abs(depth[k] - d) < jump;
    return [grid.x, grid.y, grid.z].map((of) => of[isSame ? k : i]).concat(isSame ? 1 : 0);
  };
  const [right, left, down, up] = [
    pointAt(u + 3, v),
    pointAt(u - 3, v),
    pointAt(u, v + 3),
    pointAt(u, v - 3),
  ];
  if (d === 0 || right[3] + left[3] === 0 || down[3] + up[3] === 0) return [0, 0, 0, flat];
  const [ax, ay, az] = right.map((c, k) => c - left[k]);
  const [bx, by, bz] = down.map((c, k) => c - up[k]);
  const c = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
  const length = Math.sqrt(c[0] * c[0] + c[1] * c[1] + c[2] * c[2]);
  if (length < 1e-12) return [0, 0, 0, flat];
  const view = [origin[0] - grid.x[i], origin[1] - grid.y[i], origin[2] - grid.z[i]];
  const facing = c[0] * view[0] + c[1] * view[1] + c[2] * view[2];
  const distance = Math.sqrt(view[0] * view[0] + view[1] * view[1] + view[2] * view[2]);
  const scale = facing < 0 ? -1 / length : 1 / length;
  const cosine = Math.max(0.08, Math.abs(facing) / (length * distance));
  return [...c.map((component) => Math.fround(component * scale)), Math.fround(flat / cosine)];
}

function checkCells(picture: RoughPicture, grid: CloudGrid): void {
  const { width, height, depth, stride } = grid;
  const { camera, map_T_depth } = picture;
  const r = rotationMatrix(map_T_depth.rotation);
  const [tx, ty, tz] = map_T_depth.translation;
  const middle = (stride - 1) / 2;
  for (let i = 0; i < depth.length; i++) {
    const [u, v] = [i % width, Math.floor(i / width)];
    const d = thinned(picture, grid, u, v);
    assert.equal(depth[i], d, `depth of cell ${u}, ${v}`);
    const a = Math.fround((u * stride + middle - camera.cx) / camera.fx) * d;
    const b = Math.fround((v * stride + middle - camera.cy) / camera.fy) * d;
    const point =
      d === 0
        ? [0, 0, 0, 0]
        : [
            r[0] * a + r[1] * b + r[2] * d + tx,
            r[3] * a + r[4] * b + r[5] * d + ty,
            r[6] * a + r[7] * b + r[8] * d + tz,
            depthSigma(d),
          ];
    assert.deepEqual([grid.x[i], grid.y[i], grid.z[i], grid.sigma[i]], point.map(Math.fround));
    const [evenU, evenV] = [u - (u % 2), v - (v % 2)];
    const isHole = d === 0;
    const normal = isHole ? [0, 0, 0, 0] : normalOf(grid, evenU, evenV);
    const found = [grid.nx[i], grid.ny[i], grid.nz[i], grid.area[i]];
    assert.deepEqual(
      found.map((n) => n + 0),
      normal.map((n) => n + 0),
      `normal of cell ${u}, ${v}`,
    );
  }
  assert.equal(height * width, depth.length);
}

function checkRuns({ depth, runs, x, y, z, sigma }: CloudGrid): void {
  for (let run = 0; run < runs.minX.length; run++) {
    const cells = [...depth.keys()].slice(run * RUN_CELLS, (run + 1) * RUN_CELLS).filter((i) => depth[i] > 0);
    const bounds = [x, y, z].flatMap((of) =>
      [Math.min, Math.max].map((most) => most(...cells.map((i) => of[i]))),
    );
    const { minX, maxX, minY, maxY, minZ, maxZ } = runs;
    assert.deepEqual(
      [minX, maxX, minY, maxY, minZ, maxZ].map((of) => of[run] + 0),
      bounds.map((bound) => bound + 0),
    );
    assert.equal(runs.maxSigma[run], Math.max(0, ...cells.map((i) => sigma[i])));
  }
}

describe('the kernels of the cloud', () => {
  it('give every cell what the plain formulas give, for any picture', () => {
    fc.assert(
      fc.property(roughPicture(SMALL), (picture) => {
        const grid = roughGrid(picture);
        checkCells(picture, grid);
        checkRuns(grid);
      }),
      { numRuns: 60 },
    );
  });

  it('give it for pictures that are thinned, whatever is left over at their edges', () => {
    const sizes = fc.tuple(fc.integer({ min: 321, max: 963 }), fc.integer({ min: 1, max: 11 }));
    fc.assert(
      fc.property(roughPicture(sizes), (picture) => checkCells(picture, roughGrid(picture))),
      { numRuns: 30 },
    );
  });

  it('leave nothing of one picture in the next, of whatever sizes they are', () => {
    fc.assert(
      fc.property(fc.array(roughPicture(SMALL), { minLength: 2, maxLength: 4 }), (pictures) => {
        const buffers = new CloudBuffers();
        for (const picture of pictures) {
          const { image, camera, map_T_depth } = picture;
          const grid = buildCloudGrid(image, camera, map_T_depth, MIN_RANGE_M, MAX_RANGE_M, buffers);
          checkCells(picture, grid);
          checkRuns(grid);
          assert.ok(grid.owner.every((id) => id === 0));
          grid.owner.fill(1);
        }
      }),
      { numRuns: 30 },
    );
  });
});
