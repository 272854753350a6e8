import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatNumber } from '../../src/protocol/index.js';
import { PRINTF_GOLDENS } from './printfGoldens.js';

describe('formatNumber', () => {
  it('writes numbers as C printf does, without trailing zeros and without -0', () => {
    for (const [value, expected] of PRINTF_GOLDENS) {
      assert.equal(formatNumber(value), expected, `of ${value}`);
    }
  });

  it('takes the even neighbour on an exact tie and never the larger by habit', () => {
    assert.equal(formatNumber(0.0625), '0.062');
    assert.equal(formatNumber(0.1875), '0.188');
    assert.equal(formatNumber(-0.0625), '-0.062');
  });

  it('stays within half a thousandth, with at most three decimals and no -0', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (value) => {
        const text = formatNumber(value);
        assert.match(text, /^-?\d+(\.\d{0,2}[1-9])?$/);
        assert.notEqual(text, '-0');
        assert.ok(Math.abs(Number(text) - value) <= 0.0005 + 1e-9);
      }),
    );
  });
});
