import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decompressLz4 } from '../../src/recordings/decompressLz4.js';

/** Frames as the reference tool writes them, made by hand from the format's description. */
const HEADER = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
const END = [0, 0, 0, 0];

function block(...bytes: number[]): number[] {
  return [bytes.length, 0, 0, 0, ...bytes];
}

function frame(...blocks: number[][]): Uint8Array {
  return Uint8Array.from([...HEADER, ...blocks.flat(), ...END]);
}

const text = (bytes: Uint8Array | undefined): string | undefined => bytes && Buffer.from(bytes).toString();
const a = 'a'.charCodeAt(0);

describe('decompressLz4', () => {
  it('copies literals, stored blocks and matches that overlap themselves', () => {
    assert.equal(text(decompressLz4(frame(block(0x30, a, a + 1, a + 2)), 3)), 'abc');
    assert.equal(text(decompressLz4(frame([3, 0, 0, 0x80, a, a + 1, a + 2]), 3)), 'abc');
    // "ab", then 8 bytes from 2 back, then "c".
    assert.equal(
      text(decompressLz4(frame(block(0x24, a, a + 1, 2, 0, 0x10, a + 2)), 11)),
      'ababababab' + 'c',
    );
  });

  it('reads lengths beyond 15 and matches that reach into the block before', () => {
    const first = block(0xf0, 5, ...Array<number>(20).fill(a));
    const second = block(0x0f, 20, 0, 1, 0x10, a + 1);
    assert.equal(text(decompressLz4(frame(first, second), 41)), 'a'.repeat(40) + 'b');
  });

  it('refuses a match before the beginning, a wrong size and a cut frame', () => {
    assert.equal(decompressLz4(frame(block(0x10, a, 9, 0, 0x10, a)), 6), undefined);
    assert.equal(decompressLz4(frame(block(0x30, a, a, a)), 4), undefined);
    assert.equal(decompressLz4(frame(block(0x30, a, a, a)), 2), undefined);
    const whole = frame(block(0x30, a, a, a));
    for (let cut = 1; cut < whole.length; cut++)
      assert.equal(decompressLz4(whole.subarray(0, cut), 3), undefined);
  });

  it('answers any bytes without throwing, at most with as many bytes as asked for', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(100), (bytes, size) => {
        const unpacked = decompressLz4(frame(block(...bytes)), size);
        assert.ok(unpacked === undefined || unpacked.length === size);
      }),
      { numRuns: 500 },
    );
  });
});
