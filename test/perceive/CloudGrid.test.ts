import assert from 'node:assert/strict';
import fc from 'fast-check';
import { metresOf } from '../../src/camera/metresOf.js';
import type { DepthImage } from '../../src/camera/RgbdFrame.js';
import { composeTransforms } from '../../src/math/rigidTransform.js';
import { quatFromAxisAngle, quatFromYaw, rotationMatrix } from '../../src/math/quaternion.js';
import type { RigidTransform } from '../../src/math/types.js';
import { RUN_CELLS } from '../../src/perceive/CellRuns.js';
import { CloudBuffers } from '../../src/perceive/CloudBuffers.js';
import { buildCloudGrid, gridStride } from '../../src/perceive/CloudGrid.js';
import { cameraLink_T_optical } from '../../src/simulate/RobotMotion.js';
import { pinhole } from '../../src/simulate/pinhole.js';
import { assertClose } from '../fixtures/assertClose.js';
import { cellAt, downPicture, gridOf } from '../fixtures/heightField.js';

const CAMERA = pinhole(128, 96, 0.9);

/** Depth along the axis of the floor z = 0 for each pixel; every ray must meet it. */
function floorDepth(map_T_depth: RigidTransform): Float32Array {
  const r = rotationMatrix(map_T_depth.rotation);
  const depthM = new Float32Array(CAMERA.width * CAMERA.height);
  for (let i = 0; i < depthM.length; i++) {
    const x = ((i % CAMERA.width) - CAMERA.cx) / CAMERA.fx;
    const y = (Math.floor(i / CAMERA.width) - CAMERA.cy) / CAMERA.fy;
    depthM[i] = -map_T_depth.translation[2] / (r[6] * x + r[7] * y + r[8]);
  }
  return depthM;
}

/** A camera anywhere, turned anyhow about the vertical and tilted down far enough to see nothing but floor. */
const lookingDown = fc
  .record({
    x: fc.double({ min: -30, max: 30, noNaN: true }),
    y: fc.double({ min: -30, max: 30, noNaN: true }),
    z: fc.double({ min: 0.6, max: 1.8, noNaN: true }),
    yaw: fc.double({ min: -3.1, max: 3.1, noNaN: true }),
    pitch: fc.double({ min: 0.95, max: 1.5, noNaN: true }),
    roll: fc.constantFrom(0, Math.PI, 0.1),
  })
  .map(({ x, y, z, yaw, pitch, roll }): RigidTransform => {
    const map_T_link = composeTransforms(
      { translation: [x, y, z], rotation: quatFromYaw(yaw) },
      { translation: [0, 0, 0], rotation: quatFromAxisAngle([0, 1, 0], pitch) },
    );
    const rolled = { translation: [0, 0, 0], rotation: quatFromAxisAngle([0, 0, 1], roll) } as const;
    return composeTransforms(composeTransforms(map_T_link, cameraLink_T_optical([0, 0, 0])), rolled);
  });

describe('buildCloudGrid', () => {
  it('bounds the points of each run of cells, closely, wherever the camera is', () => {
    fc.assert(
      fc.property(lookingDown, fc.integer({ min: 0, max: 3 }), (map_T_depth, holes) => {
        const depthM = floorDepth(map_T_depth).map((d, i) => (i % 4 < holes ? NaN : d));
        const grid = buildCloudGrid({ width: 128, height: 96, depthM }, CAMERA, map_T_depth, 0.15, 60);
        const { runs, depth, sigma } = grid;
        const sides = [
          { of: grid.x, least: runs.minX, most: runs.maxX },
          { of: grid.y, least: runs.minY, most: runs.maxY },
          { of: grid.z, least: runs.minZ, most: runs.maxZ },
        ];
        for (let run = 0; run < runs.minX.length; run++) {
          const cells = Array.from({ length: RUN_CELLS }, (_, k) => run * RUN_CELLS + k);
          const measured = cells.filter((i) => depth[i] > 0);
          for (const { of, least, most } of sides) {
            const low = Math.min(...measured.map((i) => of[i]));
            const high = Math.max(...measured.map((i) => of[i]));
            assert.ok(least[run] <= low && least[run] > low - 1e-3, `${least[run]} below ${low}`);
            assert.ok(most[run] >= high && most[run] < high + 1e-3, `${most[run]} above ${high}`);
          }
          assert.ok(measured.every((i) => sigma[i] <= runs.maxSigma[run]));
        }
      }),
      { numRuns: 30 },
    );
  });

  it('has bounds that nothing meets for a run without a measurement', () => {
    const depthM = new Float32Array(128 * 96).fill(NaN);
    const pose = { translation: [5, -3, 1], rotation: [0, 0, 0, 1] } as const;
    const { runs } = buildCloudGrid({ width: 128, height: 96, depthM }, CAMERA, pose, 0.15, 60);
    for (let run = 0; run < runs.minX.length; run++)
      assert.ok(runs.minX[run] > runs.maxX[run] && runs.minY[run] > runs.maxY[run] && runs.minZ[run] > 1e3);
  });

  it('puts a known plane where it is, facing the camera, from any pose', () => {
    fc.assert(
      fc.property(lookingDown, (map_T_depth) => {
        const image = { width: 128, height: 96, depthM: floorDepth(map_T_depth) };
        const grid = buildCloudGrid(image, CAMERA, map_T_depth, 0.15, 60);
        for (let i = 0; i < grid.depth.length; i++) {
          assert.ok(Math.abs(grid.z[i]) < 1e-4, `point ${i} at z ${grid.z[i]}`);
          // Single precision 30 m from the map's origin leaves about 2 µm to points 3 cm apart.
          assertClose([grid.nx[i], grid.ny[i], grid.nz[i]], [0, 0, 1], 2e-3);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('gives cells areas that add up to the surface they cover', () => {
    fc.assert(
      fc.property(lookingDown, (map_T_depth) => {
        const image = { width: 128, height: 96, depthM: floorDepth(map_T_depth) };
        const grid = buildCloudGrid(image, CAMERA, map_T_depth, 0.15, 60);
        const r = rotationMatrix(map_T_depth.rotation);
        const groundOf = (u: number, v: number): [number, number] => {
          const x = (u - CAMERA.cx) / CAMERA.fx;
          const y = (v - CAMERA.cy) / CAMERA.fy;
          const d = -map_T_depth.translation[2] / (r[6] * x + r[7] * y + r[8]);
          return [(r[0] * x + r[1] * y + r[2]) * d, (r[3] * x + r[4] * y + r[5]) * d];
        };
        const corners = [
          groundOf(-0.5, -0.5),
          groundOf(127.5, -0.5),
          groundOf(127.5, 95.5),
          groundOf(-0.5, 95.5),
        ];
        let doubled = 0;
        corners.forEach(([x, y], k) => {
          const [nextX, nextY] = corners[(k + 1) % 4];
          doubled += x * nextY - nextX * y;
        });
        const covered = Math.abs(doubled) / 2;
        const sum = grid.area.reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(sum / covered - 1) < 0.1, `${sum} m² of ${covered} m²`);
      }),
      { numRuns: 40 },
    );
  });

  it('brings every size of picture to at most 320×240 by whole strides', () => {
    assert.deepEqual(
      [
        [320, 240],
        [321, 240],
        [640, 480],
        [640, 360],
        [848, 480],
        [1280, 720],
      ].map(([w, h]) => gridStride(w, h)),
      [1, 2, 2, 2, 3, 4],
    );
    const grid = gridOf(downPicture(() => 0, { size: [1280, 720] }));
    assert.deepEqual([grid.width, grid.height, grid.stride], [320, 180, 4]);
  });

  it('puts a cell in the middle of its block of pixels, at every stride', () => {
    for (const size of [
      [320, 240],
      [640, 480],
      [1280, 960],
    ] as const) {
      const grid = gridOf(downPicture(() => 0, { eyeZ: 1, size }));
      const columns = Array.from({ length: grid.width }, (_, u) => grid.x[u]);
      const camera = pinhole(size[0], size[1], 1.05);
      const expected = columns.map((_, u) => ((u + 0.5) * grid.stride - 0.5 - camera.cx) / camera.fx);
      assertClose(columns, expected, 1e-6);
    }
  });

  // near │far     a 2×2 block at the edge holds both; the cell shows one of them, never the air between
  it('never mixes two surfaces within one cell, and takes the nearer', () => {
    const width = 640;
    const depthM = new Float32Array(width * 480).map((_, i) => (i % width < 301 ? 1 : 2));
    const grid = buildCloudGrid(
      { width, height: 480, depthM },
      pinhole(width, 480, 1.05),
      { translation: [0, 0, 0], rotation: [0, 0, 0, 1] },
      0.15,
      6,
    );
    for (let i = 0; i < grid.depth.length; i++)
      assert.equal(grid.depth[i], i % grid.width <= 150 ? 1 : 2, `column ${i % grid.width}`);
  });

  it('averages the noise of one surface within a cell', () => {
    const readings = [1, 1.004, 1.002, 1.006];
    const depthM = new Float32Array(640 * 480).map(
      (_, i) => readings[(i % 2) + 2 * (Math.floor(i / 640) % 2)],
    );
    const camera = pinhole(640, 480, 1.05);
    const pose = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
    const grid = buildCloudGrid({ width: 640, height: 480, depthM }, camera, pose, 0.15, 6);
    assertClose(grid.depth, new Float32Array(grid.depth.length).fill(1.003), 1e-6);
  });

  it('C01 takes millimetres for the metres that they are, to the last bit, in pictures of any size', () => {
    const words = fc.oneof(
      fc.constant(0),
      fc.integer({ min: 1, max: 65_535 }),
      fc.integer({ min: 300, max: 6000 }),
    );
    const sizes = fc.tuple(fc.integer({ min: 1, max: 23 }), fc.integer({ min: 1, max: 9 }));
    const pictures = sizes.chain(([width, height]) =>
      fc.record({
        width: fc.constant(width),
        height: fc.constant(height),
        depthMm: fc
          .array(words, { minLength: width * height, maxLength: width * height })
          .map((readings) => Uint16Array.from(readings)),
      }),
    );
    const buffers = new CloudBuffers();
    fc.assert(
      fc.property(pictures, fc.constantFrom(0, 0.15), (image, minRange) => {
        const { camera, map_T_depth } = downPicture(() => 0, { eyeZ: 1, size: [image.width, image.height] });
        const { width, height } = image;
        const cloud = (picture: DepthImage): Float32Array =>
          buildCloudGrid(picture, camera, map_T_depth, minRange, 70, buffers).depth.slice();
        assert.deepEqual(cloud(image), cloud({ width, height, depthM: metresOf(image) }));
      }),
    );
  });

  it('lets nothing in that is no measurement, and gives no normal there', () => {
    const unusable = fc.constantFrom(NaN, 0, -1, Infinity, -Infinity, 0.1, 6.5);
    fc.assert(
      fc.property(fc.array(unusable, { minLength: 4, maxLength: 4 }), fc.boolean(), (block, oneGood) => {
        const { image, camera, map_T_depth } = downPicture(() => 0, { eyeZ: 1, size: [640, 480] });
        const depthM = image.depthM.slice();
        const corner = 200 * 640 + 300;
        [corner, corner + 1, corner + 640, corner + 641].forEach((pixel, k) => (depthM[pixel] = block[k]));
        if (oneGood) depthM[corner + 1] = 1;
        const grid = buildCloudGrid({ ...image, depthM }, camera, map_T_depth, 0.15, 6);
        const cell = 100 * grid.width + 150;
        assert.equal(grid.depth[cell], oneGood ? 1 : 0);
        assert.ok(grid.depth.every((d) => d === 0 || Math.abs(d - 1) < 1e-6));
        if (oneGood) return;
        for (const values of [grid.x, grid.y, grid.z, grid.nx, grid.ny, grid.nz, grid.area, grid.sigma])
          assert.equal(values[cell], 0);
      }),
      { numRuns: 25 },
    );
  });

  it('bends no normal across a step: each side keeps its own', () => {
    const grid = gridOf(downPicture((x) => (x > 0 ? 0.3 : 0)));
    for (const x of [-0.02, -0.01, 0.02, 0.03]) {
      const i = cellAt(grid, x, 0.1, x > 0 ? 0.3 : 0);
      assert.ok(grid.nz[i] > 0.999, `nz ${grid.nz[i]} at x ${x}`);
    }
  });
});
