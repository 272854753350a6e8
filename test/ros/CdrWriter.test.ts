import assert from 'node:assert/strict';
import { parse } from '@foxglove/rosmsg';
import { MessageReader } from '@foxglove/rosmsg2-serialization';
import fc from 'fast-check';
import { CdrWriter } from '../../src/ros/CdrWriter.js';

const DEFINITION = `bool flag
uint8 small
float64 big
string[] names
uint32 count
float32 ratio
int32 signed`;

const text = fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', ''));

describe('CdrWriter', () => {
  it('writes what a reader of the same definition reads back, for any texts and numbers', () => {
    const reader = new MessageReader(parse(DEFINITION, { ros2: true }));
    const record = fc.record(
      {
        flag: fc.boolean(),
        small: fc.nat(255),
        big: fc.double({ noNaN: true }),
        names: fc.array(text, { maxLength: 5 }),
        count: fc.nat(0xffffffff),
        ratio: fc.float({ noNaN: true }),
        signed: fc.integer(),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(record, (value) => {
        const bytes = new CdrWriter(8)
          .bool(value.flag)
          .uint8(value.small)
          .float64(value.big)
          .sequence(value.names, (writer, name) => writer.string(name))
          .uint32(value.count)
          .float32(value.ratio)
          .int32(value.signed)
          .finish();
        assert.deepEqual(reader.readMessage(bytes), value);
      }),
    );
  });

  it('counts the length of a text in bytes, so that words of any language arrive whole', () => {
    const reader = new MessageReader(parse('string first\nstring second', { ros2: true }));
    const bytes = new CdrWriter().string('Käse, тарелка, 茶碗').string('next').finish();
    assert.deepEqual(reader.readMessage(bytes), { first: 'Käse, тарелка, 茶碗', second: 'next' });
  });

  it('hands out memory of its own from offset 0, because publishing ignores offsets', () => {
    const bytes = new CdrWriter().string('x').finish();
    assert.equal(bytes.byteOffset, 0);
    assert.equal(bytes.buffer.byteLength, bytes.byteLength);
  });
});
