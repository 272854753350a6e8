import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { InputMessage } from '../../src/input/messages.js';
import { classNames } from '../../src/pipeline/classNames.js';
import type { PendingFrame } from '../../src/pipeline/PendingFrame.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import { decodeOnly, makeBench, type Bench } from '../fixtures/assemble.js';
import {
  aDetection,
  anInstanceImage,
  detectionsMessage,
  instancesMessage,
} from '../fixtures/detectionMessages.js';
import {
  at,
  colorMessage,
  depthMessage,
  edge,
  goodColor,
  goodDepth,
  goodStatic,
  goodTf,
  infoMessages,
} from '../fixtures/goodPair.js';
import { FakeClock } from '../fixtures/FakeClock.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

const TOPIC = { 'detector.source': 'topic' };

/** A bench that knows the camera and where it is from 9 s to 20 s. */
function benchWith(parameters: Readonly<Record<string, unknown>> = {}): Bench {
  const bench = makeBench({ ...TOPIC, 'tf.cache_s': 60, ...parameters });
  bench.push(goodStatic(), ...infoMessages(), goodTf(at(9)), goodTf(at(14)), goodTf(at(20)));
  return bench;
}

function pair(seconds: number): InputMessage[] {
  const stamp = at(seconds);
  return [colorMessage(goodColor({ stamp })), depthMessage(goodDepth({ stamp }))];
}

/** Ends the wait of a picture at 10 s for an instance image, which nobody sends. */
const LATER = pair(10.31);

const said = (seconds: number, detections = [aDetection()]): InputMessage =>
  detectionsMessage(detections, '', at(seconds));

/** `10: cup` or, without detections, `10`. */
function toldOf(frames: readonly PendingFrame[]): string[] {
  return frames.map(({ stamp, told }) => {
    const names = told?.detections?.detections.flatMap(({ hypotheses }) =>
      hypotheses.map(({ classId }) => classId),
    );
    return `${Number(stamp) / 1e9}${names === undefined ? '' : `: ${names.join(' ')}`}`;
  });
}

const refusals = ({ assembler }: Bench, stream: string) => assembler.counters.streams[stream]?.refused ?? {};

describe('detections of another node', () => {
  it('go with the frame of their picture, names and boxes', async () => {
    const bench = benchWith();
    assert.deepEqual(bench.push(...pair(10)), []);
    const frame = await decodeOnly(bench, bench.push(said(10), ...LATER));
    assert.deepEqual(frame.detections, [{ label: 'cup', score: 0.75, box: [10, 8, 30, 24] }]);
    assert.deepEqual(bench.assembler.counters.streams['detections'], { received: 1, used: 1, refused: {} });
    assert.deepEqual(bench.reports, []);
  });

  it('may come before their picture', () => {
    const bench = benchWith();
    assert.deepEqual(toldOf(bench.push(said(10), ...pair(10), ...LATER)), ['10: cup']);
  });

  it('are not waited for, and not read, where another source is set', () => {
    for (const source of ['model', 'none']) {
      const bench = benchWith({ 'detector.source': source });
      assert.deepEqual(toldOf(bench.push(said(10), ...pair(10))), ['10'], source);
    }
  });

  it('are waited for as long as the parameter says on the data’s clock, then the frame goes on', async () => {
    const bench = benchWith({ 'detector.wait_s': 0.5 });
    bench.push(...pair(10), ...pair(10.25));
    assert.deepEqual(bench.push(...pair(10.5)), []);
    const gone = bench.push(...pair(10.51));
    assert.deepEqual(toldOf(gone), ['10']);
    assert.equal((await decodeOnly(bench, gone)).detections, undefined);
    assert.deepEqual(refusals(bench, 'detector'), { nothing_in_time: 1 });
    bench.push(said(10));
    assert.deepEqual(refusals(bench, 'detections'), { came_late: 1 });
  });

  it('are not given up because a localiser dates its transforms ahead', () => {
    const bench = benchWith();
    bench.push(...pair(10));
    const ahead: InputMessage = { kind: 'tf', transforms: [edge('map', 'odom', at(12))] };
    assert.deepEqual(bench.push(ahead), []);
    assert.deepEqual(toldOf(bench.push(said(10), ...LATER)), ['10: cup']);
  });

  it('cost no frame where the detector is six times slower than the camera', () => {
    const bench = benchWith({ 'sync.queue_size': 12 });
    const frames: PendingFrame[] = [];
    const stamps = Array.from({ length: 60 }, (_, k) => Math.round(10_000 + (k * 100) / 3) / 1000);
    stamps.forEach((stamp, k) => {
      frames.push(...bench.push(...pair(stamp)));
      if (k >= 5 && (k - 5) % 6 === 0) frames.push(...bench.push(said(stamps[k - 5])));
    });
    bench.assembler.flush();
    frames.push(...bench.assembler.takeReady());
    assert.equal(frames.length, 60);
    assert.deepEqual(
      frames.flatMap(({ told }, k) => (told?.detections ? [k] : [])),
      [0, 6, 12, 18, 24, 30, 36, 42, 48, 54],
    );
    assert.deepEqual(bench.assembler.counters.frames.dropped, {});
  });

  it('are rather missed than cost a frame when more frames wait than are kept', () => {
    const bench = benchWith({ 'sync.queue_size': 4, 'detector.wait_s': 5 });
    const frames = Array.from({ length: 20 }, (_, k) => bench.push(...pair(10 + k / 10))).flat();
    assert.deepEqual([frames.length, bench.assembler.counters.frames.dropped], [17, {}]);
  });

  it('of an unknown class are told with the parameters that would name it', async () => {
    const bench = benchWith({ 'detector.class_names.41': 'mug' });
    const classes = ['41', '7', 'bottle'].map((classId) =>
      aDetection({ hypotheses: [{ classId, score: 0.5 }] }),
    );
    const frame = await decodeOnly(bench, bench.push(...pair(10), said(10, classes), ...LATER));
    assert.deepEqual(
      frame.detections?.map(({ label }) => label),
      ['mug', 'bottle'],
    );
    assert.deepEqual(refusals(bench, 'detections'), { unknown_class: 1 });
    assert.match(
      bench.reports[0].detail,
      /class "7" has no name; see detector\.labels and detector\.class_names/,
    );
  });

  it('need a stamp of their own that rises', () => {
    const bench = benchWith();
    for (const seconds of [0, 10, 10, 9.9]) bench.push(said(seconds));
    assert.deepEqual(refusals(bench, 'detections'), {
      zero_stamp: 1,
      duplicate_stamp: 1,
      out_of_order_stamp: 1,
    });
  });

  it('are left out where the picture has no colour to be seen in', async () => {
    const bench = benchWith();
    const bad = colorMessage(goodColor({ encoding: 'bayer' }));
    const frame = await decodeOnly(bench, bench.push(bad, depthMessage(), said(10), ...LATER));
    assert.equal(frame.detections, undefined);
  });

  it('belong to their camera', () => {
    const bench = makeBench(TOPIC);
    bench.push(goodStatic(), goodTf(at(9)), goodTf(at(11)));
    for (const camera of ['front', 'rear'])
      bench.push(
        ...infoMessages(undefined, camera),
        colorMessage(undefined, camera),
        depthMessage(undefined, camera),
      );
    const frames = bench.push(
      detectionsMessage(undefined, 'rear'),
      depthMessage(goodDepth({ stamp: at(10.31) }), 'rear'),
    );
    assert.deepEqual(
      frames.map(({ cameraName, told }) => [cameraName, told?.detections !== undefined]),
      [
        ['front', false],
        ['rear', true],
      ],
    );
    assert.deepEqual(
      Object.keys(bench.assembler.counters.streams).filter((name) => /detections/.test(name)),
      ['rear/detections'],
    );
  });

  it('of the old time are forgotten when time jumps back', () => {
    const bench = benchWith();
    bench.push(...pair(12), said(11.9));
    bench.push(...pair(10));
    assert.deepEqual(bench.assembler.counters.frames.dropped, { clock_jump: 1 });
    assert.deepEqual(
      toldOf(bench.push(goodStatic(), goodTf(at(9.5)), goodTf(at(10.5)), said(10), ...LATER)),
      ['10: cup'],
    );
  });

  it('that never come hold frames back by a steady clock only once the camera is quiet', () => {
    const bench = benchWith();
    const clock = new FakeClock();
    for (const message of pair(10)) bench.assembler.push(message, clock.now());
    clock.advance(0.9);
    bench.assembler.expire(clock.now());
    assert.deepEqual(bench.assembler.takeReady(), []);
    clock.advance(0.2);
    bench.assembler.expire(clock.now());
    assert.deepEqual(toldOf(bench.assembler.takeReady()), ['10']);
  });

  it('are the same for every order of arrival within the wait', () => {
    const frames = [0, 33, 66, 100, 133, 166, 200, 233, 266, 300, 333, 366];
    const seen = [0, 100, 203, 300];
    const expected = frames.map((ms) => {
      const name = seen.find((other) => Math.abs(other - ms) < 10);
      return `${(10_000 + ms) / 1000}${name === undefined ? '' : `: cup_${name}`}`;
    });
    const delays = fc.array(fc.integer({ min: 0, max: 190 }), { minLength: 3 * 12, maxLength: 3 * 12 });
    fc.assert(
      fc.property(delays, (late) => {
        const bench = benchWith();
        const message = (ms: number): InputMessage =>
          said((10_000 + ms) / 1000, [aDetection({ hypotheses: [{ classId: `cup_${ms}`, score: 0.5 }] })]);
        const streams = [
          frames.map((ms) => ({ ms, message: pair((10_000 + ms) / 1000)[0] })),
          frames.map((ms) => ({ ms, message: pair((10_000 + ms) / 1000)[1] })),
          seen.map((ms) => ({ ms, message: message(ms) })),
        ];
        const arrived = streams.flatMap((stream, s) => {
          let last = 0;
          return stream.map(({ ms, message: what }, k) => ({
            at: (last = Math.max(last, ms + late[12 * s + k])),
            what,
          }));
        });
        arrived.sort((a, b) => a.at - b.at);
        const out = bench.push(...arrived.map(({ what }) => what));
        bench.assembler.flush();
        out.push(...bench.assembler.takeReady());
        assert.deepEqual(toldOf(out), expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('instance images of another node', () => {
  const isCup = (u: number, v: number): number => (u >= 12 && u < 28 && v >= 9 && v < 23 ? 1 : 0);

  it('give the boxes of the same picture their silhouettes', async () => {
    const bench = benchWith();
    assert.deepEqual(bench.push(...pair(10), said(10)), []);
    const frame = await decodeOnly(bench, bench.push(instancesMessage(anInstanceImage(isCup))));
    assert.deepEqual(
      frame.detections?.map(({ label, box, mask }) => [label, ...box, mask?.width]),
      [['cup', 12, 9, 28, 23, 16]],
    );
  });

  it('alone part things without naming them', async () => {
    const bench = benchWith();
    const image = anInstanceImage(isCup);
    const frames = bench.push(instancesMessage(image), ...pair(10), ...pair(10.31));
    const frame = await decodeOnly(bench, frames);
    assert.deepEqual(
      frame.detections?.map(({ label, box }) => [label, ...box]),
      [[undefined, 12, 9, 28, 23]],
    );
  });

  it('that do not fit the colour picture are refused by cause, and told once', async () => {
    const bench = benchWith();
    for (const seconds of [10, 10.4]) {
      const image = anInstanceImage(isCup, { width: 32, height: 24, step: 64, stamp: at(seconds) });
      const frame = await decodeOnly(
        bench,
        bench.push(...pair(seconds), instancesMessage(image), said(seconds)),
      );
      assert.equal(frame.detections?.[0].mask, undefined);
    }
    assert.deepEqual(refusals(bench, 'instances'), { size_unlike_picture: 2 });
    assert.deepEqual(
      bench.reports.map(({ stream, cause }) => `${stream} ${cause}`),
      ['instances size_unlike_picture'],
    );
  });

  it('that nobody sends are waited for only in the beginning', () => {
    const bench = benchWith();
    const waits: number[] = [];
    for (let k = 0; k < 40; k++) {
      const seconds = Math.round(10_000 + 100 * k) / 1000;
      const frames = bench.push(said(seconds), ...pair(seconds));
      for (const frame of frames) waits.push(Number(durationFromSeconds(seconds) - frame.stamp) / 1e6);
      for (const { told } of frames) assert.ok(told?.detections);
    }
    assert.ok(waits[0] > 300, `${waits[0]}`);
    assert.deepEqual([...new Set(waits.slice(-20))], [0]);
  });
});

describe('the names of another node’s classes', () => {
  const folder = temporaryFolder();
  const named = (labels: string, given: Readonly<Record<string, string>> = {}) =>
    classNames({ labels, classNames: given });

  it('are the class ids where these are names already', () => {
    const nameOf = named('');
    assert.deepEqual(['cup', '5 o’clock', '5'].map(nameOf), ['cup', '5 o’clock', undefined]);
  });

  it('stand in a file, one a line from class 0, and go after what is given one by one', async () => {
    const file = folder.path('labels.txt');
    await writeFile(file, 'person\nbicycle\ncar\n');
    const nameOf = named(file, { '1': 'bike', tv: 'monitor' });
    assert.deepEqual(['0', '1', '2', '3', 'tv', 'car'].map(nameOf), [
      'person',
      'bike',
      'car',
      undefined,
      'monitor',
      'car',
    ]);
    assert.equal(nameOf('constructor'), 'constructor');
  });

  it('are refused at the start when the file is none', async () => {
    assert.throws(
      () => makeBench({ ...TOPIC, 'detector.labels': 'absent.txt' }),
      /detector\.labels: expected a file at .*absent\.txt/,
    );
    const file = folder.path('gaps.txt');
    await writeFile(file, 'a\n\nb\n');
    assert.throws(() => named(file), /gaps\.txt:2: expected one label a line/);
  });
});
