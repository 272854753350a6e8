import assert from 'node:assert/strict';
import { rayTable } from '../../src/camera/PinholeCamera.js';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { rotationMatrix } from '../../src/math/quaternion.js';
import { composeTransforms, invertTransform } from '../../src/math/rigidTransform.js';
import { makeBench } from '../fixtures/assemble.js';
import { framesOf } from '../fixtures/framesOf.js';
import { buildCloudGrid } from '../../src/perceive/CloudGrid.js';
import { cellPixels } from '../../src/perceive/cellPixels.js';
import { requireData } from '../fixtures/requireData.js';
import { metresOf } from '../../src/camera/metresOf.js';

/** Heights in the map of each eighth depth pixel. */
function heightsOf({ depth, depthCamera, map_T_depth }: RgbdFrame): number[] {
  const rays = rayTable(depthCamera);
  const m = rotationMatrix(map_T_depth.rotation);
  const heights: number[] = [];
  const depthM = metresOf(depth);
  for (let index = 0; index < depthM.length; index += 8) {
    const z = depthM[index];
    if (!(z > 0)) continue;
    heights.push(m[6] * rays.x[index] * z + m[7] * rays.y[index] * z + m[8] * z + map_T_depth.translation[2]);
  }
  return heights;
}

describe('frames of real recordings', () => {
  it('come out complete, with the table where the recording’s makers measured it', async function () {
    const path = requireData(this, 'desk_7scenes_short.mcap');
    const bench = makeBench();
    let points = 0;
    let onTable = 0;
    for await (const frame of framesOf(path, bench)) {
      assert.ok(frame.color && frame.map_T_base && frame.color.image.width === 640);
      for (const z of heightsOf(frame)) {
        points++;
        if (Math.abs(z - 0.7) < 0.01) onTable++;
      }
    }
    assert.deepEqual(bench.assembler.counters.frames, { in: 94, used: 94, dropped: {} });
    assert.deepEqual(bench.reports, []);
    // Its README tells of 29 % of all points within a centimetre of z = 0.70.
    const share = onTable / points;
    assert.ok(share > 0.26 && share < 0.32, `${(100 * share).toFixed(1)} % of the points`);
  });

  it('C17 put unregistered depth into the colour picture through TF', async function () {
    const path = requireData(this, 'desk_7scenes_unregistered.mcap');
    const bench = makeBench();
    for await (const { depth, depthCamera, map_T_depth, color } of framesOf(path, bench)) {
      assert.ok(color);
      assert.notEqual(depthCamera.fx, color.camera.fx);
      const color_T_depth = composeTransforms(invertTransform(color.map_T_color), map_T_depth);
      const [x] = color_T_depth.translation;
      assert.ok(Math.abs(x) > 0.01 && Math.abs(x) < 0.05, `baseline ${x}`);
      if (bench.assembler.counters.frames.used > 1) continue;
      const grid = buildCloudGrid(depth, depthCamera, map_T_depth, 0.1, 10);
      const shown = cellPixels(grid, color).u.filter((u) => u >= 0).length;
      assert.ok(shown > 0.7 * grid.depth.filter((z) => z > 0).length);
    }
    assert.deepEqual(bench.assembler.counters.frames, { in: 60, used: 60, dropped: {} });
  });
});
