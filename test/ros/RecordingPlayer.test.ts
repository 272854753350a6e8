import assert from 'node:assert/strict';
import { encodeInput } from '../../src/input/encodeInput.js';
import { MessageCodec } from '../../src/input/MessageCodec.js';
import type { InputMessage } from '../../src/input/messages.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { RecordingWriter } from '../../src/recordings/RecordingWriter.js';
import type { RosTime } from '../../src/time/Stamp.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { isolateRos, loadRos } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { waitFor } from './support/waitFor.js';

const FIRST = 1_700_000_000_000_000_000n;
const STEP = 20_000_000n;
const COUNT = 20;
const RELIABLE = { reliability: 'reliable', durability: 'volatile', depth: 50 } as const;

interface Transforms {
  readonly transforms: readonly {
    readonly child_frame_id: string;
    readonly header: { readonly stamp: RosTime };
  }[];
}

describe('RecordingPlayer', function () {
  this.timeout(40_000);
  const temporary = temporaryFolder();
  let probe: RosProbe;
  let modules: Awaited<ReturnType<typeof loadModules>>;

  async function loadModules() {
    isolateRos();
    return {
      ...(await import('../../src/ros/openRosNode.js')),
      ...(await import('../../src/ros/RecordingPlayer.js')),
    };
  }

  before(async function () {
    probe = await RosProbe.start(await loadRos(this));
    modules = await loadModules();
  });
  after(() => probe?.stop());

  /** Twenty transforms 20 ms apart, one latched one before them, and a topic of a type that nobody has. */
  async function writeRecording(): Promise<string> {
    const file = temporary.path('played.mcap');
    const codec = new MessageCodec();
    const writer = await RecordingWriter.create(file);
    await writer.declare('/played/strange', 'strange_msgs/msg/Thing', { definition: 'uint8 x' });
    const write = async (kind: 'tf' | 'tf_static', stamp: bigint, childFrameId: string): Promise<void> => {
      const still = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
      const message: InputMessage = {
        kind,
        transforms: [{ stamp, parentFrameId: 'map', childFrameId, ...still }],
      };
      const { type, bytes } = encodeInput(message, codec);
      await writer.write(`/played/${kind}`, type, stamp, bytes);
    };
    await write('tf_static', FIRST, 'camera');
    for (let i = 0; i < COUNT; i++) await write('tf', FIRST + BigInt(i) * STEP, `frame_${i}`);
    await writer.write('/played/strange', 'strange_msgs/msg/Thing', FIRST, Uint8Array.of(0, 1, 0, 0, 5));
    await writer.close();
    return file;
  }

  it('publishes every message as it was recorded, at its pace, latched ones for late listeners, and the clock', async () => {
    const recording = await openRecording(await writeRecording());
    const opened = await modules.openRosNode('player_under_test');
    const player = new modules.RecordingPlayer(opened.node, recording);
    try {
      assert.equal(player.warnings.length, 1);
      assert.match(
        player.warnings[0] ?? '',
        /^\/played\/strange is not played: the type strange_msgs\/msg\/Thing is not known/,
      );
      assert.equal(await player.waitForListeners(1, 0.2), false);

      const heard = probe.listen<Transforms>('tf2_msgs/msg/TFMessage', '/played/tf', RELIABLE);
      const clock = probe.listen<{ clock: RosTime }>('rosgraph_msgs/msg/Clock', '/clock', {
        ...RELIABLE,
        reliability: 'best_effort',
      });
      assert.equal(await player.waitForListeners(1, 10), true);

      const startMs = performance.now();
      const { published } = await player.play({ rate: 0.5 });
      // 19 steps of 20 ms at half speed
      assert.ok(performance.now() - startMs >= 755);
      assert.equal(published, COUNT + 1);
      await waitFor('all transforms', 5000, () => heard.length === COUNT);
      assert.deepEqual(
        heard.map(({ transforms }) => transforms[0]?.child_frame_id),
        Array.from({ length: COUNT }, (_, i) => `frame_${i}`),
      );
      assert.deepEqual(heard[3]?.transforms[0]?.header.stamp, { sec: 1_700_000_000, nanosec: 60_000_000 });

      const late = probe.listen<Transforms>('tf2_msgs/msg/TFMessage', '/played/tf_static', {
        ...RELIABLE,
        durability: 'transient_local',
      });
      await waitFor('the latched transform', 5000, () => late.length === 1);
      assert.ok(clock.length > 5);
      const times = clock.map(({ clock: { sec, nanosec } }) => (sec - 1_700_000_000) * 1e9 + nanosec);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => a - b),
      );
      assert.ok(times.every((ns) => ns >= 0 && ns <= 19 * 20e6));
    } finally {
      player.close();
      opened.close();
      await recording.close();
    }
  });

  it('ends early, without an error, when it is told to', async () => {
    const recording = await openRecording(await writeRecording());
    const opened = await modules.openRosNode('player_under_test');
    const player = new modules.RecordingPlayer(opened.node, recording);
    try {
      const { published } = await player.play({ rate: 0.01, signal: AbortSignal.timeout(300) });
      assert.ok(published >= 1 && published < COUNT);
    } finally {
      player.close();
      opened.close();
      await recording.close();
    }
  });
});
