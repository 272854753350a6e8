import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { testPipeline } from './support/testPipeline.js';

type Node = Awaited<ReturnType<RosModules['SceneGraphNode']['start']>>;

interface ParameterValue {
  readonly type: number;
  readonly double_value: number;
  readonly integer_value: bigint;
  readonly bool_value: boolean;
  readonly string_array_value: readonly string[];
}

describe('parameters of the node', () => {
  let ros: RosModules;
  let probe: RosProbe;
  let folder: string;
  let node: Node | undefined;

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros);
    folder = mkdtempSync(join(tmpdir(), 'params-'));
  });
  after(() => {
    probe?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });

  async function start(...options: readonly string[]): Promise<Node> {
    node = await ros.SceneGraphNode.start(['--ros-args', ...options], {
      createPipeline: () => testPipeline(),
    });
    return node;
  }

  async function get(fullName: string, name: string): Promise<ParameterValue> {
    const service = `${fullName}/get_parameters`;
    const type = 'rcl_interfaces/srv/GetParameters';
    const { values } = await probe.call<{ values: ParameterValue[] }>(type, service, { names: [name] });
    const [value] = values;
    assert.ok(value !== undefined);
    return value;
  }

  async function set(
    fullName: string,
    name: string,
    value: object,
  ): Promise<{ successful: boolean; reason: string }> {
    const service = `${fullName}/set_parameters`;
    const type = 'rcl_interfaces/srv/SetParameters';
    const request = { parameters: [{ name, value }] };
    const { results } = await probe.call<{ results: { successful: boolean; reason: string }[] }>(
      type,
      service,
      request,
    );
    const [result] = results;
    assert.ok(result !== undefined);
    return result;
  }

  const keys = ['/robot1/rgbd_scene_graph', '/**', 'rgbd_scene_graph', '/*/rgbd_scene_graph', 'nested'];
  for (const [index, key] of keys.entries()) {
    it(`C43 a file keyed ${key} reaches the node in /robot1, a whole number for a double too`, async () => {
      const body = `ros__parameters:\n      tf:\n        wait_s: 2\n      cameras: [left, right]\n`;
      const yaml = key === 'nested' ? `robot1:\n  rgbd_scene_graph:\n    ${body}` : `${key}:\n    ${body}`;
      const file = join(folder, `${index}.yaml`);
      writeFileSync(file, yaml);
      const started = await start('-r', '__ns:=/robot1', '--params-file', file);
      assert.equal(started.fullName, '/robot1/rgbd_scene_graph');
      const value = await get('/robot1/rgbd_scene_graph', 'tf.wait_s');
      assert.deepEqual({ type: value.type, value: value.double_value }, { type: 3, value: 2 });
      const cameras = await get('/robot1/rgbd_scene_graph', 'cameras');
      assert.deepEqual([...cameras.string_array_value], ['left', 'right']);
    });
  }

  it('C43 -p wins over a file that names the node in full', async () => {
    const file = join(folder, 'exact.yaml');
    writeFileSync(file, '/robot1/rgbd_scene_graph:\n  ros__parameters:\n    tf.wait_s: 2.5\n');
    await start('-r', '__ns:=/robot1', '-p', 'tf.wait_s:=1.5', '--params-file', file);
    assert.equal((await get('/robot1/rgbd_scene_graph', 'tf.wait_s')).double_value, 1.5);
  });

  it('names gripper frames one by one', async () => {
    await start('-p', 'grippers.left:=left_tool');
    const { string_value } = (await get('/rgbd_scene_graph', 'grippers.left')) as never as {
      string_value: string;
    };
    assert.equal(string_value, 'left_tool');
  });

  it('refuses to start on a value out of range, naming what was expected and found', async () => {
    await assert.rejects(
      start('-p', 'tf.wait_s:=-1'),
      /tf\.wait_s: expected a number in \[0, 5\] \(s\), found -1/,
    );
    await assert.rejects(
      start('-p', 'input.transport:=smoke'),
      /expected one of auto, raw, compressed, found "smoke"/,
    );
  });

  it('refuses a bad change with its reason and stays as it was', async () => {
    await start();
    const name = 'brief.max_rate_hz';
    const refused = await set('/rgbd_scene_graph', name, { type: 3, double_value: 1000 });
    assert.deepEqual(refused, {
      successful: false,
      reason: 'brief.max_rate_hz: expected a number in [0.1, 30] (Hz), found 1000',
    });
    const nan = await set('/rgbd_scene_graph', name, { type: 3, double_value: NaN });
    assert.equal(nan.successful, false);
    const word = await set('/rgbd_scene_graph', name, { type: 4, string_value: 'fast' });
    assert.match(word.reason, /expected a number in \[0\.1, 30\] \(Hz\), found "fast"/);
    assert.equal((await get('/rgbd_scene_graph', name)).double_value, 2);
  });

  it('takes a good change, a whole number too, and keeps what is fixed', async () => {
    await start();
    const changed = await set('/rgbd_scene_graph', 'brief.max_rate_hz', { type: 2, integer_value: 5n });
    assert.deepEqual(changed, { successful: true, reason: '' });
    const value = await get('/rgbd_scene_graph', 'brief.max_rate_hz');
    assert.deepEqual({ type: value.type, value: value.double_value }, { type: 3, value: 5 });
    const fixed = await set('/rgbd_scene_graph', 'frames.map', { type: 4, string_value: 'odom' });
    assert.equal(fixed.successful, false);
    assert.match(fixed.reason, /frames\.map/);
  });

  it('describes each with its sentence and range', async () => {
    await start();
    const { descriptors } = await probe.call<{
      descriptors: {
        description: string;
        read_only: boolean;
        floating_point_range: { from_value: number; to_value: number }[];
      }[];
    }>('rcl_interfaces/srv/DescribeParameters', '/rgbd_scene_graph/describe_parameters', {
      names: ['tf.wait_s'],
    });
    const [descriptor] = descriptors;
    assert.match(descriptor?.description ?? '', /waits for the transform/);
    assert.equal(descriptor?.read_only, true);
    const [range] = descriptor?.floating_point_range ?? [];
    assert.deepEqual([range?.from_value, range?.to_value], [0, 5]);
  });
});
