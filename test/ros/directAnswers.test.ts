import fc from 'fast-check';
import assert from 'node:assert/strict';
import { briefAnswer, imageAnswer, relationsAnswer } from './support/answers.js';
import { loadRos } from './support/ros.js';

interface Converting {
  serialize(): Buffer;
}

interface Converted extends Converting {
  readonly refObject: object;
  deserialize(from: object): void;
  toPlainObject(): object;
}

interface Converter {
  new (answer?: object): Converted;
  readonly prototype: object;
}

interface SerializingRcl {
  serializeMessage(message: object, type: Converter): Buffer;
  deserializeMessage(cdr: Buffer, type: Converter): Converted;
}

describe('direct answers', () => {
  let converters: (type: string) => { readonly direct: Converter; readonly plain: Converter };
  /** What a caller gets that converts as the client library does. */
  let receivedOf: (type: string, message: Converting) => unknown;

  before(async function () {
    const { rcl } = await loadRos(this);
    const { withDirectAnswers } = await import('../../src/ros/directAnswers.js');
    converters = (type) => ({
      direct: (withDirectAnswers(type) as unknown as { Response: Converter }).Response,
      plain: rcl.require(type).Response as unknown as Converter,
    });
    const serializing = rcl as unknown as SerializingRcl;
    receivedOf = (type, message) => {
      const plain = rcl.require(type).Response as unknown as Converter;
      // The bytes between the fields are whatever the memory held, so the messages are compared field by field.
      const sendable = Object.setPrototypeOf(
        { serialize: () => message.serialize() },
        plain.prototype,
      ) as object;
      const received = serializing.deserializeMessage(serializing.serializeMessage(sendable, plain), plain);
      const read = new plain();
      read.deserialize(received.refObject);
      return read.toPlainObject();
    };
  });

  /** The same answer both ways, one after the other through the same piece of memory. */
  function holdsFor(type: string, answers: fc.Arbitrary<object>): void {
    const { direct, plain } = converters(type);
    fc.assert(
      fc.property(answers, (answer) => {
        const expected = receivedOf(type, new plain(answer));
        assert.deepEqual(receivedOf(type, new direct(answer)), expected);
      }),
      { numRuns: 60 },
    );
  }

  it('carry any Brief as the client library would', () => {
    holdsFor('rgbd_scene_graph/srv/GetBrief', briefAnswer);
  });

  it('carry any pictures as the client library would', () => {
    holdsFor('rgbd_scene_graph/srv/GetImage', imageAnswer);
  });

  it('carry any relations as the client library would', () => {
    holdsFor('rgbd_scene_graph/srv/GetObjectRelations', relationsAnswer);
  });

  it('fill a refusal with zeros, nothing of the answer before it', () => {
    const type = 'rgbd_scene_graph/srv/GetObjectRelations';
    const { direct, plain } = converters(type);
    const relation = { relation: 'on', other_ref: 'table_1', inverse: false };
    const full = { ...relation, distance_known: true, distance_m: 1 };
    const ok = { success: true, kind: '', message: '', object_ref: 'cup_1', relations: [full] };
    new direct(ok).serialize();
    const refusal = { success: false, kind: 'not_active', message: 'no' };
    assert.deepEqual(receivedOf(type, new direct(refusal)), receivedOf(type, new plain(refusal)));
  });

  const ok = { success: true, kind: '', message: '', object_ref: 'cup_1', relations: [] };
  for (const [what, answer] of [
    ['a wrong type', { ...ok, object_ref: 5 }],
    ['an unknown field', { ...ok, extra: 1 }],
    ['a missing field', { success: true, kind: '', message: '', object_ref: 'cup_1' }],
    ['nothing at all', undefined],
  ] as const) {
    it(`are not made of ${what}`, () => {
      const { direct } = converters('rgbd_scene_graph/srv/GetObjectRelations');
      assert.throws(() => new direct(answer).serialize(), TypeError);
    });
  }
});
