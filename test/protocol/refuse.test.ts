import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quoteInput, refuse } from '../../src/protocol/index.js';

describe('refuse', () => {
  it('keeps a plain sentence as it is', () => {
    const refusal = refuse('not_active', 'The node is not active.');
    assert.deepEqual(refusal, { success: false, kind: 'not_active', reason: 'The node is not active.' });
  });

  it('escapes control characters and lone surrogates and shortens what was sent', () => {
    assert.equal(quoteInput('a\nb\u0000c\ud800'), "'a\\u{a}b\\u{0}c\\u{d800}'");
    assert.equal(quoteInput('x'.repeat(1000)).length, 62);
    assert.equal(quoteInput({ a: 1 }), `'{"a":1}'`);
    assert.equal(quoteInput(1n), "'bigint'");
  });

  it('hands out no local path', () => {
    for (const path of [
      '/home/robot/map.db',
      '~/secret',
      'C:\\Users\\x',
      'file:///etc/passwd',
      '"/var/log/a"',
      '../secret',
      './secret',
      '~robot/secret',
      'x/../../etc/passwd',
      '..\\secret',
      '</etc/passwd>',
      'a\n/etc/passwd',
    ]) {
      const { reason } = refuse('invalid_execution', `Cannot read ${path}.`);
      assert.ok(!/home|secret|Users|etc|var/.test(reason), reason);
    }
  });

  it('takes a slash or dot within words for no path', () => {
    for (const text of ['Moves at 3 m/s and/or waits...', 'No. 3 of image/png, on / off.', 'e.g. 1/2.']) {
      assert.equal(refuse('not_active', text).reason, text);
    }
  });

  it('gives printable sentences of at most 200 characters for any input', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 400 }),
        fc.array(fc.integer({ min: 0, max: 0xffff })),
        (text, units) => {
          const input = text + String.fromCharCode(...units);
          const { reason } = refuse('invalid_tool_arguments', `Bad ${quoteInput(input)} and ${input}`);
          assert.ok(reason.length <= 200);
          assert.doesNotMatch(reason, /[\p{Cc}\p{Cs}]/u);
        },
      ),
    );
  });
});
