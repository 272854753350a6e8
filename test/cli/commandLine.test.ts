import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeInput } from '../../src/input/encodeInput.js';
import { MessageCodec } from '../../src/input/MessageCodec.js';
import { RecordingWriter } from '../../src/recordings/RecordingWriter.js';
import { runMain } from './runMain.js';

const TRUTH = {
  schema: 1,
  recording: 'room.mcap',
  frame: 'map',
  scored_region: [{ center: [0, 0, 1], size: [4, 4, 2] }],
  ignore: [],
  supports: [],
  objects: [
    {
      id: 'cup',
      label: 'cup',
      center: [0, 0, 1],
      size: [0.1, 0.1, 0.1],
      height_m: 0.1,
      position_tolerance_m: 0.08,
      coarse: false,
      thin: false,
      intervals: [{ from: 100, to: 110, center: [0, 0, 1], size: [0.1, 0.1, 0.1] }],
    },
  ],
  relations: [],
  changes: [],
};

const GRAPH = {
  entities: [
    {
      ref: 'object_1',
      kind: 'object',
      label: 'object',
      box: { center: [0.02, 0, 1], size: [0.1, 0.1, 0.1], yaw: 0 },
      confidence: 1,
      freshness: 'current',
    },
  ],
  relations: [],
};

describe('the command line', function () {
  this.timeout(60_000);
  this.slow(5000);
  let folder: string;

  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'scene-graph-cli-'));
    writeFileSync(path.join(folder, 'truth.json'), JSON.stringify(TRUTH));
    writeFileSync(path.join(folder, 'graph.json'), JSON.stringify(GRAPH));
    writeFileSync(
      path.join(folder, 'brief.json'),
      JSON.stringify({ objects: [], updated_at: '1970-01-01T00:01:50Z' }),
    );
  });
  after(() => rmSync(folder, { recursive: true }));

  it('prints the overview on stderr and ends with 2 when no command is given', async () => {
    const { code, out, err } = await runMain();
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /Usage: rgbd-scene-graph COMMAND/);
  });

  it('prints help on stdout and ends with 0', async () => {
    const { code, out, err } = await runMain('--help');
    assert.deepEqual([code, err], [0, '']);
    for (const command of ['replay', 'evaluate', 'play', 'simulate', 'demo'])
      assert.match(out, new RegExp(`^  ${command} `, 'm'));
  });

  it('prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    assert.deepEqual(await runMain('--version'), { code: 0, out: `${version}\n`, err: '' });
  });

  it('gives every command a help of its own', async () => {
    for (const command of ['replay', 'evaluate', 'play', 'simulate', 'demo']) {
      const { code, out } = await runMain(command, '--help');
      assert.equal(code, 0, command);
      assert.match(out, new RegExp(`^Usage: rgbd-scene-graph ${command} `));
    }
  });

  const wrongUsage: [string, string[], RegExp][] = [
    ['an unknown command', ['dance'], /unknown command 'dance'/],
    ['an unknown option', ['replay', 'a.mcap', '--fast'], /Unknown option '--fast'/],
    ['a missing argument', ['replay', '--out', 'x'], /missing argument BAG/],
    ['a superfluous argument', ['replay', 'a.mcap', 'b.mcap', '--out', 'x'], /unexpected argument b\.mcap/],
    ['a missing option', ['replay', 'a.mcap'], /missing option --out/],
    [
      'a number that is none',
      ['replay', 'a.mcap', '--out', 'x', '--from', 'noon'],
      /--from: expected a number of at least 0, found 'noon'/,
    ],
    [
      'a span that is empty',
      ['replay', 'a.mcap', '--out', 'x', '--from', '5', '--to', '5'],
      /--to must be later than --from/,
    ],
    [
      'a topic of no known role',
      ['replay', 'a.mcap', '--out', 'x', '--topics', 'sound=/mic'],
      /"sound=\/mic" is not key=topic/,
    ],
    ['an evaluation without truth', ['evaluate', 'x'], /missing option --truth/],
    [
      'a script of no such name',
      ['simulate', '--script', 'opera', '--out', 'x.mcap'],
      /no script 'opera'; there are: demo/,
    ],
    [
      'a recording of no such kind',
      ['simulate', '--script', 'demo', '--out', 'x.bag'],
      /expected a name ending in \.mcap, found 'x\.bag'/,
    ],
    [
      'a detector of no such kind',
      ['simulate', '--script', 'demo', '--out', 'x.mcap', '--detections', 'some'],
      /--detections: expected boxes, instances, masks, found 'some'/,
    ],
    [
      'a rate that stands still',
      ['play', 'a.mcap', '--rate', '0'],
      /--rate: expected a number above 0, found '0'/,
    ],
  ];
  for (const [what, args, reason] of wrongUsage) {
    it(`ends with 2 for ${what} and says how it is used`, async () => {
      const { code, out, err } = await runMain(...args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, reason);
      assert.match(err, /Usage: /);
    });
  }

  it('ends with 1 and the reason when a recording does not exist', async () => {
    const { code, err } = await runMain('replay', 'nowhere.mcap', '--out', path.join(folder, 'out'));
    assert.equal(code, 1);
    assert.equal(err, 'rgbd-scene-graph replay: nowhere.mcap does not exist\n');
  });

  it('ends with 1 when the recording ends before the wanted span begins', async () => {
    const bag = path.join(folder, 'short.mcap');
    const writer = await RecordingWriter.create(bag);
    const codec = new MessageCodec();
    for (const stamp of [1_000_000_000n, 2_000_000_000n]) {
      const { type, bytes } = encodeInput({ kind: 'tf', transforms: [] }, codec);
      await writer.write('/tf', type, stamp, bytes);
    }
    await writer.close();
    const { code, err } = await runMain('replay', bag, '--out', path.join(folder, 'x'), '--from', '100');
    assert.equal(code, 1);
    assert.match(err, /--from 100: the recording is only 1\.0 s long/);
  });

  it('ends with 1 and name, expected and found for a wrong parameter', async () => {
    const params = path.join(folder, 'params.yaml');
    writeFileSync(params, '/**:\n  ros__parameters:\n    sync: {max_interval_s: soon}\n');
    const { code, err } = await runMain(
      'replay',
      'nowhere.mcap',
      '--out',
      path.join(folder, 'out'),
      '--params',
      params,
    );
    assert.equal(code, 1);
    assert.match(err, /sync\.max_interval_s: expected a number in \[0, 0\.1\] \(s\), found "soon"/);
  });

  it('ends with 1 where a command needs ROS and there is none', async () => {
    const bag = path.join(folder, 'empty.mcap');
    await (await RecordingWriter.create(bag)).close();
    const { code, err } = await runMain('play', bag);
    assert.equal(code, 1);
    assert.match(err, /^rgbd-scene-graph play: this command needs ROS 2, which cannot be loaded: /);
  });

  it('prints the evaluation as a table', async () => {
    const { code, out, err } = await runMain('evaluate', folder, '--truth', path.join(folder, 'truth.json'));
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^strict +1\.00 \(1\/1\)/m);
    assert.match(out, /^cup +found +object_1 +2\.0 cm/m);
  });

  it('prints the evaluation as JSON in snake_case', async () => {
    const { code, out } = await runMain(
      'evaluate',
      folder,
      '--truth',
      path.join(folder, 'truth.json'),
      '--json',
    );
    assert.equal(code, 0);
    const { strict, position_error: error } = JSON.parse(out) as {
      strict: { region_recall: { share: number }; f1: number };
      position_error: { median_m: number };
    };
    assert.deepEqual([strict.region_recall.share, strict.f1], [1, 1]);
    assert.ok(Math.abs(error.median_m - 0.02) < 1e-9);
  });

  it('ends with 1 and names the file and field of a bad truth', async () => {
    const bad = path.join(folder, 'bad.json');
    writeFileSync(
      bad,
      JSON.stringify({ ...TRUTH, objects: [{ ...TRUTH.objects[0], position_tolerance_m: -1 }] }),
    );
    const { code, err } = await runMain('evaluate', folder, '--truth', bad);
    assert.equal(code, 1);
    assert.match(err, /truth: objects\[0\]\.position_tolerance_m/);
    assert.doesNotMatch(err, /\n\s+at /);
  });

  it('ends with 1 for a folder without a graph', async () => {
    const { code, err } = await runMain(
      'evaluate',
      path.join(folder, 'nothing'),
      '--truth',
      path.join(folder, 'truth.json'),
    );
    assert.equal(code, 1);
    assert.match(err, /graph\.json does not exist/);
  });
});
