import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeInstances, type Instance } from '../../src/camera/decodeInstances.js';
import { parseTruth } from '../../src/evaluate/truth.js';
import type { Detection2D, InputMessage, RawImage } from '../../src/input/messages.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { readInputMessages } from '../../src/recordings/readInputMessages.js';
import { resolveTopics } from '../../src/recordings/resolveTopics.js';
import type { RecordingTruth } from '../../src/simulate/RecordingTruth.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate, truthPath } from '../../src/simulate/simulate.js';
import { simulateInput } from '../../src/simulate/simulateInput.js';
import { Simulation } from '../../src/simulate/Simulation.js';
import type { SimScript } from '../../src/simulate/SimScript.js';
import { at } from '../../src/simulate/things.js';

const small = { size: [160, 120], fps: 5 } as const;

function truthOf(script: SimScript): RecordingTruth {
  const simulation = new Simulation(script);
  for (const { stamp } of simulation.pictures()) assert.ok(stamp > 0n);
  return simulation.truth('a.mcap');
}

describe('simulate', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'simulate-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('writes the same bytes for the same seed and others for another', async () => {
    const hashes: string[] = [];
    for (const seed of [1, 1, 2]) {
      const out = join(folder, `same${hashes.length}.mcap`);
      await simulate(scriptNamed('demo', { ...small, seed, durationS: 1 }), { out });
      hashes.push(
        createHash('sha256')
          .update(await readFile(out))
          .digest('hex'),
      );
    }
    assert.equal(hashes[0], hashes[1]);
    assert.notEqual(hashes[0], hashes[2]);
  });

  it('writes a recording whose topics are found without being told, and its truth beside it', async () => {
    const out = join(folder, 'demo.mcap');
    const seen: number[] = [];
    const script = scriptNamed('demo', { ...small, durationS: 2 });
    await simulate(script, { out, onProgress: (done, total) => seen.push(done / total) });
    assert.deepEqual(seen.at(-1), 1);
    const recording = await openRecording(out);
    const counts: Record<string, number> = {};
    for await (const { message } of readInputMessages(recording, resolveTopics(recording.topics)))
      counts[message.kind] = (counts[message.kind] ?? 0) + 1;
    await recording.close();
    assert.deepEqual(counts, {
      tf_static: 1,
      tf: 61,
      odom: 61,
      color: 10,
      color_info: 10,
      depth: 10,
      depth_info: 10,
    });
    const truth = parseTruth(JSON.parse(await readFile(truthPath(out), 'utf8')));
    assert.equal(truth.recording, 'demo.mcap');
    assert.ok(truth.objects.some(({ id }) => id === 'mug_blue'));
  });

  it('makes the folder that the recording is to lie in', async () => {
    const out = join(folder, 'not', 'yet', 'there.mcap');
    await simulate(scriptNamed('demo', { ...small, durationS: 0.2 }), { out });
    assert.deepEqual(await readdir(join(folder, 'not', 'yet')), ['there.mcap', 'there.truth.json']);
  });

  it('leaves nothing behind when it fails half way', async () => {
    const out = join(folder, 'broken.mcap');
    const stop = (): never => {
      throw new Error('stop');
    };
    await assert.rejects(
      simulate(scriptNamed('demo', { ...small, durationS: 1 }), { out, onProgress: stop }),
      /stop/,
    );
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith('broken')),
      [],
    );
  });

  it('refuses a name that is not a recording’s and a script that does not exist', async () => {
    await assert.rejects(simulate(scriptNamed('demo'), { out: join(folder, 'demo.bag') }), /\.mcap/);
    assert.throws(() => scriptNamed('palace'), /no script is named palace; there are: demo/);
  });
});

describe('simulateInput', () => {
  it('sends in order of time, with the transform of a picture before it', async () => {
    const messages: InputMessage[] = [];
    for await (const message of simulateInput(scriptNamed('demo', { ...small, durationS: 1 })))
      messages.push(message);
    assert.equal(messages[0].kind, 'tf_static');
    let lastTf = 0n;
    for (const message of messages) {
      if (message.kind === 'tf') {
        assert.ok(message.transforms[0].stamp >= lastTf);
        lastTf = message.transforms[0].stamp;
      }
      if (message.kind === 'depth') assert.equal(message.image.stamp, lastTf);
    }
  });

  it('lets a detector speak as late as it takes, of each so manieth picture, with the boxes of its own pixels', async () => {
    const script = scriptNamed('two_cups', { ...small, fps: 10, durationS: 1 });
    const detector = { form: 'masks', delayS: 0.25, every: 3 } as const;
    const order: string[] = [];
    let ids: RawImage | undefined;
    let newest = 0n;
    for await (const message of simulateInput(script, { detector })) {
      if (message.kind === 'color') newest = message.image.stamp;
      if (message.kind === 'instances') ids = message.image;
      if (message.kind !== 'detections') continue;
      const { stamp, detections } = message.detections;
      order.push(
        `${(stamp - script.startStamp) / 1_000_000n} at ${(newest - script.startStamp) / 1_000_000n}`,
      );
      assert.ok(ids?.stamp === stamp);
      assert.ok(detections.some(({ hypotheses }) => hypotheses[0].classId === 'cup'));
      assertOwnPixels(detections, ids);
    }
    assert.deepEqual(order, ['0 at 200', '300 at 500', '600 at 800', '900 at 900']);
  });

  it('packs depth as 16UC1 in millimetres, little-endian', async () => {
    const script = scriptNamed('demo', { ...small, durationS: 0.2 });
    const picture = [...new Simulation(script).pictures()][0];
    for await (const message of simulateInput(script)) {
      if (message.kind !== 'depth') continue;
      assert.ok('encoding' in message.image && message.image.encoding === '16UC1');
      const { data } = message.image;
      const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
      picture.depthMm.forEach((mm, i) => assert.equal(view.getUint16(2 * i, true), mm));
    }
  });
});

function assertOwnPixels(detections: readonly Detection2D[], ids: RawImage): void {
  const read = decodeInstances(ids, ids);
  assert.ok(read.ok);
  for (const { id, center, size } of detections) {
    const { u0, v0, u1, v1 }: Instance = read.value.instances.get(Number(id))!;
    assert.deepEqual([...center, ...size], [(u0 + u1) / 2, (v0 + v1) / 2, u1 - u0, v1 - v0]);
  }
}

describe('truth of a simulation', () => {
  it('fits the schema that scores are made with, for every kind of scene', () => {
    for (const name of ['demo', 'changed_room', 'pick_and_place'])
      parseTruth(JSON.parse(JSON.stringify(truthOf(scriptNamed(name, { size: [80, 60], fps: 2 })))));
  });

  it('asks for everything the demo shows: eight things on the table, seven on the shelf, three beside, two below', () => {
    const truth = truthOf(scriptNamed('demo', { size: [160, 120], fps: 5 }));
    const on = (support: RegExp): number =>
      truth.relations.filter(({ relation, object }) => relation === 'on' && support.test(object)).length;
    assert.deepEqual([on(/^table$/), on(/^shelf_board/), on(/^side_table$/), on(/^floor$/)], [8, 7, 3, 2]);
    assert.equal(truth.objects.filter(({ coarse }) => !coarse).length, 20);
    for (const { id, frames_visible } of truth.objects)
      assert.ok(frames_visible >= 10, `${id}: ${frames_visible}`);
    const mug = truth.objects.find(({ id }) => id === 'mug_red')!;
    assert.ok(mug.first_seen! > 1_800_000_000 + 5, `the side table comes late: ${mug.first_seen}`);
    assert.deepEqual(
      mug.intervals.map(({ from }) => from),
      [1_800_000_000],
    );
  });

  // time    0          4            12          16
  // cup     rest ──────┤  carried   ├── rest ───┤
  it('ends a rest when a thing is picked, begins one when it is placed, and relates it only while it rests', () => {
    const truth = truthOf(scriptNamed('pick_and_place', small));
    const cup = truth.objects.find(({ id }) => id === 'cup')!;
    const start = 1_800_000_000;
    assert.deepEqual(
      cup.intervals.map(({ from, to }) => [from - start, Math.round((to - start) * 10) / 10]),
      [
        [0, 3.8],
        [12, 15.8],
      ],
    );
    assert.deepEqual(truth.changes, [
      {
        kind: 'moved',
        id: 'cup',
        last_before: cup.intervals[0].to,
        first_after: cup.intervals[1].from,
        distance_m: 0.65,
      },
    ]);
    const on = truth.relations.filter(({ subject, relation }) => subject === 'cup' && relation === 'on');
    assert.deepEqual(
      on.map(({ from, to }) => [from, to]),
      cup.intervals.map(({ from, to }) => [from, to]),
    );
    assert.deepEqual(cup.center, [0.3648, -0.1, 0.7675]);
  });

  it('says of a removed thing when it was last seen and when its empty place first was', () => {
    const script: SimScript = {
      ...scriptNamed('two_cups', small),
      events: [{ atS: 10, kind: 'remove', id: 'cup_left' }],
    };
    const truth = truthOf(script);
    const [change, ...more] = truth.changes;
    assert.equal(more.length, 0);
    assert.equal(change.kind, 'removed');
    assert.equal(change.id, 'cup_left');
    assert.ok(Math.abs(change.last_before - 1_800_000_009.8) < 1e-3, `${change.last_before}`);
    // At 10 s the robot stands straight before both: nothing hides the place.
    assert.ok(Math.abs(change.first_after - 1_800_000_010) < 1e-3, `${change.first_after}`);
    const gone = truth.objects.find(({ id }) => id === 'cup_left')!;
    assert.ok(gone.frames_place_in_view_after! > 20);
    assert.equal(gone.intervals.at(-1)!.to, change.last_before);
  });

  it('neither asks for nor punishes what is never in view', () => {
    const script = scriptNamed('two_cups', small);
    const [cup] = script.scene.things.filter(({ id }) => id === 'cup_left');
    // Behind the robot all the time.
    const hidden = { ...cup, id: 'hidden', pose: at(0, -1.85, 0) };
    const truth = truthOf({
      ...script,
      scene: { ...script.scene, things: [...script.scene.things, hidden] },
    });
    assert.ok(!truth.objects.some(({ id }) => id === 'hidden'));
    assert.ok(truth.ignore.some(({ why }) => why === 'hidden is hardly in view'));
    assert.ok(!truth.relations.some(({ subject }) => subject === 'hidden'));
  });

  it('gives walls planes with normals into the room and supports their heights', () => {
    const truth = truthOf(scriptNamed('two_cups', { ...small, durationS: 1 }));
    const east = truth.supports.find(({ id }) => id === 'wall_east')!;
    assert.deepEqual(east.plane, [-1, 0, 0, 2]);
    assert.equal(truth.supports.find(({ id }) => id === 'table')!.z, 0.72);
    assert.equal(truth.supports.find(({ id }) => id === 'floor')!.z, 0);
  });
});
