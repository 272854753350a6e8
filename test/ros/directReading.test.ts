import fc from 'fast-check';
import assert from 'node:assert/strict';
import type * as DirectReading from '../../src/ros/directReading.js';
import {
  brief,
  briefAnswer,
  executionAnswer,
  findAnswer,
  imageAnswer,
  objectAnswer,
  relationsAnswer,
} from './support/answers.js';
import { loadRos } from './support/ros.js';

interface Message {
  readonly refObject: object | undefined;
  serialize(): Buffer;
  toRawROS(): Buffer;
  deserialize(from: object | undefined): void;
  toPlainObject(enableTypedArray: boolean): object;
}

interface MessageClass {
  new (content?: object): Message;
  destroyRawROS(message: Message): void;
}

interface Serializing {
  serializeMessage(message: Message, type: MessageClass): Buffer;
  deserializeMessage(cdr: Buffer, type: MessageClass): Message;
}

const PACKAGE = 'rgbd_scene_graph';

describe('direct reading', () => {
  let serializing: Serializing;
  let reading: typeof DirectReading;
  let classOf: (type: string) => MessageClass;
  let answersOf: (service: string) => { readonly direct: MessageClass; readonly plain: MessageClass };

  before(async function () {
    const { rcl } = await loadRos(this);
    serializing = rcl as unknown as Serializing;
    reading = await import('../../src/ros/directReading.js');
    classOf = (type) => rcl.require(type) as unknown as MessageClass;
    answersOf = (service) => {
      const type = `${PACKAGE}/srv/${service}`;
      return {
        direct: (reading.withDirectReading(type) as unknown as { Response: MessageClass }).Response,
        plain: rcl.require(type).Response as unknown as MessageClass,
      };
    };
  });

  /** As the client library takes an answer: filled by the middleware, converted, and its memory given back. */
  function take(type: MessageClass, cdr: Buffer): object {
    const message = serializing.deserializeMessage(cdr, type);
    const taken = new type();
    taken.deserialize(message.refObject);
    const plain = taken.toPlainObject(true);
    type.destroyRawROS(message);
    return plain;
  }

  for (const [service, answers] of [
    ['GetBrief', briefAnswer],
    ['GetImage', imageAnswer],
    ['GetObjectRelations', relationsAnswer],
    ['GetObject', objectAnswer],
    ['FindObjects', findAnswer],
    ['ApplyExecution', executionAnswer],
  ] as const) {
    it(`understands any answer of ${service} as the client library does`, () => {
      const { direct, plain } = answersOf(service);
      fc.assert(
        fc.property(answers as fc.Arbitrary<object>, (answer) => {
          const cdr = serializing.serializeMessage(new plain(answer), plain);
          assert.deepEqual(take(direct, cdr), take(plain, cdr));
        }),
        { numRuns: 40 },
      );
    });
  }

  it('keeps an answer as it was when the next one fills the same memory', () => {
    const { direct, plain } = answersOf('GetObjectRelations');
    const head = { success: true, kind: '', message: '', relations: [] };
    const [first, second] = ['cup_1', 'table_22'].map((ref) =>
      take(direct, serializing.serializeMessage(new plain({ ...head, object_ref: ref }), plain)),
    );
    assert.deepEqual(first, { ...head, object_ref: 'cup_1' });
    assert.deepEqual(second, { ...head, object_ref: 'table_22' });
  });

  it('understands any Brief of the topic as the client library does', () => {
    const type = `${PACKAGE}/msg/SceneGraphBrief`;
    const plain = classOf(type);
    const decode = reading.messageDecoder(type);
    fc.assert(
      fc.property(brief, (message) => {
        const cdr = serializing.serializeMessage(new plain(message), plain);
        assert.deepEqual(decode(cdr), take(plain, cdr));
      }),
      { numRuns: 40 },
    );
  });

  it('refuses a message that is cut off, also where more memory lies behind it', () => {
    const type = `${PACKAGE}/msg/VisualEvidence`;
    const plain = classOf(type);
    const view = { name: 'a', media_type: 'b', data: Uint8Array.of(1, 2, 3, 4), caption: '', freshness: '' };
    const cdr = serializing.serializeMessage(new plain({ ...view, stamp: { sec: 1, nanosec: 2 } }), plain);
    const decode = reading.messageDecoder(type);
    assert.doesNotThrow(() => decode(cdr));
    for (let length = 4; length < cdr.length; length++) {
      assert.throws(() => decode(cdr.subarray(0, length)), RangeError);
    }
  });
});
