import assert from 'node:assert/strict';
import { frameOf } from '../conformance/scriptedWorld.js';
import { cupsPipeline } from './support/cupsPipeline.js';
import { encode, encodeTestImage } from './support/encodeTestImage.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { testPipeline } from './support/testPipeline.js';
import { waitFor } from './support/waitFor.js';

interface Status {
  readonly name: string;
  readonly level: number;
  readonly message: string;
  readonly values: readonly { readonly key: string; readonly value: string }[];
}

const RELIABLE = { reliability: 'reliable', durability: 'volatile', depth: 10 } as const;
const LATCHED = { reliability: 'reliable', durability: 'transient_local', depth: 1 } as const;

describe('what the node tells of itself', () => {
  let ros: RosModules;
  let probe: RosProbe;

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros);
  });
  after(() => probe?.stop());

  function listen(nodeName: string): () => ReadonlyMap<string, Status> {
    const heard = probe.listen<{ status: Status[] }>(
      'diagnostic_msgs/msg/DiagnosticArray',
      '/diagnostics',
      RELIABLE,
    );
    return () => {
      const mine =
        heard.filter(({ status }) => status[0]?.name.startsWith(`${nodeName}: `)).at(-1)?.status ?? [];
      return new Map(mine.map((status) => [status.name.slice(nodeName.length + 2), status]));
    };
  }

  it('C52 names the one input that is misspelt within 5 s, and calls only that an error', async () => {
    const argv = [
      '--ros-args',
      '-r',
      '__node:=misspelt',
      '-r',
      'depth/image_raw:=/depht/image_raw',
      '-r',
      'depth/camera_info:=/depth_info',
    ];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => testPipeline() });
    const started = performance.now();
    const statuses = listen('misspelt');
    const color = probe.publisher('sensor_msgs/msg/Image', '/color/image_raw', RELIABLE);
    const infos = ['/color/camera_info', '/depth_info'].map((topic) =>
      probe.publisher('sensor_msgs/msg/CameraInfo', topic, RELIABLE),
    );
    const isTold = (): boolean =>
      statuses().get('depth')?.level === 2 && statuses().get('color_info')?.message === 'receiving';
    await waitFor('depth to be named', 8000, () => {
      color.publish(encodeTestImage(1n));
      for (const info of infos) info.publish({ width: 4, height: 2 });
      return isTold();
    });
    assert.ok(performance.now() - started < 6000);
    const depth = statuses().get('depth');
    assert.match(depth?.message ?? '', /nothing received: nobody publishes \/depht\/image_raw/);
    const values = Object.fromEntries(depth?.values.map(({ key, value }) => [key, value]) ?? []);
    assert.equal(values['publishers'], '0');
    assert.equal(values['age_s'], 'never');
    for (const name of ['color', 'color_info', 'depth_info'])
      assert.equal(statuses().get(name)?.level, 0, name);
    await node.stop();
  });

  it('C38 names an incompatible pair with both profiles', async () => {
    const argv = [
      '--ros-args',
      '-r',
      '__ns:=/strict',
      '-r',
      '__node:=strict',
      '-p',
      'input.reliability:=reliable',
    ];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => testPipeline() });
    const statuses = listen('strict');
    const color = probe.publisher('sensor_msgs/msg/Image', '/strict/color/image_raw', {
      ...RELIABLE,
      reliability: 'best_effort',
    });
    await waitFor('the pair to be named', 8000, () =>
      statuses().get('color')?.message.includes('incompatible'),
    );
    assert.match(
      statuses().get('color')?.message ?? '',
      /asked reliable\/volatile, offered best_effort\/volatile/,
    );
    assert.equal(statuses().get('color')?.level, 2);
    probe.node.destroyPublisher(color);
    await node.stop();
  });

  it('C49 warns of a second node of its name, and alone never', async () => {
    const argv = ['--ros-args', '-r', '__node:=twin'];
    const first = await ros.SceneGraphNode.start(argv, { createPipeline: () => testPipeline() });
    const statuses = listen('twin');
    await waitFor('diagnostics', 5000, () => statuses().get('node') !== undefined);
    assert.equal(statuses().get('node')?.level, 0);
    const second = await ros.SceneGraphNode.start(argv, { createPipeline: () => testPipeline() });
    await waitFor('the warning', 8000, () => statuses().get('node')?.level === 1);
    assert.match(statuses().get('node')?.message ?? '', /2 servers answer to \/twin\/get_brief/);
    await second.stop();
    await waitFor('the warning to end', 30_000, () => statuses().get('node')?.level === 0);
    await first.stop();
  }).timeout(45_000);

  it('publishes the Brief on change at most twice a second, and unchanged every two', async () => {
    const pipeline = await cupsPipeline(2);
    const argv = ['--ros-args', '-r', '__node:=brief_rate'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const heard: { atMs: number; objects: number }[] = [];
    const options = { qos: ros.toRclQos(LATCHED), isRaw: false };
    const type = 'rgbd_scene_graph/msg/SceneGraphBrief';
    probe.node.createSubscription(type, '/brief_rate/brief', options, (message: { objects: unknown[] }) => {
      heard.push({ atMs: performance.now(), objects: message.objects.length });
    });
    const gaps = (): number[] => heard.slice(1).map(({ atMs }, k) => atMs - (heard[k]?.atMs ?? 0));
    // At first it changes by itself: no frame comes, so it becomes stale and perception blind.
    await waitFor(
      'the unchanged Brief twice',
      15_000,
      () =>
        gaps()
          .slice(-2)
          .filter((gap) => gap > 1500).length === 2,
    );
    assert.ok(
      gaps()
        .slice(1)
        .every((gap) => gap > 400 && gap < 3000),
      `gaps ${gaps().join(', ')} ms`,
    );
    const before = heard.length;
    const objects = heard.at(-1)?.objects ?? 0;
    // A new cup appears: it is in the next Brief at once, and what follows keeps the pace.
    for (let k = 0; k < 12; k++)
      await pipeline.graph.submit({ kind: 'observation', frame: frameOf(12 + k, 3) });
    const changedAt = performance.now();
    await waitFor('the changed Brief', 3000, () => heard.some((brief) => brief.objects === objects + 1));
    assert.ok(performance.now() - changedAt < 1000);
    const changed = heard.slice(before - 1).map(({ atMs }) => atMs);
    assert.ok(changed.every((atMs, k) => k === 0 || atMs - (changed[k - 1] ?? 0) > 400));
    await node.stop();
  });

  it('gives figures of the graph with both hashes', async () => {
    const pipeline = await cupsPipeline(2);
    const argv = ['--ros-args', '-r', '__node:=figures'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const statuses = listen('figures');
    await waitFor('diagnostics', 5000, () => statuses().get('graph') !== undefined);
    const values = Object.fromEntries(
      statuses()
        .get('graph')
        ?.values.map(({ key, value }) => [key, value]) ?? [],
    );
    assert.equal(values['entities'], String(pipeline.graph.state.entities.size));
    assert.match(values['state_hash'] ?? '', /^[0-9a-f]{64}$/);
    assert.match(values['execution_hash'] ?? '', /^[0-9a-f]{64}$/);
    await node.stop();
  });

  it('says that perception is blind and for want of what', async () => {
    const pipeline = testPipeline();
    const argv = ['--ros-args', '-r', '__node:=blind', '-p', 'brief.stale_after_s:=0.5'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const briefs = probe.listen<{ perception_state: string; perception_reason: string }>(
      'rgbd_scene_graph/msg/SceneGraphBrief',
      '/blind/brief',
      LATCHED,
    );
    await waitFor('the blind Brief', 6000, () => briefs.at(-1)?.perception_state === 'blind');
    assert.equal(briefs.at(-1)?.perception_reason, 'no depth');
    await node.stop();
  });

  it('keeps latched static transforms that were sent before it started', async () => {
    const transform = {
      stamp: 0n,
      parentFrameId: 'base_link',
      childFrameId: 'camera',
      translation: [0, 0, 1],
      rotation: [0, 0, 0, 1],
    } as const;
    const publisher = probe.publisher('tf2_msgs/msg/TFMessage', '/tf_static', LATCHED);
    publisher.publish(encode({ kind: 'tf_static', transforms: [transform] }));
    const pipeline = testPipeline();
    const argv = ['--ros-args', '-r', '__node:=latched'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    await waitFor('the transform', 5000, () => pipeline.pushed.some(({ kind }) => kind === 'tf_static'));
    probe.node.destroyPublisher(publisher);
    await node.stop();
  });
});
