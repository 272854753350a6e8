import assert from 'node:assert/strict';
import fc from 'fast-check';
import { projectPoint, unprojectPixel, type PinholeCamera } from '../../src/camera/PinholeCamera.js';
import { projectPoints } from '../../src/camera/projectPoints.js';
import { registerDepth } from '../../src/camera/registerDepth.js';
import type { DepthImage } from '../../src/camera/RgbdFrame.js';
import { quatFromAxisAngle } from '../../src/math/quaternion.js';
import { IDENTITY_TRANSFORM, transformPoint } from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import { arbitraryTransform, arbitraryVec3 } from '../fixtures/arbitraries.js';
import { assertClose } from '../fixtures/assertClose.js';

const pinhole = { distortionModel: '', D: [] };
const DEPTH: PinholeCamera = { ...pinhole, width: 848, height: 480, fx: 425, fy: 425, cx: 423.5, cy: 239.5 };
const COLOR: PinholeCamera = { ...pinhole, width: 1280, height: 720, fx: 910, fy: 910, cx: 639.5, cy: 359.5 };
const BASELINE: RigidTransform = { translation: [-0.015, 0, 0], rotation: [0, 0, 0, 1] };

function flat({ width, height }: PinholeCamera, z: number): DepthImage {
  return { width, height, depthM: new Float32Array(width * height).fill(z) };
}

function depthAt(image: DepthImage, u: number, v: number): number {
  return image.depthM[v * image.width + u] ?? NaN;
}

describe('registerDepth', () => {
  it('C16 finds the depth of colour pixel (1200, 700) through both models, to a centimetre', () => {
    const registered = registerDepth(flat(DEPTH, 1), DEPTH, COLOR, BASELINE);
    assert.deepEqual([registered.width, registered.height], [1280, 720]);
    const z = depthAt(registered, 1200, 700);
    assertClose(unprojectPixel(COLOR, [1200, 700], z), [(1200 - 639.5) / 910, (700 - 359.5) / 910, 1], 0.01);
  });

  it('C16 leaves no holes where the finer colour camera sees what depth measured, and survives every corner', () => {
    const tilted: RigidTransform = {
      translation: [-0.015, 0.002, 0],
      rotation: quatFromAxisAngle([1, 0, 0], 0.01),
    };
    const registered = registerDepth(flat(DEPTH, 1), DEPTH, COLOR, tilted);
    const holes = registered.depthM.filter((z) => Number.isNaN(z)).length;
    assert.equal(holes, 0, 'the depth camera sees a wider field, so all of the colour picture is covered');
  });

  it('C16 serves depth of half the resolution with the same field of view', () => {
    const half = { ...DEPTH, width: 424, height: 240, fx: 212.5, fy: 212.5, cx: 211.5, cy: 119.5 };
    const registered = registerDepth(flat(half, 2), half, COLOR, BASELINE);
    assert.equal(depthAt(registered, 1200, 700), 2);
    assert.equal(registered.depthM.filter((z) => Number.isNaN(z)).length, 0);
  });

  // Seen from above, 50 mm between the cameras:   wall at 2 m  ─────────────
  //                                               post at 0.5 m      ▉
  //                                                              D   C
  it('C17 moves a near thing further than the background, and puts it in front', () => {
    const depth = flat(DEPTH, 2);
    const centre = projectPoint(DEPTH, [0, 0, 0.5]);
    assert.ok(centre);
    for (let v = 200; v < 280; v++) depth.depthM.fill(0.5, v * 848 + 400, v * 848 + 448);
    const registered = registerDepth(depth, DEPTH, COLOR, { ...BASELINE, translation: [-0.05, 0, 0] });
    const moved = projectPoint(
      COLOR,
      transformPoint({ ...BASELINE, translation: [-0.05, 0, 0] }, [0, 0, 0.5]),
    );
    assert.ok(moved);
    assert.equal(depthAt(registered, Math.round(moved[0]), Math.round(moved[1])), 0.5);
    // Where identity would have looked for it there is the wall, or nothing was seen.
    assert.notEqual(depthAt(registered, Math.round(COLOR.cx), Math.round(COLOR.cy)), 0.5);
  });

  it('keeps the nearer of two surfaces that fall on one pixel, in whichever order they come', () => {
    const small: PinholeCamera = { ...pinhole, width: 4, height: 1, fx: 4, fy: 4, cx: 1.5, cy: 0 };
    const one: PinholeCamera = { ...pinhole, width: 1, height: 1, fx: 1, fy: 1, cx: 0, cy: 0 };
    for (const depths of [
      [1, 2, 3, 4],
      [4, 3, 2, 1],
      [NaN, 3, 1, NaN],
    ]) {
      const depth = { width: 4, height: 1, depthM: Float32Array.from(depths) };
      const registered = registerDepth(depth, small, one, IDENTITY_TRANSFORM);
      assert.equal(registered.depthM[0], 1);
    }
  });

  it('gives back the same picture for the same camera', () => {
    const depth = flat(DEPTH, 1);
    for (let index = 0; index < depth.depthM.length; index += 3) depth.depthM[index] = NaN;
    const registered = registerDepth(depth, DEPTH, DEPTH, IDENTITY_TRANSFORM);
    const wrong = registered.depthM.findIndex((z, index) => !Object.is(z, depth.depthM[index]));
    assert.equal(wrong, -1);
  });

  it('draws nothing for what lies behind the colour camera', () => {
    const behind: RigidTransform = {
      translation: [0, 0, 0],
      rotation: quatFromAxisAngle([0, 1, 0], Math.PI),
    };
    const registered = registerDepth(flat(DEPTH, 1), DEPTH, COLOR, behind);
    assert.ok(registered.depthM.every(Number.isNaN));
  });
});

describe('projectPoints', () => {
  it('agrees with projecting one by one, with and without distortion', () => {
    const distorted = { ...COLOR, distortionModel: 'plumb_bob', D: [0.1, -0.2, 0.001, 0.002, 0.05] };
    fc.assert(
      fc.property(
        arbitraryTransform(),
        fc.array(arbitraryVec3(3), { maxLength: 5 }),
        (camera_T_f, points) => {
          for (const camera of [COLOR, distorted]) {
            const { pixels, depthM } = projectPoints(camera, camera_T_f, points.flat());
            for (const [index, point] of points.entries()) {
              const inCamera = transformPoint(camera_T_f, point);
              // Near the camera's plane pixels run to infinity and single precision with them.
              if (Math.abs(inCamera[2]) < 1) continue;
              const pixel = projectPoint(camera, inCamera);
              if (!pixel) {
                assert.ok(Number.isNaN(pixels[2 * index]) && Number.isNaN(depthM[index]));
                continue;
              }
              const size = 1 + Math.abs(pixel[0]) + Math.abs(pixel[1]);
              assertClose(pixels.subarray(2 * index, 2 * index + 2), pixel, 1e-6 * size);
              assertClose([depthM[index] ?? NaN], [inCamera[2]], 1e-5);
            }
          }
        },
      ),
    );
  });
});
