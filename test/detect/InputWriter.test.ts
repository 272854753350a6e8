import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ColorImage } from '../../src/camera/RgbdFrame.js';
import type { InputDescription } from '../../src/detect/Description.js';
import { fitPicture } from '../../src/detect/fitPicture.js';
import { InputWriter } from '../../src/detect/InputWriter.js';

const input = (change: Partial<InputDescription> = {}): InputDescription => ({
  width: 4,
  height: 4,
  fit: 'stretch',
  anchor: 'top_left',
  fill: 114,
  channels: 'rgb',
  scale: 1,
  mean: 0,
  std: 1,
  ...change,
});

const written = (image: ColorImage, description: InputDescription): number[] => {
  const target = new Float32Array(3 * description.width * description.height);
  new InputWriter(description).writePicture(image, fitPicture(image, description), target);
  return [...target];
};

const TWO: ColorImage = { width: 2, height: 1, data: Uint8Array.of(0, 10, 20, 100, 110, 120) };

describe('InputWriter', () => {
  it('takes values between pixel centres, and those at the border as they are', () => {
    // Four columns over two: centres at -0.25, 0.25, 0.75, 1.25 of the picture's.
    const row = [0, 25, 75, 100];
    const expected = [...row, ...row.map((value) => value + 10), ...row.map((value) => value + 20)];
    assert.deepEqual(written(TWO, input({ height: 1 })), expected);
  });

  it('swaps the channels for bgr, and normalises in that order', () => {
    const description = input({ width: 2, height: 1, channels: 'bgr', scale: 0.5, mean: [1, 2, 3], std: 2 });
    // (value · 0.5 - mean) / 2, blue first.
    assert.deepEqual(written(TWO, description), [4.5, 29.5, 1.5, 26.5, -1.5, 23.5]);
  });

  it('fills what a letterbox leaves free, below or on both sides, with the normalised value', () => {
    const grey: ColorImage = { width: 4, height: 2, data: new Uint8Array(24).fill(50) };
    const letterbox = input({ fit: 'letterbox', std: 2 });
    const plane = (rows: readonly number[]): number[] =>
      rows.flatMap((value) => [value, value, value, value]);
    const below = plane([25, 25, 57, 57]);
    assert.deepEqual(written(grey, letterbox), [...below, ...below, ...below]);
    const around = plane([57, 25, 25, 57]);
    assert.deepEqual(written(grey, { ...letterbox, anchor: 'center' }), [...around, ...around, ...around]);
  });

  it('says the same as the plain definition of bilinear, for any sizes and any crop', () => {
    const side = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        side,
        side,
        side,
        side,
        fc.uint8Array({ minLength: 243, maxLength: 243 }),
        (w, h, W, H, data) => {
          const image: ColorImage = { width: 9, height: 9, data };
          const rect = { left: 9 - w, top: 9 - h, width: w, height: h };
          const target = new Float32Array(3 * W * H);
          new InputWriter(input()).writeCrop(image, rect, { width: W, height: H }, target);
          for (let v = 0; v < H; v++)
            for (let u = 0; u < W; u++)
              for (let c = 0; c < 3; c++) {
                const expected = plain(image, rect, ((u + 0.5) * w) / W - 0.5, ((v + 0.5) * h) / H - 0.5, c);
                assert.ok(Math.abs(target[(c * H + v) * W + u] - expected) < 1e-3);
              }
        },
      ),
    );
  });
});

/** Sum of the four neighbours, each by its nearness; the border goes on for ever. */
function plain(
  { data, width }: ColorImage,
  rect: { left: number; top: number; width: number; height: number },
  x: number,
  y: number,
  channel: number,
): number {
  let sum = 0;
  for (const row of [Math.floor(y), Math.floor(y) + 1])
    for (const column of [Math.floor(x), Math.floor(x) + 1]) {
      const weight = (1 - Math.abs(x - column)) * (1 - Math.abs(y - row));
      const u = rect.left + Math.min(rect.width - 1, Math.max(0, column));
      const v = rect.top + Math.min(rect.height - 1, Math.max(0, row));
      sum += weight * data[(v * width + u) * 3 + channel];
    }
  return sum;
}
