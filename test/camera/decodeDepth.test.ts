import assert from 'node:assert/strict';
import fc from 'fast-check';
import sharp from 'sharp';
import { decodeDepth } from '../../src/camera/decodeDepth.js';
import { decodeRvl } from '../../src/camera/decodeRvl.js';
import type { CompressedImage, RawImage } from '../../src/input/messages.js';
import { assertClose } from '../fixtures/assertClose.js';
import { encodeRvl } from '../fixtures/encodeRvl.js';
import { at, goodDepth } from '../fixtures/goodPair.js';
import { metresOf } from '../../src/camera/metresOf.js';

async function depthOf(image: RawImage | CompressedImage): Promise<Float32Array> {
  const result = await decodeDepth(image);
  assert.ok(result.ok, result.ok ? '' : result.detail);
  const depthM = metresOf(result.value);
  assert.equal(depthM.length, result.value.width * result.value.height);
  return depthM;
}

async function causeOf(image: RawImage | CompressedImage): Promise<string> {
  const result = await decodeDepth(image);
  return result.ok ? 'ok' : result.cause;
}

function raw(encoding: string, width: number, data: Uint8Array, change: Partial<RawImage> = {}): RawImage {
  const bytesPerPixel = encoding === '32FC1' ? 4 : 2;
  const height = Math.max(1, Math.floor(data.length / (width * bytesPerPixel)));
  return goodDepth({ encoding, width, height, step: width * bytesPerPixel, data, ...change });
}

function floats(values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

/** The 12 bytes: kind, A, B. */
function header(A = 0, B = 0): Uint8Array {
  const bytes = new Uint8Array(12);
  new DataView(bytes.buffer).setFloat32(4, A, true);
  new DataView(bytes.buffer).setFloat32(8, B, true);
  return bytes;
}

async function png16(values: number[], width: number): Promise<Uint8Array> {
  const image = sharp(Uint16Array.from(values), {
    raw: { width, height: values.length / width, channels: 1 },
  });
  return image.toColourspace('grey16').png().toBuffer();
}

function compressedDepth(payload: Uint8Array, format: string, head = header()): CompressedImage {
  return { stamp: at(10), frameId: 'cam', format, data: Uint8Array.from([...head, ...payload]) };
}

describe('decodeDepth of raw images', () => {
  it('C01 lets the encoding alone decide the unit', async () => {
    assert.equal((await depthOf(goodDepth()))[0], 1);
    assert.equal((await depthOf(goodDepth({ encoding: 'mono16' })))[0], 1);
    assert.equal((await depthOf(raw('32FC1', 1, floats([1]))))[0], 1);
    // Millimetres published as floats stay what they claim to be: a kilometre.
    assert.equal((await depthOf(raw('32FC1', 1, floats([1000]))))[0], 1000);
  });

  it('C02 turns whatever is no distance into NaN and keeps the rest', async () => {
    const values = [NaN, Infinity, -Infinity, -0.5, -0, 0, 1, 1e-30];
    const depth = await depthOf(raw('32FC1', 8, floats(values)));
    assert.ok([...depth.subarray(0, 6)].every(Number.isNaN));
    assert.deepEqual([...depth.subarray(6)], [1, Math.fround(1e-30)]);
    const millimetres = await depthOf(raw('16UC1', 2, Uint8Array.of(0, 0, 255, 255)));
    assert.ok(Number.isNaN(millimetres[0]));
    assert.equal(millimetres[1], Math.fround(65.535));
  });

  it('C04 honours the byte order of 16 and 32 bits', async () => {
    assert.equal((await depthOf(raw('16UC1', 1, Uint8Array.of(0x03, 0xe8), { isBigEndian: true })))[0], 1);
    assert.equal((await depthOf(raw('16UC1', 1, Uint8Array.of(0xe8, 0x03))))[0], 1);
    assert.equal(
      (await depthOf(raw('32FC1', 1, Uint8Array.of(0x3f, 0x80, 0, 0), { isBigEndian: true })))[0],
      1,
    );
  });

  it('C04 leaves the message’s bytes as they are', async () => {
    const data = Uint8Array.of(0x03, 0xe8);
    await depthOf(raw('16UC1', 1, data, { isBigEndian: true }));
    assert.deepEqual([...data], [0x03, 0xe8]);
  });

  it('C05 reads any step at any offset in both byte orders', async () => {
    const anyImage = fc.record({
      encoding: fc.constantFrom('16UC1', '32FC1'),
      width: fc.integer({ min: 1, max: 7 }),
      height: fc.integer({ min: 1, max: 5 }),
      padding: fc.integer({ min: 0, max: 5 }),
      offset: fc.integer({ min: 0, max: 5 }),
      isBigEndian: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(anyImage, async ({ encoding, width, height, padding, offset, isBigEndian }) => {
        const size = encoding === '32FC1' ? 4 : 2;
        const step = width * size + padding;
        const bytes = new Uint8Array(offset + step * height).fill(0xff);
        const view = new DataView(bytes.buffer);
        const expected: number[] = [];
        for (let index = 0; index < width * height; index++) {
          const position = offset + Math.floor(index / width) * step + (index % width) * size;
          if (size === 4) view.setFloat32(position, (1000 + index) / 1000, !isBigEndian);
          else view.setUint16(position, 1000 + index, !isBigEndian);
          expected.push(Math.fround((1000 + index) / 1000));
        }
        const image = raw(encoding, width, bytes.subarray(offset), { height, step, isBigEndian });
        assertClose(await depthOf(image), expected, 0);
      }),
    );
  });

  it('C07 refuses empty, zero-size and absurdly large images before allocating', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const none = new Uint8Array(0);
    assert.equal(await causeOf(goodDepth({ width: 0, height: 0, step: 0, data: none })), 'zero_size_image');
    assert.equal(
      await causeOf(goodDepth({ width: 640, height: 480, step: 1280, data: none })),
      'wrong_data_length',
    );
    const huge = 4294967295;
    const claim = goodDepth({ width: huge, height: huge, step: 0, data: new Uint8Array(10) });
    assert.equal(await causeOf(claim), 'image_too_large');
    assert.ok(process.memoryUsage().arrayBuffers - before < 10e6);
  });

  it('names an encoding that it does not know', async () => {
    const result = await decodeDepth(goodDepth({ encoding: 'rgb8' }));
    assert.ok(!result.ok && result.cause === 'unknown_encoding');
    assert.match(result.detail, /"rgb8"/);
  });
});

describe('decodeDepth of compressed images', () => {
  it('C11 keeps all 16 bits, with each way to write the format', async () => {
    const png = await png16([1000, 65535, 0, 1], 2);
    for (const format of ['16UC1; compressedDepth png', '16UC1; compressedDepth', '16UC1;compressedDepth ']) {
      const depth = await depthOf(compressedDepth(png, format));
      assert.equal(depth[0], 1);
      assert.equal(depth[1], Math.fround(65.535));
      assert.ok(Number.isNaN(depth[2]));
      assert.equal(depth[3], Math.fround(0.001));
    }
  });

  it('C11 refuses a short header, a PNG without it and a cut PNG', async () => {
    const format = '16UC1; compressedDepth png';
    const png = await png16(
      Array.from({ length: 4096 }, (_, index) => (index * 7919) % 65536),
      64,
    );
    const message = { stamp: at(10), frameId: 'cam', format };
    assert.equal(await causeOf({ ...message, data: header().subarray(0, 11) }), 'malformed_image');
    assert.equal(await causeOf({ ...message, data: new Uint8Array(0) }), 'malformed_image');
    assert.equal(await causeOf({ ...message, data: png }), 'malformed_image');
    assert.equal(
      await causeOf(compressedDepth(png.subarray(0, png.length * 0.6), format)),
      'malformed_image',
    );
    assert.equal(await causeOf(compressedDepth(png, format)), 'ok');
  });

  it('reads quantised 32FC1 by its own A and B', async () => {
    // As the encoder does it: A = q (q + 1), B = 1 − A / max, code = A / z + B, with q = 100 and max = 10 m.
    const A = 100 * 101;
    const B = 1 - A / 10;
    const codes = [0.5, 1, 4].map((z) => Math.round(A / z + B));
    const image = compressedDepth(await png16([...codes, 0], 2), '32FC1; compressedDepth png', header(A, B));
    const depth = await depthOf(image);
    assertClose(depth.subarray(0, 3), [0.5, 1, 4], 0.002);
    assert.ok(Number.isNaN(depth[3]));
  });

  it('C13 refuses the plain compressed transport and says what to use', async () => {
    const jpeg = await sharp(new Uint8Array(64), { raw: { width: 8, height: 8, channels: 1 } })
      .jpeg()
      .toBuffer();
    for (const format of ['16UC1; jpeg compressed ', 'jpeg', '', 'png']) {
      const result = await decodeDepth({ stamp: at(10), frameId: 'cam', format, data: jpeg });
      assert.ok(!result.ok && result.cause === 'lossy_codec_on_depth');
      assert.match(result.detail, /lossy codec on a depth topic.*use compressedDepth/);
    }
  });

  it('takes a plain PNG that names a millimetre encoding', async () => {
    const data = await png16([1234, 5], 2);
    const depth = await depthOf({ stamp: at(10), frameId: 'cam', format: '16UC1; png compressed ', data });
    assertClose(depth, [Math.fround(1.234), Math.fround(0.005)], 0);
  });

  it('reads RVL', async () => {
    const codes = [0, 0, 1000, 1001, 999, 0, 65535, 1];
    const depth = await depthOf(compressedDepth(encodeRvl(codes, 4, 2), '16UC1; compressedDepth rvl'));
    assertClose(
      [...depth].map((z) => (Number.isNaN(z) ? 0 : z * 1000)),
      codes,
      0.01,
    );
  });
});

describe('decodeRvl', () => {
  it('is the inverse of encoding', () => {
    const code = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 0, max: 65535 }) }, fc.constant(0));
    fc.assert(
      fc.property(fc.array(code, { minLength: 1, maxLength: 300 }), (values) => {
        const result = decodeRvl(encodeRvl(values, values.length, 1));
        assert.ok(result.ok);
        assert.deepEqual([...result.value.values], values);
      }),
    );
  });

  it('reads a whole covered picture of a few bytes', () => {
    const result = decodeRvl(encodeRvl(new Uint16Array(640 * 480), 640, 480));
    assert.ok(result.ok && result.value.values.every((value) => value === 0));
  });

  it('refuses sides that the bytes cannot fill, and survives any bytes', () => {
    const claim = encodeRvl([1, 2, 3], 7000, 7000);
    assert.equal(decodeRvl(claim).ok, false);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
        const bytes = Uint8Array.from([16, 0, 0, 0, 4, 0, 0, 0, ...noise]);
        const result = decodeRvl(bytes);
        assert.ok(!result.ok || result.value.values.length === 64);
      }),
    );
  });

  it('refuses a picture that is cut off', () => {
    const values = Uint16Array.from({ length: 400 }, (_, index) => 1000 + ((index * 7919) % 500));
    const bytes = encodeRvl(values, 20, 20);
    for (let length = 0; length < bytes.length; length += 4) {
      assert.equal(decodeRvl(bytes.subarray(0, length)).ok, false, `${length} of ${bytes.length}`);
    }
  });
});
