import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  pinholeFromInfo,
  projectPoint,
  rayTable,
  sameCamera,
  scaleCamera,
  unprojectPixel,
  type PinholeCamera,
} from '../../src/camera/PinholeCamera.js';
import type { CameraInfo } from '../../src/input/messages.js';
import { assertClose } from '../fixtures/assertClose.js';
import { goodInfo } from '../fixtures/goodPair.js';

function camera(change: Partial<CameraInfo> = {}): PinholeCamera {
  const result = pinholeFromInfo(goodInfo(change));
  assert.ok(result.ok);
  return result.value;
}

function cause(change: Partial<CameraInfo>): string {
  const result = pinholeFromInfo(goodInfo(change));
  return result.ok ? 'ok' : result.cause;
}

/** Of the size that consumer RGB-D colour cameras report. */
const DISTORTED = { D: [0.14, -0.42, 0.0012, -0.0007, 0.38] };

describe('pinholeFromInfo', () => {
  it('C14 refuses K that is all zero, K with only K[8], and K with NaN', () => {
    const zeros = Array<number>(9).fill(0);
    assert.equal(cause({ K: zeros }), 'no_intrinsics');
    assert.equal(cause({ K: [0, 0, 0, 0, 0, 0, 0, 0, 1] }), 'no_intrinsics');
    assert.equal(cause({ K: [NaN, 0, 31.5, 0, 60, 23.5, 0, 0, 1] }), 'no_intrinsics');
    assert.equal(cause({ K: [60, 0, 31.5, 0, Infinity, 23.5, 0, 0, 1] }), 'no_intrinsics');
    assert.equal(cause({ K: [] }), 'no_intrinsics');
  });

  it('C14 refuses focal lengths that no lens has beside the picture’s size, with the figures', () => {
    const focal = (fx: number, fy: number): Partial<CameraInfo> => ({
      K: [fx, 0, 31.5, 0, fy, 23.5, 0, 0, 1],
    });
    for (const [fx, fy] of [
      [6401, 60],
      [60, 4801],
      [0.63, 60],
      [60, 0.47],
      [1e300, 1e300],
    ] as const)
      assert.equal(cause(focal(fx, fy)), 'no_intrinsics', `${fx} ${fy}`);
    const refused = pinholeFromInfo(goodInfo(focal(6401, 60)));
    assert.match(refused.ok ? '' : refused.detail, /fx 6401, fy 60 for a picture of 64x48/);
    assert.equal(cause(focal(6400, 4800)), 'ok');
    assert.equal(cause(focal(0.64, 0.48)), 'ok');
  });

  it('C14 looks at focal lengths beside the picture when the info tells no size', () => {
    const sizeless = camera({ width: 0, height: 0, K: [6401, 0, 31.5, 0, 60, 23.5, 0, 0, 1] });
    const scaled = scaleCamera(sizeless, 64, 48);
    assert.ok(!scaled.ok && scaled.cause === 'no_intrinsics');
    assert.ok(scaleCamera(sizeless, 640, 480).ok);
  });

  it('C14 does not mind a zero R and P beside a good K', () => {
    const zeros = Array<number>(12).fill(0);
    assert.ok(sameCamera(camera({ R: zeros.slice(3), P: zeros }), camera()));
  });

  it('names a distortion model that it does not know, and accepts any whose coefficients are zero', () => {
    const unknown = pinholeFromInfo(goodInfo({ distortionModel: 'equidistant', D: [0.1, 0, 0, 0] }));
    assert.ok(!unknown.ok);
    assert.equal(unknown.cause, 'unsupported_distortion');
    assert.match(unknown.detail, /"equidistant"/);
    assert.equal(cause({ distortionModel: 'equidistant', D: [0, 0, 0, 0] }), 'ok');
    assert.equal(cause({ distortionModel: '', D: [] }), 'ok');
    assert.equal(cause({ D: [NaN, 0, 0, 0, 0] }), 'unsupported_distortion');
  });

  it('applies binning and region of interest', () => {
    const binned = camera({
      width: 640,
      height: 480,
      K: [500, 0, 320, 0, 510, 240, 0, 0, 1],
      binningX: 2,
      binningY: 2,
    });
    assertClose([binned.fx, binned.fy, binned.cx, binned.cy], [250, 255, 160, 120], 1e-12);
    assert.deepEqual([binned.width, binned.height], [320, 240]);
    const cut = camera({ roi: { xOffset: 10, yOffset: 4, width: 20, height: 16 } });
    assert.deepEqual([cut.width, cut.height, cut.cx, cut.cy], [20, 16, 21.5, 19.5]);
  });
});

describe('projection', () => {
  it('puts a point where the formula of CameraInfo puts it', () => {
    // Computed by hand from plumb_bob: x = 0.2, y = −0.1, r² = 0.05,
    // radial = 1 + 0.14·0.05 − 0.42·0.0025 + 0.38·0.000125 = 1.0059975,
    // x' = 0.2011995 + 2·0.0012·(−0.02) − 0.0007·(0.05 + 0.08) = 0.2010605,
    // y' = −0.10059975 + 0.0012·(0.05 + 0.02) + 2·(−0.0007)·(−0.02) = −0.10048775.
    const pixel = projectPoint(camera(DISTORTED), [0.4, -0.2, 2]);
    assert.ok(pixel);
    assertClose(pixel, [60 * 0.2010605 + 31.5, 60 * -0.10048775 + 23.5], 1e-9);
  });

  it('comes back to the same pixel, with and without distortion', () => {
    const inPicture = fc.record({
      u: fc.double({ min: 0, max: 63, noNaN: true }),
      v: fc.double({ min: 0, max: 47, noNaN: true }),
      z: fc.double({ min: 0.2, max: 8, noNaN: true }),
    });
    for (const one of [camera(), camera(DISTORTED)]) {
      fc.assert(
        fc.property(inPicture, ({ u, v, z }) => {
          const pixel = projectPoint(one, unprojectPixel(one, [u, v], z));
          assert.ok(pixel);
          assertClose(pixel, [u, v], 1e-5);
        }),
      );
    }
  });

  it('has no pixel for what lies behind the camera or in its centre', () => {
    assert.equal(projectPoint(camera(), [0, 0, -1]), undefined);
    assert.equal(projectPoint(camera(), [0, 0, 0]), undefined);
    assert.equal(projectPoint(camera(), [0, 0, NaN]), undefined);
  });

  it('gives the same rays in the table as one by one', () => {
    const one = camera(DISTORTED);
    const table = rayTable(one);
    const [x, y] = unprojectPixel(one, [63, 47], 1);
    assertClose([table.x[64 * 48 - 1] ?? NaN, table.y[64 * 48 - 1] ?? NaN], [x, y], 1e-7);
  });
});

describe('scaleCamera', () => {
  it('C16 serves a half-resolution image with the same field of view', () => {
    const half = scaleCamera(camera(), 32, 24);
    assert.ok(half.ok);
    const corner = projectPoint(camera(), [0.1, 0.1, 1]);
    const halfCorner = projectPoint(half.value, [0.1, 0.1, 1]);
    assert.ok(corner && halfCorner);
    assertClose(halfCorner, [(corner[0] + 0.5) / 2 - 0.5, (corner[1] + 0.5) / 2 - 0.5], 1e-12);
  });

  it('refuses another aspect ratio, with both sizes in the words', () => {
    const result = scaleCamera(camera(), 64, 36);
    assert.ok(!result.ok);
    assert.equal(result.cause, 'size_unlike_camera_info');
    assert.match(result.detail, /64x36.*64x48/);
  });

  it('takes the image’s size when the info names none', () => {
    const result = scaleCamera(camera({ width: 0, height: 0 }), 64, 48);
    assert.ok(result.ok && result.value.width === 64 && result.value.fx === 60);
  });
});
