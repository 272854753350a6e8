import assert from 'node:assert/strict';
import { decodeOnly, makeBench } from '../fixtures/assemble.js';
import {
  at,
  colorMessage,
  depthMessage,
  goodColor,
  goodDepth,
  goodStatic,
  goodTf,
  infoMessages,
} from '../fixtures/goodPair.js';

describe('decoding a pending frame', () => {
  it('drops a depth picture without any measurement, and takes one with a single one', async () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages(), goodTf(at(9.9)), goodTf(at(10.1)));
    const floats = (value: number, first = value): Uint8Array => {
      const metres = new Float32Array(64 * 48).fill(value);
      metres[0] = first;
      return new Uint8Array(metres.buffer);
    };
    const blind = [
      goodDepth({ data: new Uint8Array(64 * 48 * 2) }),
      ...[0, NaN, Infinity, -1].map((value) =>
        goodDepth({ encoding: '32FC1', step: 64 * 4, data: floats(value) }),
      ),
    ];
    for (const [index, image] of blind.entries()) {
      const stamp = at(10 + index / 100);
      const [pending] = bench.push(
        colorMessage(goodColor({ stamp })),
        depthMessage(goodDepth({ ...image, stamp })),
      );
      assert.ok(pending);
      const result = await bench.assembler.decode(pending);
      assert.ok(!result.ok && result.cause === 'no_valid_depth');
    }
    assert.deepEqual(bench.assembler.counters.frames, { in: 5, used: 0, dropped: { no_valid_depth: 5 } });
    const stamp = at(10.08);
    const single = goodDepth({ stamp, encoding: '32FC1', step: 64 * 4, data: floats(NaN, 2) });
    await decodeOnly(bench, bench.push(colorMessage(goodColor({ stamp })), depthMessage(single)));
  });
});
