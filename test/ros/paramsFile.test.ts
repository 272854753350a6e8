import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesForOthers, parseRosArguments, resolveOverrides } from '../../src/ros/paramsFile.js';

const NODE = '/robot1/rgbd_scene_graph';

describe('C43 parameters from the command line', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'params-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function file(name: string, yaml: string): string {
    const path = join(folder, name);
    writeFileSync(path, yaml);
    return path;
  }

  function section(key: string, value: number): string {
    return `${key}:\n  ros__parameters:\n    tf:\n      wait_s: ${value}\n`;
  }

  function resolve(...options: readonly string[]): ReadonlyMap<string, { value: unknown; source: string }> {
    return resolveOverrides(parseRosArguments(['node', 'main.js', '--ros-args', ...options]), NODE);
  }

  const keys = {
    'the full name': section('/robot1/rgbd_scene_graph', 1),
    'the full name without its slash': section('robot1/rgbd_scene_graph', 1),
    'every node': section('/**', 1),
    'the bare node name': section('rgbd_scene_graph', 1),
    'one wildcard level': section('/*/rgbd_scene_graph', 1),
    'nested namespaces': 'robot1:\n  rgbd_scene_graph:\n    ros__parameters:\n      tf.wait_s: 1\n',
  };
  for (const [what, yaml] of Object.entries(keys)) {
    it(`are found under a key that is ${what}`, () => {
      assert.equal(resolve('--params-file', file('a.yaml', yaml)).get('tf.wait_s')?.value, 1);
    });
  }

  it('are not taken from the sections of other nodes or namespaces', () => {
    const yaml =
      section('/robot2/rgbd_scene_graph', 1) + section('camera', 2) + section('/*/*/rgbd_scene_graph', 3);
    const strangers = file('a.yaml', yaml);
    assert.equal(resolve('--params-file', strangers).size, 0);
    const [note, ...more] = filesForOthers(
      parseRosArguments([
        '--ros-args',
        '--params-file',
        strangers,
        '--params-file',
        file('b.yaml', keys['every node']),
      ]),
      NODE,
    );
    assert.match(note, /^a\.yaml: nothing of it is used: .*\/robot2\/rgbd_scene_graph, \/camera/);
    assert.deepEqual(more, []);
  });

  it('prefer the more exact key, whatever its place', () => {
    const exact = file('exact.yaml', section(NODE, 1));
    const bare = file('bare.yaml', section('rgbd_scene_graph', 2));
    const level = file('level.yaml', section('/*/rgbd_scene_graph', 3));
    const all = file('all.yaml', section('/**', 4));
    const given = (...files: readonly string[]): unknown =>
      resolve(...files.flatMap((path) => ['--params-file', path])).get('tf.wait_s')?.value;
    assert.equal(given(exact, bare, level, all), 1);
    assert.equal(given(bare, level, all), 2);
    assert.equal(given(level, all), 3);
  });

  it('prefer the later file among equal keys', () => {
    const first = file('first.yaml', section('/**', 1));
    const second = file('second.yaml', section('/**', 2));
    assert.equal(resolve('--params-file', first, '--params-file', second).get('tf.wait_s')?.value, 2);
    assert.equal(resolve('--params-file', second, '--params-file', first).get('tf.wait_s')?.value, 1);
  });

  it('prefer -p to every file, and -p for this node to -p for all', () => {
    const exact = file('exact.yaml', section(NODE, 1));
    assert.equal(resolve('-p', 'tf.wait_s:=2', '--params-file', exact).get('tf.wait_s')?.value, 2);
    const both = resolve('-p', 'rgbd_scene_graph:tf.wait_s:=3', '-p', 'tf.wait_s:=2');
    assert.equal(both.get('tf.wait_s')?.value, 3);
    assert.equal(resolve('-p', 'camera:tf.wait_s:=3').size, 0);
  });

  it('read the value of -p as YAML', () => {
    const values = resolve(
      '-p',
      'cameras:=[left, right]',
      '-p',
      'markers.enabled:=false',
      '-p',
      'frames.map:=odom',
    );
    assert.deepEqual(values.get('cameras')?.value, ['left', 'right']);
    assert.equal(values.get('markers.enabled')?.value, false);
    assert.equal(values.get('frames.map')?.value, 'odom');
  });

  it('tell where a value came from without a local path', () => {
    const values = resolve('--params-file', file('robot.yaml', section(NODE, 1)), '-p', 'tf.cache_s:=20');
    assert.equal(values.get('tf.wait_s')?.source, 'robot.yaml, key /robot1/rgbd_scene_graph');
    assert.equal(values.get('tf.cache_s')?.source, 'command line');
  });

  it('leave every other argument, and those outside --ros-args, to the client library', () => {
    const argv = [
      'node',
      'main.js',
      '-p',
      'mine',
      '--ros-args',
      '-r',
      '__ns:=/robot1',
      '-p',
      'a:=1',
      '--',
      '-p',
      'x',
    ];
    assert.deepEqual(parseRosArguments(argv).rest, [
      'node',
      'main.js',
      '-p',
      'mine',
      '--ros-args',
      '-r',
      '__ns:=/robot1',
      '--',
      '-p',
      'x',
    ]);
  });

  it('refuse a missing file, broken YAML and a missing value, without a path', () => {
    assert.throws(
      () => resolve('--params-file', join(folder, 'no.yaml')),
      /cannot read the parameter file no\.yaml: ENOENT/,
    );
    assert.throws(() => resolve('--params-file', file('bad.yaml', 'a: [1')), /^ParameterError: bad\.yaml:1:/);
    assert.throws(() => resolve('-p'), /-p needs a value/);
    assert.throws(() => resolve('-p', 'name=1'), /expected name:=value/);
  });
});
