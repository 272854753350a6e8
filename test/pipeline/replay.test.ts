import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { emptyState } from '../../src/graph/emptyState.js';
import type { GraphEvent, GraphState } from '../../src/graph/types.js';
import { encodeInput } from '../../src/input/encodeInput.js';
import { MessageCodec } from '../../src/input/MessageCodec.js';
import type { InputMessage } from '../../src/input/messages.js';
import { IDENTITY_TRANSFORM } from '../../src/math/rigidTransform.js';
import { Counters } from '../../src/pipeline/Counters.js';
import { replay } from '../../src/pipeline/replay.js';
import type { ReplayOptions, ReplayPipeline } from '../../src/pipeline/replay.js';
import { StagedFolder } from '../../src/pipeline/StagedFolder.js';
import { StageTimings } from '../../src/pipeline/StageTimings.js';
import { WorkingGraph } from '../../src/pipeline/WorkingGraph.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { RecordingWriter } from '../../src/recordings/RecordingWriter.js';
import { resolveTopics } from '../../src/recordings/resolveTopics.js';
import { box, entity, T0 } from '../fixtures/graphStates.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

const MS = 1_000_000n;
const header = (stamp: bigint) => ({ stamp, frameId: 'camera' });

/** Depth at 10 Hz for 1.2 s, with the infos and transforms that make it a recording of a camera. */
async function writeRecording(file: string): Promise<void> {
  const writer = await RecordingWriter.create(file);
  const codec = new MessageCodec();
  const write = async (topic: string, stamp: bigint, message: InputMessage): Promise<void> => {
    const { type, bytes } = encodeInput(message, codec);
    await writer.write(topic, type, stamp, bytes);
  };
  const still = { translation: [0, 0, 0], rotation: [0, 0, 0, 1] } as const;
  for (let i = 0n; i <= 12n; i++) {
    const stamp = T0 + i * 100n * MS;
    const info = {
      ...header(stamp),
      width: 1,
      height: 1,
      distortionModel: 'plumb_bob',
      D: [],
      K: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      R: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      P: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
      binningX: 0,
      binningY: 0,
      roi: { xOffset: 0, yOffset: 0, width: 0, height: 0 },
    };
    const image = {
      ...header(stamp),
      width: 1,
      height: 1,
      encoding: '16UC1',
      isBigEndian: false,
      step: 2,
      data: new Uint8Array([232, 3]),
    };
    await write('/tf', stamp, {
      kind: 'tf',
      transforms: [{ stamp, parentFrameId: 'map', childFrameId: 'camera', ...still }],
    });
    await write('/camera/depth/camera_info', stamp, { kind: 'depth_info', camera: '', info });
    await write('/camera/depth/image_raw', stamp, { kind: 'depth', camera: '', image });
  }
  await writer.close();
}

/** Stands in for perception: each depth picture moves graph time on and shows one cup. */
function makePipeline(): ReplayPipeline {
  const counters = new Counters();
  const timings = new StageTimings();
  const reduce = (state: GraphState, event: GraphEvent): GraphState =>
    event.kind !== 'observation'
      ? state
      : {
          ...state,
          graphTime: event.frame.stamp,
          entities: state.entities.set(
            'cup_1',
            entity('cup_1', box([0, 0, 1]), { lastSeen: { epoch: 0, stamp: event.frame.stamp } }),
          ),
        };
  const workingGraph = new WorkingGraph({
    initial: emptyState('map'),
    reduce,
    effects: new Map(),
    steadyNowS: () => 0,
    staleAfterS: undefined,
  });
  return {
    workingGraph,
    counters,
    timings,
    async push(message) {
      if (message.kind !== 'depth') return;
      counters.frameIn();
      counters.frameUsed();
      timings.add('perceive', 1);
      const frame = {
        stamp: message.image.stamp,
        cameraName: '',
        map_T_camera: IDENTITY_TRANSFORM,
        map_T_grippers: new Map(),
        objects: [],
        structures: [],
      };
      await workingGraph.submit({ kind: 'observation', frame });
    },
    skim: () => {},
    finish: () => Promise.resolve(),
    pause: () => Promise.resolve(),
    saveWhenDue: () => {},
    evidence: {
      viewsOf: (ref) =>
        Promise.resolve([
          {
            name: 'view',
            data: new Uint8Array([255, 216]),
            mediaType: 'image/jpeg',
            caption: ref,
            freshness: 'current',
          },
        ]),
    },
  };
}

describe('replay', () => {
  const temporary = temporaryFolder();
  const bag = (): string => temporary.path('room.mcap');
  before(() => writeRecording(bag()));

  async function run(name: string, options: ReplayOptions = {}): Promise<string> {
    const target = temporary.path(name);
    const recording = await openRecording(bag());
    const folder = await StagedFolder.create(target, 'graph.json');
    await replay(recording, resolveTopics(recording.topics), makePipeline(), folder, options);
    await folder.commit();
    await recording.close();
    return target;
  }

  const read = (folder: string, file: string): string => readFileSync(path.join(folder, file), 'utf8');
  const stamps = (folder: string): string[] =>
    read(folder, 'history.jsonl')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { updated_at: string }).updated_at.slice(17));

  it('writes every file of the contract', async () => {
    const folder = await run('all');
    assert.deepEqual(readdirSync(folder).sort(), [
      'brief.json',
      'brief.txt',
      'graph.json',
      'history.jsonl',
      'images',
      'timing.json',
    ]);
    assert.deepEqual([...readFileSync(path.join(folder, 'images/cup_1-1.jpg'))], [255, 216]);
    assert.match(
      read(folder, 'brief.txt'),
      /^Scene graph brief:\n {2}objects=1;\n {2}stamp=2026-07-27T12:00:01.200Z\n[^]* {2}- cup_1 at \(0, 0, 1\);\n/,
    );
    const brief = JSON.parse(read(folder, 'brief.json')) as { freshness: string; updated_at: string };
    assert.deepEqual([brief.freshness, brief.updated_at], ['current', '2026-07-27T12:00:01.200Z']);
  });

  it('keeps a Brief for each half second of stamp time, and the last one', async () => {
    assert.deepEqual(stamps(await run('history')), ['00Z', '00.500Z', '01Z', '01.200Z']);
  });

  it('counts messages and frames and sums up the stages', async () => {
    const timing = JSON.parse(read(await run('timing'), 'timing.json')) as Record<string, unknown>;
    assert.deepEqual(timing['frames'], { in: 13, used: 13, dropped: {} });
    assert.deepEqual(timing['messages'], { read: 39, skipped: {} });
    assert.deepEqual(timing['stages'], { perceive: { count: 13, mean: 1, p50: 1, p95: 1, max: 1 } });
    assert.equal(timing['recorded_s'], 1.2);
  });

  it('plays only the span asked for, in seconds from the start', async () => {
    const folder = await run('span', { fromS: 0.25, toS: 0.85 });
    const { frames, recorded_s: recordedS } = JSON.parse(read(folder, 'timing.json')) as {
      frames: { in: number };
      recorded_s: number;
    };
    assert.equal(frames.in, 6);
    assert.ok(Math.abs(recordedS - 0.6) < 1e-9);
    assert.deepEqual(stamps(folder), ['00.300Z', '00.500Z', '00.800Z']);
  });

  it('gives the same bytes twice', async () => {
    const [a, b] = [await run('once'), await run('twice')];
    for (const file of ['brief.json', 'brief.txt', 'graph.json', 'history.jsonl'])
      assert.equal(read(a, file), read(b, file), file);
  });

  it('tells how far it is, up to the end', async () => {
    const shares: number[] = [];
    await run('progress', { onProgress: (share) => shares.push(share) });
    assert.deepEqual(
      shares,
      [...shares].sort((a, b) => a - b),
    );
    assert.equal(shares.at(-1), 1);
  });
});
