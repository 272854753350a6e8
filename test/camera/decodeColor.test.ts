import assert from 'node:assert/strict';
import sharp, { type Sharp } from 'sharp';
import { decodeColor } from '../../src/camera/decodeColor.js';
import type { CompressedImage, RawImage } from '../../src/input/messages.js';
import { at, goodColor } from '../fixtures/goodPair.js';

async function rgbOf(image: RawImage | CompressedImage): Promise<Uint8Array> {
  const result = await decodeColor(image);
  assert.ok(result.ok, result.ok ? '' : result.detail);
  assert.equal(result.value.data.length, result.value.width * result.value.height * 3);
  return result.value.data;
}

async function causeOf(image: RawImage | CompressedImage): Promise<string> {
  const result = await decodeColor(image);
  return result.ok ? 'ok' : result.cause;
}

function compressed(data: Uint8Array, format = 'rgb8; jpeg compressed bgr8'): CompressedImage {
  return { stamp: at(10), frameId: 'cam', format, data };
}

/** Left half red, right half blue. */
function picture(width = 64, height = 48): Sharp {
  const rgb = new Uint8Array(width * height * 3);
  for (let index = 0; index < width * height; index++)
    rgb[3 * index + (index % width < width / 2 ? 0 : 2)] = 255;
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

describe('decodeColor', () => {
  it('orders the channels of each encoding as red, green, blue', async () => {
    const pixels: Record<string, number[]> = {
      rgb8: [10, 20, 30],
      bgr8: [30, 20, 10],
      rgba8: [10, 20, 30, 255],
      bgra8: [30, 20, 10, 255],
    };
    for (const [encoding, bytes] of Object.entries(pixels)) {
      const image = goodColor({
        width: 1,
        height: 1,
        encoding,
        step: bytes.length,
        data: Uint8Array.from(bytes),
      });
      assert.deepEqual([...(await rgbOf(image))], [10, 20, 30], encoding);
    }
    const grey = goodColor({ width: 1, height: 1, encoding: 'mono8', step: 1, data: Uint8Array.of(77) });
    assert.deepEqual([...(await rgbOf(grey))], [77, 77, 77]);
  });

  it('C04 does not let the endianness flag touch 8-bit colour', async () => {
    assert.deepEqual(await rgbOf(goodColor({ isBigEndian: true })), await rgbOf(goodColor()));
  });

  it('C05 reads padded rows from a buffer at an odd offset', async () => {
    for (const [encoding, bytesPerPixel, step] of [
      ['rgb8', 3, 16],
      ['mono8', 1, 8],
      ['bgra8', 4, 23],
    ] as const) {
      const height = 3;
      const larger = new Uint8Array(step * height + 1).fill(255);
      const data = larger.subarray(1);
      for (let row = 0; row < height; row++) data.fill(10 + row, row * step, row * step + 5 * bytesPerPixel);
      const rgb = await rgbOf(goodColor({ width: 5, height, encoding, step, data }));
      for (let row = 0; row < height; row++) {
        assert.ok(
          rgb.subarray(row * 15, row * 15 + 15).every((value) => value === 10 + row),
          encoding,
        );
      }
    }
  });

  it('C05 does not need the padding of the last row', async () => {
    const image = goodColor({ width: 5, height: 2, step: 16, data: new Uint8Array(31).fill(9) });
    assert.ok((await rgbOf(image)).every((value) => value === 9));
  });

  it('C07 refuses empty, zero-size and absurdly large images before allocating', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const none = new Uint8Array(0);
    assert.equal(await causeOf(goodColor({ width: 0, height: 0, step: 0, data: none })), 'zero_size_image');
    assert.equal(
      await causeOf(goodColor({ width: 640, height: 480, step: 1920, data: none })),
      'wrong_data_length',
    );
    const huge = 4294967295;
    const claim = goodColor({ width: huge, height: huge, step: 0, data: new Uint8Array(10) });
    assert.equal(await causeOf(claim), 'image_too_large');
    assert.ok(process.memoryUsage().arrayBuffers - before < 10e6);
  });

  it('refuses a step shorter than a row and a buffer one byte short', async () => {
    assert.equal(await causeOf(goodColor({ step: 64 * 3 - 1 })), 'wrong_data_length');
    const short = goodColor();
    assert.equal(await causeOf({ ...short, data: short.data.subarray(1) }), 'wrong_data_length');
  });

  it('names an encoding that it does not know', async () => {
    const result = await decodeColor(goodColor({ encoding: 'yuv999' }));
    assert.ok(!result.ok);
    assert.equal(result.cause, 'unknown_encoding');
    assert.match(result.detail, /"yuv999"/);
    assert.equal(await causeOf(goodColor({ encoding: 'constructor' })), 'unknown_encoding');
  });

  it('decodes JPEG and PNG, colour and grey, to three channels', async () => {
    const jpeg = await rgbOf(compressed(await picture().jpeg({ quality: 95 }).toBuffer()));
    assert.ok((jpeg[0] ?? 0) > 240 && (jpeg[2] ?? 255) < 15, 'left is red');
    assert.ok((jpeg.at(-1) ?? 0) > 240 && (jpeg.at(-3) ?? 255) < 15, 'right is blue');
    const png = await rgbOf(compressed(await picture().png().toBuffer(), 'png'));
    assert.deepEqual([...png.subarray(0, 3)], [255, 0, 0]);
    const alpha = await picture().ensureAlpha(0.5).png().toBuffer();
    assert.deepEqual([...(await rgbOf(compressed(alpha))).subarray(0, 3)], [255, 0, 0]);
  });

  it('C10 accepts a grey JPEG as grey', async () => {
    const grey = await rgbOf(
      compressed(await picture().greyscale().jpeg().toBuffer(), 'mono8; jpeg compressed '),
    );
    assert.equal(grey[0], grey[1]);
    assert.equal(grey[1], grey[2]);
  });

  it('C10 refuses a cut JPEG, nothing at all, noise and an error page, and decodes the next one', async () => {
    const whole = await picture(320, 240).jpeg().toBuffer();
    const noise = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7919) % 251);
    const noiseAfterMagic = Uint8Array.from([0xff, 0xd8, 0xff, ...noise]);
    const page = Buffer.from('<html><body>502 Bad Gateway</body></html>');
    const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
    const cut = whole.subarray(0, Math.floor(whole.length * 0.6));
    for (const bytes of [cut, new Uint8Array(0), noise, noiseAfterMagic, page, drawing]) {
      assert.equal(await causeOf(compressed(bytes)), 'malformed_image');
    }
    assert.equal(await causeOf(compressed(whole)), 'ok');
  });

  it('hands out a copy that survives the message’s buffer', async () => {
    const image = goodColor();
    const rgb = await rgbOf(image);
    image.data.fill(0);
    assert.equal(rgb[0], 120);
  });
});
