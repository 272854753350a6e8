import fc from 'fast-check';
import assert from 'node:assert/strict';
import type { BriefMessage } from '../../src/ros/messages.js';
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

const word = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !text.includes('\0'));
const real = fc.double({ noNaN: true });
const single = fc.float({ noNaN: true });
const time = fc.record({ sec: fc.integer({ min: 0 }), nanosec: fc.nat(999_999_999) });
const point = fc.record({ x: real, y: real, z: real });
const words = fc.array(word, { maxLength: 3 });
const object = fc.record({
  object_ref: word,
  label: word,
  coarse_position: point,
  confidence: single,
  freshness: word,
  last_seen: time,
  container_state: word,
  contents: words,
});
const orientation = fc.record({ x: real, y: real, z: real, w: real });
const brief: fc.Arbitrary<BriefMessage> = fc.record({
  header: fc.record({ stamp: time, frame_id: word }),
  provenance: word,
  freshness: word,
  revision: fc.nat(),
  perception_state: word,
  perception_reason: word,
  blind_since: time,
  objects: fc.array(object, { maxLength: 5 }),
  robot: fc.record({
    pose_known: fc.boolean(),
    pose: fc.record({ position: point, orientation }),
    holding: words,
    grippers: words,
  }),
});
const view = fc.record({
  name: word,
  media_type: word,
  data: fc.uint8Array(),
  caption: word,
  freshness: word,
  stamp: time,
});
const head = { success: fc.constant(true), kind: word, message: word };

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
    holdsFor('rgbd_scene_graph/srv/GetBrief', fc.record({ ...head, brief, text: word }));
  });

  it('carry any pictures as the client library would', () => {
    const images = fc.array(view, { maxLength: 3 });
    holdsFor('rgbd_scene_graph/srv/GetImage', fc.record({ ...head, object_ref: word, images }));
  });

  it('carry any relations as the client library would', () => {
    const relation = { relation: word, other_ref: word, inverse: fc.boolean(), distance_known: fc.boolean() };
    const relations = fc.array(fc.record({ ...relation, distance_m: single }), { maxLength: 4 });
    holdsFor('rgbd_scene_graph/srv/GetObjectRelations', fc.record({ ...head, object_ref: word, relations }));
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
