import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MessageCodec } from '../../src/input/MessageCodec.js';
import { decodeInput, TYPES_OF_KIND } from '../../src/input/decodeInput.js';
import { findDefinition, knownTypes, longTypeName, shortTypeName } from '../../src/input/definitions.js';
import { encodeClock, encodeInput } from '../../src/input/encodeInput.js';
import type { InputKind, InputMessage } from '../../src/input/messages.js';
import { arbitraryTransform } from '../fixtures/arbitraries.js';
import { aDetection, detectionsMessage, instancesMessage } from '../fixtures/detectionMessages.js';
import {
  at,
  colorMessage,
  depthMessage,
  edge,
  goodInfo,
  goodStatic,
  infoMessages,
} from '../fixtures/goodPair.js';

const codec = new MessageCodec();

function roundTrip(message: InputMessage): InputMessage {
  const { type, bytes } = encodeInput(message, codec);
  const camera = 'camera' in message ? message.camera : '';
  const result = decodeInput(message.kind, camera, longTypeName(type), bytes, codec.reader(type));
  assert.ok(result.ok, result.ok ? '' : result.detail);
  return result.value;
}

const compressed: InputMessage = {
  kind: 'color',
  camera: 'front',
  image: { stamp: at(10), frameId: 'cam', format: 'jpeg', data: Uint8Array.of(255, 216, 1, 2, 3) },
};

describe('decodeInput', () => {
  it('reads back what encodeInput wrote, for every kind', () => {
    const odometry = { ...edge('', 'base_link', at(3)), frameId: 'odom' };
    const { parentFrameId: _unused, ...odometryPose } = odometry;
    const info = goodInfo({
      D: [0.1, -0.2, 0.001, 0.002, 0.3],
      roi: { xOffset: 1, yOffset: 2, width: 30, height: 20 },
    });
    const all: InputMessage[] = [
      colorMessage(undefined, 'front'),
      depthMessage(),
      compressed,
      ...infoMessages(info),
      goodStatic(),
      { kind: 'tf', transforms: [] },
      { kind: 'odom', odometry: odometryPose },
      detectionsMessage([aDetection(), { ...aDetection(), id: '7', hypotheses: [], theta: -0.5 }], 'front'),
      instancesMessage(),
    ];
    for (const message of all) assert.deepEqual(roundTrip(message), message);
  });

  it('keeps transforms to the last bit', () => {
    const stamps = fc.bigInt({ min: 0n, max: 2_000_000_000_000_000_000n });
    fc.assert(
      fc.property(fc.array(fc.tuple(arbitraryTransform(), stamps), { maxLength: 4 }), (list) => {
        const transforms = list.map(([transform, stamp]) => edge('map', 'base_link', stamp, transform));
        const message: InputMessage = { kind: 'tf', transforms };
        assert.deepEqual(roundTrip(message), message);
      }),
    );
  });

  it('keeps a negative stamp negative, for the stage that refuses it', () => {
    const message = roundTrip({ kind: 'tf', transforms: [edge('map', 'odom', -1_500_000_000n)] });
    assert.ok(message.kind === 'tf');
    assert.equal(message.transforms[0]?.stamp, -1_500_000_000n);
  });

  it('hands out picture bytes as a view, not as a copy', () => {
    const { type, bytes } = encodeInput(depthMessage(), codec);
    const result = decodeInput('depth', '', type, bytes, codec.reader(type));
    assert.ok(result.ok && result.value.kind === 'depth');
    assert.equal(result.value.image.data.buffer, bytes.buffer);
  });

  it('reads bytes that begin anywhere in a larger buffer', () => {
    const { type, bytes } = encodeInput(depthMessage(), codec);
    for (const offset of [1, 3, 7]) {
      const larger = new Uint8Array(bytes.length + offset + 5);
      larger.set(bytes, offset);
      const view = larger.subarray(offset, offset + bytes.length);
      const result = decodeInput('depth', '', type, view, codec.reader(type));
      assert.ok(result.ok);
      assert.deepEqual(result.value, depthMessage());
    }
  });

  it('refuses a message cut anywhere, and random bytes, without throwing', () => {
    for (const message of [compressed, ...infoMessages(), goodStatic(), detectionsMessage([aDetection()])]) {
      const { type, bytes } = encodeInput(message, codec);
      for (let length = 0; length < bytes.length; length += 3) {
        const result = decodeInput(message.kind, '', type, bytes.subarray(0, length), codec.reader(type));
        assert.ok(!result.ok, `${type} cut to ${length} of ${bytes.length}`);
        assert.equal(result.cause, 'malformed_message');
      }
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        decodeInput('tf', '', 'tf2_msgs/TFMessage', bytes, codec.reader('tf2_msgs/TFMessage'));
      }),
    );
  });

  it('refuses a type that cannot play the role', () => {
    const { type, bytes } = encodeInput(goodStatic(), codec);
    const result = decodeInput('depth', '', type, bytes, codec.reader(type));
    assert.ok(!result.ok);
    assert.equal(result.cause, 'unsupported_type');
  });

  it('reads detections in the definition of vision_msgs before 4, with the centre’s x and y beside its angle', () => {
    const type = 'vision_msgs/Detection2DArray';
    const text = (findDefinition(type) ?? '')
      .replace('vision_msgs/Point2D position\nfloat64 theta', 'float64 x\nfloat64 y\nfloat64 theta')
      .replaceAll('vision_msgs/Pose2D', 'geometry_msgs/Pose2D');
    const old = codec.writer(type, text).writeMessage({
      detections: [
        {
          results: [{ hypothesis: { class_id: 'cup', score: 0.5 } }],
          bbox: { center: { x: 30, y: 20, theta: 0.1 }, size_x: 10, size_y: 8 },
        },
      ],
    });
    const result = decodeInput('detections', '', type, old, codec.reader(type, text));
    assert.ok(result.ok && result.value.kind === 'detections');
    const [{ center, theta, size, hypotheses }] = result.value.detections.detections;
    assert.deepEqual([center, theta, size], [[30, 20], 0.1, [10, 8]]);
    assert.deepEqual(hypotheses, [{ classId: 'cup', score: 0.5 }]);
  });

  it('refuses a recording’s definition whose fields are of another type', () => {
    const text = findDefinition('sensor_msgs/Image')?.replace('uint32 step', 'string step') ?? '';
    const odd = codec.writer('sensor_msgs/Image', text).writeMessage({ step: 'wide' });
    const result = decodeInput(
      'color',
      '',
      'sensor_msgs/Image',
      odd,
      codec.reader('sensor_msgs/Image', text),
    );
    assert.ok(!result.ok);
    assert.match(result.detail, /step/);
  });
});

describe('definitions', () => {
  it('hold every type that a kind can have, each with all that it nests', () => {
    for (const kind of Object.keys(TYPES_OF_KIND) as InputKind[]) {
      for (const type of TYPES_OF_KIND[kind]) assert.ok(knownTypes().includes(type), type);
    }
    for (const type of knownTypes()) assert.ok(codec.reader(type));
    assert.throws(() => codec.reader('std_msgs/Nothing'), /std_msgs\/Nothing/);
  });

  it('treat both spellings of a type’s name as one', () => {
    assert.equal(shortTypeName('sensor_msgs/msg/Image'), 'sensor_msgs/Image');
    assert.equal(longTypeName('sensor_msgs/Image'), 'sensor_msgs/msg/Image');
    assert.equal(longTypeName('sensor_msgs/msg/Image'), 'sensor_msgs/msg/Image');
    assert.equal(codec.reader('sensor_msgs/msg/Image'), codec.reader('sensor_msgs/Image'));
  });

  it('write a clock that reads back', () => {
    const { type, bytes } = encodeClock(at(1.5), codec);
    assert.deepEqual(codec.reader(type).readMessage(bytes), { clock: { sec: 1, nanosec: 500_000_000 } });
  });
});
