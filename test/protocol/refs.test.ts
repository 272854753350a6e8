import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compareRefs, makeRef, parseRef, REF_PATTERN, stemOf } from '../../src/protocol/index.js';

describe('refs', () => {
  it('take their stem from the label', () => {
    assert.equal(stemOf('Cup'), 'cup');
    assert.equal(stemOf('coffee  mug!'), 'coffee_mug');
    assert.equal(stemOf('Ärmel'), 'rmel');
    assert.equal(stemOf('杯子'), 'object');
    assert.equal(stemOf(''), 'object');
    assert.equal(stemOf('7up can'), 'object_7up_can');
    assert.equal(stemOf('x'.repeat(50)).length, 32);
  });

  it('match the pattern for every label and parse back', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.integer({ min: 1, max: 1e6 }),
        (label, n) => {
          const ref = makeRef(stemOf(label), n);
          assert.match(ref, REF_PATTERN);
          assert.deepEqual(parseRef(ref), { stem: stemOf(label), n });
          assert.ok(stemOf(label).length <= 32);
        },
      ),
    );
  });

  it('are none when reserved or malformed', () => {
    for (const text of ['robot', 'hyp:cup_1', 'Cup_1', 'cup', '1_cup', 'cup_', '']) {
      assert.equal(parseRef(text), undefined, text);
    }
  });

  it('are ordered by stem, then by number', () => {
    const refs = ['cup_10', 'box_3', 'cup_2', 'cup_1', 'box_20', 'cup_holder_1'];
    assert.deepEqual(refs.sort(compareRefs), ['box_3', 'box_20', 'cup_1', 'cup_2', 'cup_10', 'cup_holder_1']);
  });
});
