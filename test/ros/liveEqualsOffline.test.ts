import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { NodeProcess } from '../../src/cli/NodeProcess.js';
import { nodeRemappings } from '../../src/cli/nodeRemappings.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { replay, REPLAY_MARKER } from '../../src/pipeline/replay.js';
import type { ReplaySummary } from '../../src/pipeline/replay.js';
import { createScenePipeline } from '../../src/pipeline/ScenePipeline.js';
import { StagedFolder } from '../../src/pipeline/StagedFolder.js';
import type { Brief, ObjectBrief } from '../../src/protocol/index.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import type { Recording } from '../../src/recordings/Recording.js';
import { resolveTopics, type TopicAssignment } from '../../src/recordings/resolveTopics.js';
import type { RecordingPlayer } from '../../src/ros/RecordingPlayer.js';
import { SceneGraphClient } from '../../src/ros/SceneGraphClient.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate } from '../../src/simulate/simulate.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { isolateRos, loadRos } from './support/ros.js';
import { waitFor } from './support/waitFor.js';

/** Tried one after the other while frames are dropped: a busy machine needs more time for each. */
const RATES = [0.5, 0.25, 0.1];
const TOLERANCE_M = 0.03;
const DIAGNOSTICS_QOS = { reliability: 'reliable', durability: 'volatile', depth: 10 } as const;

interface Diagnostics {
  readonly status: readonly {
    readonly name: string;
    readonly values: readonly { readonly key: string; readonly value: string }[];
  }[];
}

interface Account {
  readonly received: number;
  readonly used: number;
  readonly pending: number;
  /** By cause. */
  readonly dropped: Readonly<Record<string, number>>;
}

type Source = 'model' | 'topic';

interface Played {
  readonly brief: Brief;
  /** Second by second, as diagnostics told them. */
  readonly accounts: readonly Account[];
}

describe('live equals offline', function () {
  this.timeout(180_000);
  const temporary = temporaryFolder();
  let ros: Awaited<ReturnType<typeof loadModules>>;

  async function loadModules() {
    isolateRos();
    return {
      ...(await import('../../src/ros/openRosNode.js')),
      ...(await import('../../src/ros/RecordingPlayer.js')),
      ...(await import('../../src/ros/rcl.js')),
    };
  }

  before(async function () {
    await loadRos(this);
    ros = await loadModules();
  });

  it('the same recording gives the same refs within 3 cm when no frame is dropped', async () => {
    const file = temporary.path('short.mcap');
    await simulate(scriptNamed('demo', { size: [320, 240], fps: 5, durationS: 6 }), { out: file });
    const recording = await openRecording(file);
    try {
      const offline = await replayOffline(recording);
      assert.ok(
        offline.frames.in > 20 && offline.final.brief.objects.length >= 5,
        'there is something to see',
      );
      const live = await playWithoutDrops(recording, offline.frames.in);
      assertSame(live, offline.final.brief);
    } finally {
      await recording.close();
    }
  });

  it('the same with what a detector said 0.2 s after each second picture: the same names too', async () => {
    const file = temporary.path('told.mcap');
    const script = scriptNamed('two_cups', { size: [320, 240], fps: 5, durationS: 4 });
    await simulate(script, { out: file, detector: { form: 'boxes', delayS: 0.2, every: 2 } });
    const recording = await openRecording(file);
    try {
      const offline = await replayOffline(recording, 'topic');
      assert.equal(offline.final.brief.objects.filter(({ label }) => label === 'cup').length, 2);
      assert.equal(offline.detector['detections'].used, offline.frames.in / 2);
      const live = await playWithoutDrops(recording, offline.frames.in, 'topic');
      assertSame(live, offline.final.brief);
      const labels = ({ objects }: Brief): string[] =>
        objects.map(({ ref, label }) => `${ref} ${label}`).sort();
      assert.deepEqual(labels(live), labels(offline.final.brief));
    } finally {
      await recording.close();
    }
  });

  async function replayOffline(recording: Recording, source: Source = 'model'): Promise<ReplaySummary> {
    const folder = await StagedFolder.create(temporary.path('offline'), REPLAY_MARKER);
    const pipeline = createScenePipeline(parametersFromFlat({ 'detector.source': source }).parameters);
    const summary = await replay(recording, topicsOf(recording, source), pipeline, folder);
    await folder.discard();
    await pipeline.close();
    return summary;
  }

  async function playWithoutDrops(
    recording: Recording,
    frames: number,
    source: Source = 'model',
  ): Promise<Brief> {
    const tried: string[] = [];
    for (const rate of RATES) {
      const { brief, accounts } = await playLive(recording, rate, source);
      accounts.forEach(assertAccounted);
      const last = accounts.at(-1);
      if (last?.received === frames && last.used === frames) return brief;
      tried.push(`rate ${rate}: ${JSON.stringify(last)}`);
      assert.ok(
        last !== undefined && (last.received < frames || Object.keys(last.dropped).length > 0),
        `frames went missing without being counted: ${tried.join('; ')}`,
      );
    }
    throw new Error(`of ${frames} frames some were dropped or lost at every rate: ${tried.join('; ')}`);
  }

  async function playLive(recording: Recording, rate: number, source: Source): Promise<Played> {
    const assignment = topicsOf(recording, source);
    const node = new NodeProcess([...nodeRemappings(assignment), '-p', `detector.source:=${source}`]);
    const opened = await ros.openRosNode('live_equals_offline');
    const client = new SceneGraphClient(opened.node, opened.faults, { timeoutS: 10 });
    const player = new ros.RecordingPlayer(opened.node, recording);
    const accounts: Account[] = [];
    const options = { qos: ros.toRclQos(DIAGNOSTICS_QOS), isRaw: false };
    opened.node.createSubscription(
      'diagnostic_msgs/msg/DiagnosticArray',
      '/diagnostics',
      options,
      (message: Diagnostics) => accounts.push(...accountOf(message)),
    );
    try {
      assert.ok(await client.waitForNode(30_000), node.logTail);
      assert.ok(await player.waitForListeners(Object.keys(assignment.topics).length, 20), node.logTail);
      await waitUntilSettled(player, opened.node, assignment.topics.depth?.name ?? '');
      await player.play({ rate });
      await sleep(1000);
      const heard = accounts.length;
      await waitFor('the last frame', 30_000, () =>
        accounts.slice(heard + 1).some(({ pending }) => pending === 0),
      );
      return { brief: await client.brief(), accounts };
    } catch (error) {
      throw new Error(`${String(error)}\n${node.logTail}`, { cause: error });
    } finally {
      client.close();
      player.close();
      opened.close();
      await node.stop();
    }
  }

  /** The node changes to the reliability that is offered within a second or so; before that pictures may be lost. */
  async function waitUntilSettled(
    player: RecordingPlayer,
    node: Awaited<ReturnType<typeof ros.openRosNode>>['node'],
    depth: string,
  ): Promise<void> {
    await waitFor('one subscription to each topic', 10_000, () => {
      const infos = node.getSubscriptionsInfoByTopic(depth);
      return infos.length === 1 && player.heardTopics > 0;
    });
    await sleep(2500);
  }
});

function topicsOf(recording: Recording, source: Source): TopicAssignment {
  return resolveTopics(recording.topics, {}, { detections: source === 'topic' });
}

function accountOf({ status }: Diagnostics): Account[] {
  const values = status.find(({ name }) => name === 'rgbd_scene_graph: frames')?.values;
  if (values === undefined) return [];
  const number = (name: string): number => Number(values.find(({ key }) => key === name)?.value ?? NaN);
  const drops = values.filter(({ key }) => key.startsWith('dropped_'));
  return [
    {
      received: number('received'),
      used: number('used'),
      pending: number('pending'),
      dropped: Object.fromEntries(
        drops.map(({ key, value }) => [key.slice('dropped_'.length), Number(value)]),
      ),
    },
  ];
}

function assertAccounted(account: Account): void {
  const { received, used, pending, dropped } = account;
  const drops = Object.values(dropped).reduce((sum, count) => sum + count, 0);
  assert.equal(used + pending + drops, received, JSON.stringify(account));
}

function assertSame(live: Brief, offline: Brief): void {
  const byRef = (brief: Brief): Map<string, ObjectBrief> =>
    new Map(brief.objects.map((one) => [one.ref, one]));
  const [here, there] = [byRef(live), byRef(offline)];
  assert.deepEqual([...here.keys()].sort(), [...there.keys()].sort());
  for (const [ref, { coarsePosition: position }] of there) {
    const other = here.get(ref)?.coarsePosition;
    assert.equal(other === undefined, position === undefined, ref);
    if (position === undefined || other === undefined) continue;
    const apart = Math.hypot(...position.map((value, axis) => value - (other[axis] ?? NaN)));
    assert.ok(apart < TOLERANCE_M, `${ref} is ${(100 * apart).toFixed(1)} cm off`);
  }
  assert.equal(live.updatedAt, offline.updatedAt);
}
