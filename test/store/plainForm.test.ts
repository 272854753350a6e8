import assert from 'node:assert/strict';
import fc from 'fast-check';
import { is, List, Map as ImmutableMap, OrderedMap, Set as ImmutableSet } from 'immutable';
import { pack, unpack } from '../../src/store/stateRows.js';

const field = fc.string().filter((name) => name !== '@' && name !== '__proto__');
const scalar = fc.oneof(
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.bigInt(),
  fc.constant(undefined),
  fc.constant(null),
  fc.float64Array(),
  fc.float32Array(),
  fc.int32Array(),
  fc.uint8Array(),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value')),
    fc.dictionary(field, tie('value')),
    fc.array(fc.tuple(fc.string(), tie('value'))).map((entries) => new Map(entries)),
    fc.array(tie('value')).map((items) => new Set(items)),
  ),
}));

describe('plainForm', () => {
  it('gives back any value as it was', () => {
    fc.assert(
      fc.property(value, (given) => {
        assert.deepStrictEqual(unpack(pack(given)), normal(given));
      }),
    );
  });

  it('gives back immutable maps and lists, nested in any way', () => {
    const entry = fc.tuple(fc.oneof(fc.string(), fc.integer()), fc.double({ noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.array(entry)), (lists) => {
        const given = List(lists.map((entries) => ImmutableMap(entries)));
        assert.ok(
          is(
            unpack(pack({ given })) instanceof Object &&
              (unpack(pack({ given })) as { given: unknown }).given,
            given,
          ),
        );
      }),
    );
  });

  it('gives typed arrays memory of their own: sent to a thread, they must not take a whole row along', () => {
    const { a } = unpack(pack({ a: Float32Array.of(1, 2), b: new Float64Array(1000) })) as {
      a: Float32Array;
    };
    assert.equal(a.buffer.byteLength, 8);
  });

  it('faults at what it does not know instead of losing it', () => {
    class Odd {}
    for (const odd of [new Odd(), () => 1, Symbol('s'), OrderedMap(), ImmutableSet([1]), { '@': 1 }])
      assert.throws(() => pack({ field: [odd] }), /cannot be stored/);
  });
});

/** Objects without a prototype come back as ordinary ones. */
function normal(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(normal);
  if (given instanceof Map) return new Map([...given].map(([key, item]) => [key, normal(item)]));
  if (given instanceof Set) return new Set([...given].map(normal));
  if (typeof given !== 'object' || given === null || ArrayBuffer.isView(given)) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, normal(item)]));
}
