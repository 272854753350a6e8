import assert from 'node:assert/strict';
import { encodeInput } from '../../src/input/encodeInput.js';
import type { InputMessage } from '../../src/input/messages.js';
import { MessageCodec } from '../../src/input/MessageCodec.js';
import { describeStreams } from '../../src/recordings/describeStreams.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { readInputMessages, type ReadInputOptions } from '../../src/recordings/readInputMessages.js';
import { RecordingWriter } from '../../src/recordings/RecordingWriter.js';
import { resolveTopics } from '../../src/recordings/resolveTopics.js';
import { SkipCounts } from '../../src/recordings/SkipCounts.js';
import { TopicResolutionError } from '../../src/recordings/TopicResolutionError.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

const SECOND = 1_000_000_000n;

function depthImage(stamp: bigint, frameId = 'optical', width = 4): InputMessage {
  const data = new Uint8Array(width * 2 * 2).map((_, i) => i);
  const image = {
    stamp,
    frameId,
    width,
    height: 2,
    encoding: '16UC1',
    isBigEndian: false,
    step: width * 2,
    data,
  };
  return { kind: 'depth', camera: '', image };
}

function cameraInfo(stamp: bigint, frameId = 'optical'): InputMessage {
  const info = {
    stamp,
    frameId,
    width: 4,
    height: 2,
    distortionModel: 'plumb_bob',
    D: [0, 0, 0, 0, 0],
    K: [4, 0, 2, 0, 4, 1, 0, 0, 1],
    R: [1, 0, 0, 0, 1, 0, 0, 0, 1],
    P: [4, 0, 2, 0, 0, 4, 1, 0, 0, 0, 1, 0],
    binningX: 0,
    binningY: 0,
    roi: { xOffset: 0, yOffset: 0, width: 0, height: 0 },
  };
  return { kind: 'depth_info', camera: '', info };
}

function transform(kind: 'tf' | 'tf_static', stamp: bigint, childFrameId: string): InputMessage {
  const moved = {
    stamp,
    parentFrameId: 'map',
    childFrameId,
    translation: [1, 2, 3],
    rotation: [0, 0, 0, 1],
  } as const;
  return { kind, transforms: [moved] };
}

type Entry = readonly [topic: string, stamp: bigint, message: InputMessage | Uint8Array, type?: string];

async function write(path: string, entries: readonly Entry[]): Promise<void> {
  const codec = new MessageCodec();
  const writer = await RecordingWriter.create(path, { chunkBytes: 300 });
  for (const [topic, stamp, message, type] of entries) {
    if (message instanceof Uint8Array) await writer.write(topic, type ?? '', stamp, message);
    else {
      const encoded = encodeInput(message, codec);
      await writer.write(topic, encoded.type, stamp, encoded.bytes);
    }
  }
  await writer.close();
}

interface Read {
  readonly inputs: { kind: string; logTime: bigint; message: InputMessage }[];
  readonly skipped: Record<string, number>;
}

async function read(path: string, options: ReadInputOptions = {}): Promise<Read> {
  const recording = await openRecording(path);
  try {
    const skipped = new SkipCounts();
    const inputs = [];
    const assignment = resolveTopics(recording.topics);
    for await (const { message, logTime } of readInputMessages(recording, assignment, {
      ...options,
      skipped,
    })) {
      inputs.push({ kind: message.kind, logTime, message });
    }
    return { inputs, skipped: skipped.toObject() };
  } finally {
    await recording.close();
  }
}

describe('readInputMessages', () => {
  const folder = temporaryFolder();
  const t = (seconds: number): bigint => 1000n * SECOND + BigInt(seconds) * SECOND;

  it('gives back what was written, in log-time order', async () => {
    const path = folder.path('whole.mcap');
    const messages: [string, InputMessage][] = [
      ['/tf_static', transform('tf_static', t(0), 'base')],
      ['/cam/depth/camera_info', cameraInfo(t(1))],
      ['/cam/depth/image_raw', depthImage(t(2))],
      ['/tf', transform('tf', t(3), 'odom')],
    ];
    await write(
      path,
      messages.map(([topic, message], i) => [topic, t(i), message]),
    );
    const { inputs, skipped } = await read(path);
    assert.deepEqual(skipped, {});
    assert.deepEqual(
      inputs.map(({ message }) => plain(message)),
      messages.map(([, message]) => plain(message)),
    );
  });

  it('delivers the static transforms from before when it begins in the middle, and only those', async () => {
    //  s        0    1    2    3    4    5
    //  static   S    S'
    //  depth    d    d    d    d    d    d
    //                     |-------|            asked for: 2 to 3
    const path = folder.path('middle.mcap');
    await write(path, [
      ['/cam/depth/camera_info', t(0), cameraInfo(t(0))],
      ['/tf_static', t(0), transform('tf_static', t(0), 'base')],
      ['/tf_static', t(1), transform('tf_static', t(1), 'camera')],
      ...[0, 1, 2, 3, 4, 5].map((s): Entry => ['/cam/depth/image_raw', t(s), depthImage(t(s))]),
    ]);
    const { inputs } = await read(path, { fromS: 2, toS: 3 });
    assert.deepEqual(
      inputs.map(({ kind, logTime }) => [kind, logTime]),
      [
        ['tf_static', t(0)],
        ['tf_static', t(1)],
        ['depth', t(2)],
        ['depth', t(3)],
      ],
    );
    const all = (await read(path, { fromS: 0 })).inputs;
    assert.equal(all.filter(({ kind }) => kind === 'tf_static').length, 2);
    assert.equal(all.length, 9);
  });

  it('counts messages that cannot be decoded by cause and goes on', async () => {
    const path = folder.path('broken.mcap');
    const image = encodeInput(depthImage(t(2)), new MessageCodec());
    await write(path, [
      ['/tf', t(0), transform('tf', t(0), 'base')],
      ['/cam/depth/camera_info', t(0), cameraInfo(t(0))],
      ['/cam/depth/image_raw', t(1), depthImage(t(1))],
      ['/cam/depth/image_raw', t(2), image.bytes.slice(0, 30), image.type],
      ['/cam/depth/image_raw', t(3), new Uint8Array(0), image.type],
      ['/cam/depth/image_raw', t(4), depthImage(t(4))],
    ]);
    const { inputs, skipped } = await read(path);
    assert.deepEqual(skipped, { empty_payload: 1, malformed_message: 1 });
    assert.deepEqual(
      inputs.filter(({ kind }) => kind === 'depth').map(({ logTime }) => logTime),
      [t(1), t(4)],
    );
  });

  it('falls back to our definition where the one in the file cannot be parsed', async () => {
    const path = folder.path('bad_definition.mcap');
    const codec = new MessageCodec();
    const writer = await RecordingWriter.create(path);
    await writer.declare('/tf', 'tf2_msgs/TFMessage', { definition: 'this is ((no definition' });
    for (const [topic, message] of [
      ['/tf', transform('tf', t(0), 'base')],
      ['/cam/depth/camera_info', cameraInfo(t(0))],
      ['/cam/depth/image_raw', depthImage(t(0))],
    ] as const) {
      const { type, bytes } = encodeInput(message, codec);
      await writer.write(topic, type, t(0), bytes);
    }
    await writer.close();
    const { inputs, skipped } = await read(path);
    assert.deepEqual(skipped, {});
    assert.deepEqual(plain(inputs[0].message), plain(transform('tf', t(0), 'base')));
  });

  it('decodes every message of a real recording', async function () {
    const { inputs, skipped } = await read(requireData(this, 'desk_7scenes_short.mcap'));
    assert.deepEqual(skipped, {});
    assert.equal(inputs.length, 375 + 375 + 4 * 94 + 1);
    const depth = inputs.find(({ kind }) => kind === 'depth')!.message;
    assert.ok(depth.kind === 'depth' && 'encoding' in depth.image);
    assert.equal(depth.image.data.length, depth.image.step * depth.image.height);
  });

  describe('describeStreams', () => {
    const RGB = '/cam/color/image_raw';
    const entries = (depthFrame: string, depthWidth: number): Entry[] => [
      ['/tf', t(0), transform('tf', t(0), 'base')],
      ['/cam/color/camera_info', t(0), cameraInfo(t(0))],
      [RGB, t(0), { ...depthImage(t(0)), kind: 'color' } as InputMessage],
      ['/cam/depth/image_raw', t(0), depthImage(t(0), depthFrame, depthWidth)],
    ];
    const describeFile = async (path: string): ReturnType<typeof describeStreams> => {
      const recording = await openRecording(path);
      try {
        return await describeStreams(recording, resolveTopics(recording.topics));
      } finally {
        await recording.close();
      }
    };

    it('accepts a shared info for registered depth and delivers it for both roles', async () => {
      const path = folder.path('shared.mcap');
      await write(path, entries('optical', 4));
      const { streams, isSameFrame, isSameSize } = await describeFile(path);
      assert.deepEqual(streams.depth, { frameId: 'optical', width: 4, height: 2 });
      assert.deepEqual([isSameFrame, isSameSize], [true, true]);
      const kinds = (await read(path)).inputs.map(({ kind }) => kind);
      assert.deepEqual(kinds.sort(), ['color', 'color_info', 'depth', 'depth_info', 'tf']);
    });

    it('refuses a shared info for depth of another frame or size', async () => {
      for (const [frame, width] of [
        ['depth_optical', 4],
        ['optical', 8],
      ] as const) {
        const path = folder.path(`unfit_${frame}_${width}.mcap`);
        await write(path, entries(frame, width));
        await assert.rejects(describeFile(path), (error: Error) => {
          assert.ok(error instanceof TopicResolutionError);
          assert.equal(error.key, 'depth_info');
          assert.match(
            error.message,
            /color\/camera_info \(4x2, frame optical\) does not fit the depth images/,
          );
          return true;
        });
      }
    });

    it('tells registered from unregistered recordings', async function () {
      const registered = await describeFile(requireData(this, 'desk_7scenes_short.mcap'));
      const unregistered = await describeFile(requireData(this, 'desk_7scenes_unregistered.mcap'));
      assert.deepEqual([registered.isSameFrame, unregistered.isSameFrame], [true, false]);
      assert.equal(unregistered.streams.depth?.frameId, 'camera_depth_optical_frame');
    });
  });
});

/** With plain arrays, since decoded pictures are views. */
function plain(message: InputMessage): unknown {
  return 'image' in message
    ? { ...message, image: { ...message.image, data: Array.from(message.image.data) } }
    : message;
}
