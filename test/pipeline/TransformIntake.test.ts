import assert from 'node:assert/strict';
import type { InputMessage } from '../../src/input/messages.js';
import { makeBench } from '../fixtures/assemble.js';
import {
  GOOD_STAMP,
  at,
  colorMessage,
  depthMessage,
  edge,
  goodColor,
  goodDepth,
  goodInfo,
  goodStatic,
  goodTf,
  infoMessages,
} from '../fixtures/goodPair.js';

/** Everything around a good pair, with map→base known from 9.5 s to the given second. */
function surroundings(until = 10.1): InputMessage[] {
  const messages = [goodStatic(), ...infoMessages()];
  for (let seconds = 9.5; seconds <= until + 1e-9; seconds += 0.05) messages.push(goodTf(at(seconds)));
  return messages;
}

function pairAt(stamp = GOOD_STAMP): InputMessage[] {
  return [colorMessage(goodColor({ stamp })), depthMessage(goodDepth({ stamp }))];
}

describe('TransformIntake with late transforms', () => {
  it('takes one late transform for old data, not for a restart', () => {
    const bench = makeBench({ 'tf.cache_s': 5 });
    bench.push(...surroundings(), ...pairAt());
    bench.push(goodTf(at(1)));
    assert.deepEqual(bench.jumps, []);
    assert.deepEqual(bench.assembler.counters.streams['tf']?.refused, { old_data: 2 });
    assert.equal(bench.push(goodTf(at(10.15)), ...pairAt(at(10.15))).length, 1);
  });

  it('keeps for the new time the transforms that ran before its first picture, and no older ones', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages(), goodTf(at(99.9)), goodTf(at(100)), ...pairAt(at(100)));
    const poses = [9.95, 10.05].map((seconds): InputMessage => goodTf(at(seconds)));
    assert.equal(bench.push(...poses, ...pairAt(at(10))).length, 1);
    assert.deepEqual(bench.jumps, [{ from: at(100), to: at(10) }]);
    assert.equal(bench.assembler.transforms.latestCommonStamp('map', 'base_link'), at(10.05));
  });
});

describe('TransformIntake with transforms from the future', () => {
  const ahead = (seconds: number): InputMessage => goodTf(at(seconds));

  it('refuses one that is far ahead of the sensors, tells it once, and goes on undisturbed', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...pairAt());
    // A picture that waits must not become overdue by it.
    assert.deepEqual(bench.push(...pairAt(at(10.15)), ahead(1010), ahead(1011)), []);
    assert.equal(bench.push(goodTf(at(10.2))).length, 1);
    assert.equal(bench.push(goodTf(at(10.25)), ...pairAt(at(10.25))).length, 1);
    assert.deepEqual(bench.assembler.counters.streams['tf']?.refused, { stamp_ahead: 4 });
    assert.deepEqual(
      bench.reports.map(({ cause }) => cause),
      ['stamp_ahead'],
    );
    assert.match(bench.reports[0]?.detail ?? '', /"odom" is 999\.9 s ahead .* limit 5 s/);
  });

  it('follows transforms that go on while the sensors pause', () => {
    const bench = makeBench();
    bench.push(...surroundings(), ...pairAt());
    for (let step = 0; step <= 300; step++) bench.push(goodTf(at(10 + step / 10)));
    assert.equal(bench.push(...pairAt(at(39.95))).length, 1);
    assert.deepEqual(bench.reports, []);
  });

  it('believes any stamp until a sensor has told the time', () => {
    const bench = makeBench();
    bench.push(goodStatic(), ...infoMessages(), ahead(1000));
    assert.equal(bench.push(...pairAt(at(1000))).length, 1);
  });
});

describe('what senders name', () => {
  it('keeps sixteen cameras, the unprefixed one among them, and counts all others under one name', () => {
    const bench = makeBench();
    bench.push(...surroundings());
    for (let index = 0; index < 1000; index++) {
      const camera = `camera${index}`;
      bench.push(
        ...infoMessages(goodInfo(), camera),
        colorMessage(goodColor(), camera),
        depthMessage(goodDepth(), camera),
      );
    }
    const { streams, frames } = bench.assembler.counters;
    assert.deepEqual(streams['other_cameras'], {
      received: 985 * 4,
      refused: { too_many_cameras: 985 * 4 },
    });
    assert.equal(Object.keys(streams).filter((name) => name.startsWith('camera')).length, 15 * 4);
    assert.deepEqual(frames, { in: 1000, used: 0, dropped: { too_many_cameras: 985 } });
    assert.equal(bench.reports.length, 1);
    // Their stamps tell nothing either.
    bench.push(depthMessage(goodDepth({ stamp: at(1) }), 'camera500'));
    assert.deepEqual(bench.jumps, []);
  });

  it('refuses frame ids beyond 256 characters and shows them shortened', () => {
    const bench = makeBench();
    const long = 'x'.repeat(5000);
    bench.push(
      ...surroundings(),
      ...infoMessages(goodInfo({ frameId: long })),
      depthMessage(goodDepth({ frameId: long })),
      { kind: 'tf', transforms: [edge('map', long, at(10))] },
    );
    const { streams } = bench.assembler.counters;
    for (const stream of ['color_info', 'depth_info', 'depth', 'tf'])
      assert.deepEqual(streams[stream]?.refused, { frame_id_too_long: 1 }, stream);
    assert.equal(bench.reports.length, 4);
    for (const { detail } of bench.reports) {
      assert.ok(detail.length < 250, detail);
      assert.match(detail, /5000 characters/);
    }
    assert.equal(bench.push(...pairAt(at(10.05))).length, 1);
  });
});
