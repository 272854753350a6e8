import assert from 'node:assert/strict';
import fc from 'fast-check';
import { projectPoint, unprojectPixel, type PinholeCamera } from '../../src/camera/PinholeCamera.js';
import type { ColorView } from '../../src/camera/RgbdFrame.js';
import { quatFromAxisAngle } from '../../src/math/quaternion.js';
import { composeTransforms, invertTransform, transformPoint } from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import { cellPixels } from '../../src/perceive/cellPixels.js';
import { buildCloudGrid, type CloudGrid } from '../../src/perceive/CloudGrid.js';
import { assertClose } from '../fixtures/assertClose.js';

const pinhole = { distortionModel: '', D: [] };
const DEPTH: PinholeCamera = { ...pinhole, width: 212, height: 120, fx: 106, fy: 106, cx: 105.5, cy: 59.5 };
const COLOR: PinholeCamera = { ...pinhole, width: 1280, height: 720, fx: 910, fy: 910, cx: 639.5, cy: 359.5 };
const BENT: PinholeCamera = { ...COLOR, distortionModel: 'plumb_bob', D: [0.1, -0.05, 0.001, 0.002, 0.01] };
const map_T_depth: RigidTransform = {
  translation: [1, 2, 1.5],
  rotation: quatFromAxisAngle([1, 0, 0], -2),
};

/** The cloud of the depth camera, all of it `depthAt(u, v)` metres away. */
function cloud(depthAt: (u: number, v: number) => number): CloudGrid {
  const depthM = Float32Array.from({ length: 212 * 120 }, (_, i) => depthAt(i % 212, Math.floor(i / 212)));
  return buildCloudGrid({ width: 212, height: 120, depthM }, DEPTH, map_T_depth, 0.1, 10);
}

/** A colour camera that stands in the depth camera's frame as given. */
function colorView(depth_T_color: RigidTransform, camera = COLOR): ColorView {
  const image = { width: camera.width, height: camera.height, data: new Uint8Array(0) };
  return { image, camera, map_T_color: composeTransforms(map_T_depth, depth_T_color) };
}

const beside = (x: number): RigidTransform => ({ translation: [x, 0, 0], rotation: [0, 0, 0, 1] });

const small = fc.double({ min: -0.3, max: 0.3, noNaN: true });
/** Colour cameras within a hand's breadth of the depth camera, turned a little. */
const nearby = fc
  .record({ translation: fc.tuple(small, small, small), axis: fc.tuple(small, small), angle: small })
  .map(({ translation, axis: [x, y], angle }): RigidTransform => {
    const z = Math.sqrt(1 - x * x - y * y);
    return { translation, rotation: quatFromAxisAngle([x, y, z], angle) };
  });

describe('cellPixels', () => {
  it('C16 finds the pixel of each cell through both models, when both have another size and focal length', () => {
    const { u, v } = cellPixels(
      cloud(() => 1),
      colorView(beside(0.015)),
    );
    for (const [column, row] of [
      [106, 60],
      [40, 30],
      [170, 100],
    ]) {
      const [x, y, z] = unprojectPixel(DEPTH, [column, row], 1);
      const pixel = projectPoint(COLOR, [x - 0.015, y, z]);
      assert.ok(pixel);
      assertClose([u[row * 212 + column], v[row * 212 + column]], [...pixel], 0.02);
    }
  });

  it('C17 moves a near thing farther than the background', () => {
    const grid = cloud((column) => (column < 106 ? 0.5 : 2));
    const here = cellPixels(grid, colorView(beside(0)));
    const there = cellPixels(grid, colorView(beside(0.05)));
    const row = 60 * 212;
    assertClose([here.u[row + 100] - there.u[row + 100]], [(910 * 0.05) / 0.5], 0.05);
    assertClose([here.u[row + 110] - there.u[row + 110]], [(910 * 0.05) / 2], 0.05);
  });

  it('has no pixel for a hole, for what lies beside the colour picture or behind its camera', () => {
    const grid = cloud((column) => (column % 3 === 0 ? NaN : 1));
    const { u } = cellPixels(grid, colorView(beside(0)));
    for (let i = 0; i < u.length; i += 1) if (grid.depth[i] === 0) assert.equal(u[i], -1);
    const aside = cellPixels(grid, colorView(beside(3)));
    assert.ok(aside.u.every((column) => column === -1));
    const back: RigidTransform = { translation: [0, 0, 0], rotation: quatFromAxisAngle([0, 1, 0], Math.PI) };
    assert.ok(cellPixels(grid, colorView(back)).u.every((column) => column === -1));
  });

  it('agrees with projecting one by one, with and without distortion', () => {
    const grid = cloud((column, row) => 0.5 + column / 100 + row / 200);
    fc.assert(
      fc.property(nearby, fc.constantFrom(COLOR, BENT), fc.nat(), (pose, camera, pick) => {
        const view = colorView(pose, camera);
        const { u, v } = cellPixels(grid, view);
        const i = pick % u.length;
        const point = [grid.x[i], grid.y[i], grid.z[i]] as const;
        const pixel = projectPoint(camera, transformPoint(invertTransform(view.map_T_color), [...point]));
        const [column, row] = pixel ?? [NaN, NaN];
        const inside =
          column >= -0.5 && row >= -0.5 && column < camera.width - 0.5 && row < camera.height - 0.5;
        if (inside) assertClose([u[i], v[i]], [Math.max(0, column), Math.max(0, row)], 0.1);
        else assert.ok(u[i] === -1 || u[i] < 0.1 || v[i] < 0.1 || u[i] > camera.width - 1);
      }),
      { numRuns: 500 },
    );
  });
});
