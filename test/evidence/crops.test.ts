import assert from 'node:assert/strict';
import sharp from 'sharp';
import type { ColorImage, ColorView, RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { cropRect } from '../../src/evidence/cropRect.js';
import { cropOf, type Crop } from '../../src/evidence/cropOf.js';
import { encodeView } from '../../src/evidence/encodeView.js';
import type { Vec3 } from '../../src/math/types.js';
import type { PixelRect } from '../../src/perceive/observations.js';
import { pinhole } from '../../src/simulate/pinhole.js';
import { SeededRandom } from '../../src/simulate/SeededRandom.js';

const RECT: PixelRect = { u0: 100, v0: 80, u1: 160, v1: 120 };

/** A frame with its colour camera `offset` metres aside, `width` pixels wide. */
function frameWith(offset: Vec3 = [0, 0, 0], width = 320): { frame: RgbdFrame; color: ColorView } {
  const height = (width * 3) / 4;
  const rotation = [0, 0, 0, 1] as const;
  const color: ColorView = {
    image: { width, height, data: new Uint8Array(3 * width * height) },
    camera: pinhole(width, height, 1.05),
    map_T_color: { translation: offset, rotation },
  };
  const frame: RgbdFrame = {
    stamp: 1n,
    cameraName: '',
    depth: { width: 320, height: 240, depthM: new Float32Array(320 * 240) },
    depthCamera: pinhole(320, 240, 1.05),
    map_T_depth: { translation: [0, 0, 0], rotation },
    color,
    map_T_grippers: new Map(),
  };
  return { frame, color };
}

function crop(offset?: Vec3, width?: number, rect = RECT, distanceM = 1): PixelRect | undefined {
  const { frame, color } = frameWith(offset, width);
  return cropRect(frame, color, rect, distanceM);
}

describe('cropRect', () => {
  it('is the rectangle with half of it around, when colour and depth are one picture', () => {
    assert.deepEqual(crop(), { u0: 85, v0: 70, u1: 175, v1: 130 });
  });

  it('scales to a colour picture of another size', () => {
    const rect = crop([0, 0, 0], 640);
    assert.ok(rect);
    for (const [side, expected] of Object.entries({ u0: 170, v0: 140, u1: 350, v1: 260 }))
      assert.ok(
        Math.abs(rect[side as keyof PixelRect] - expected) <= 2,
        `${side} ${rect[side as keyof PixelRect]}`,
      );
  });

  it('follows the parallax of a colour camera beside the depth camera: the nearer, the farther off', () => {
    const middle = (rect: PixelRect | undefined): number => (rect ? (rect.u0 + rect.u1) / 2 : NaN);
    const f = pinhole(320, 240, 1.05).fx;
    for (const distance of [0.6, 1, 3]) {
      const shift = middle(crop([0.05, 0, 0], 320, RECT, distance)) - middle(crop());
      assert.ok(Math.abs(shift + (0.05 * f) / distance) <= 1, `${shift} px at ${distance} m`);
    }
  });

  it('gives small things some of their surroundings', () => {
    const rect = crop([0, 0, 0], 320, { u0: 150, v0: 100, u1: 154, v1: 104 });
    assert.deepEqual(rect, { u0: 136, v0: 86, u1: 168, v1: 118 });
  });

  it('ends at the picture’s edge', () => {
    assert.deepEqual(crop([0, 0, 0], 320, { u0: 0, v0: 200, u1: 60, v1: 240 }), {
      u0: 0,
      v0: 190,
      u1: 75,
      v1: 240,
    });
  });

  it('is undefined where the colour picture does not show it', () => {
    assert.equal(crop([2, 0, 0]), undefined, 'aside');
    assert.equal(crop([0, 0, 3]), undefined, 'behind the colour camera');
  });
});

describe('encodeView', () => {
  const noise = (width: number, height: number): ColorImage => {
    const random = new SeededRandom(3);
    const data = new Uint8Array(3 * width * height).map(() => random.below(256));
    return { width, height, data };
  };
  const whole = (image: ColorImage): Crop =>
    cropOf(image, { u0: 0, v0: 0, u1: image.width, v1: image.height });

  it('shows the rectangle and nothing else', async () => {
    const image: ColorImage = { width: 100, height: 80, data: new Uint8Array(3 * 100 * 80).fill(30) };
    for (let v = 20; v < 60; v++)
      for (let u = 30; u < 80; u++) image.data.set([210, 60, 50], 3 * (v * 100 + u));
    const jpeg = await encodeView(cropOf(image, { u0: 30, v0: 20, u1: 80, v1: 60 }), 40_000);
    const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
    assert.deepEqual([info.width, info.height, info.channels], [50, 40, 3]);
    for (let i = 0; i < data.length; i += 3)
      [210, 60, 50].forEach((value, c) => assert.ok(Math.abs(data[i + c] - value) < 12));
  });

  it('is a JPEG of at most 640 pixels and of at most the bytes it may have, the aspect kept', async () => {
    const image = noise(1280, 720);
    for (const maxBytes of [40_000, 8000, 2000]) {
      const jpeg = await encodeView(whole(image), maxBytes);
      const { format, width = 0, height = 0 } = await sharp(jpeg).metadata();
      assert.equal(format, 'jpeg');
      assert.ok(jpeg.length <= maxBytes, `${jpeg.length} of ${maxBytes} bytes`);
      assert.ok(Math.max(width, height) <= 640);
      assert.ok(Math.abs(width / height - 16 / 9) < 0.15, `${width}×${height}`);
    }
  });

  it('spends no more than it needs on a plain picture: full size, best quality', async () => {
    const image: ColorImage = { width: 600, height: 400, data: new Uint8Array(3 * 600 * 400).fill(128) };
    const { width, height } = await sharp(await encodeView(whole(image), 40_000)).metadata();
    assert.deepEqual([width, height], [600, 400]);
  });

  it('owns its bytes, and shows the picture as it was when the crop was taken', async () => {
    const image: ColorImage = { width: 64, height: 64, data: new Uint8Array(3 * 64 * 64).fill(200) };
    const crop = whole(image);
    image.data.fill(0);
    const jpeg = await encodeView(crop, 40_000);
    assert.equal(jpeg.byteLength, jpeg.buffer.byteLength);
    assert.ok(!Buffer.isBuffer(jpeg));
    const { data } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
    assert.ok(data[0] > 190);
  });
});
