import assert from 'node:assert/strict';
import fc from 'fast-check';
import { FramePairer, type Pair, type Stamped } from '../../src/sync/FramePairer.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import { at } from '../fixtures/goodPair.js';

interface Arrival {
  readonly stream: 'color' | 'depth';
  readonly stamp: bigint;
}

interface Outcome {
  readonly pairs: Pair<Stamped, Stamped>[];
  /** How many arrivals had been seen when each pair came out. */
  readonly after: number[];
  readonly drops: string[];
  readonly largest: number;
}

const MAX_INTERVAL = durationFromSeconds(0.05);
const QUEUE_SIZE = 30;

function play(arrivals: readonly Arrival[], queueSize = QUEUE_SIZE, flush = false): Outcome {
  const drops: string[] = [];
  const pairer = new FramePairer({
    maxInterval: MAX_INTERVAL,
    queueSize,
    colorAbsentAfter: durationFromSeconds(1),
    onDrop: (stream, item, cause) => drops.push(`${stream} ${item.stamp} ${cause}`),
  });
  const pairs: Pair<Stamped, Stamped>[] = [];
  const after: number[] = [];
  let largest = 0;
  const take = (made: Pair<Stamped, Stamped>[], seen: number): void => {
    for (const pair of made) {
      pairs.push(pair);
      after.push(seen);
    }
    largest = Math.max(largest, pairer.size);
  };
  for (const [index, { stream, stamp }] of arrivals.entries()) {
    take(stream === 'depth' ? pairer.pushDepth({ stamp }) : pairer.pushColor({ stamp }), index + 1);
  }
  if (flush) take(pairer.flush(), arrivals.length);
  return { pairs, after, drops, largest };
}

/**
 * Reads a timeline: two rows, one column per 10 ms, a letter where a picture is taken; each arrives when taken.
 * The answer lists the pairs by their letters, `-` for no colour.
 */
function timeline(depthRow: string, colorRow: string): { pairs: string; drops: number } {
  const letters = new Map<string, string>();
  const arrivals: Arrival[] = [];
  for (let column = 0; column < Math.max(depthRow.length, colorRow.length); column++) {
    const stamp = 1_000_000_000n + BigInt(column) * 10_000_000n;
    for (const [stream, row] of [
      ['depth', depthRow],
      ['color', colorRow],
    ] as const) {
      const letter = row[column];
      if (!letter || !/\w/.test(letter)) continue;
      letters.set(`${stream} ${stamp}`, letter);
      arrivals.push({ stream, stamp });
    }
  }
  const { pairs, drops } = play(arrivals, QUEUE_SIZE, true);
  const names = pairs.map(
    ({ depth, color }) =>
      `${letters.get(`depth ${depth.stamp}`) ?? '?'}${color ? (letters.get(`color ${color.stamp}`) ?? '?') : '-'}`,
  );
  return { pairs: names.join(' '), drops: drops.length };
}

/** Largest number of pairs in order and within the interval, by trying everything. */
function mostPairs(depth: readonly bigint[], color: readonly bigint[]): number {
  let previous = new Array<number>(color.length + 1).fill(0);
  for (const d of depth) {
    const current = [0];
    for (const [index, c] of color.entries()) {
      const apart = d > c ? d - c : c - d;
      const paired = apart <= MAX_INTERVAL ? (previous[index] ?? 0) + 1 : 0;
      current.push(Math.max(current[index] ?? 0, previous[index + 1] ?? 0, paired));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}

// The names in brackets are those of message_filters' tests of the approximate policy.
describe('FramePairer on timelines (one column = 10 ms)', () => {
  const cases: readonly [title: string, depth: string, color: string, pairs: string, drops: number][] = [
    ['pairs equal stamps [ExactMatch]', 'a..b..c', 'A..B..C', 'aA bB cC', 0],
    ['pairs constant offsets with the nearest [PerfectMatch]', 'a...b...c...', '.A...B...C..', 'aA bB cC', 0],
    ['prefers the nearer, wherever it lies [ImperfectMatch]', '..a......b...', 'A..B...C..D..', 'aB bD', 2],
    [
      'follows a rate that changes [Acceleration]',
      'a.......b...c..d.e',
      '.A......B..C..D..E',
      'aA bB cC dD eE',
      0,
    ],
    [
      'goes on after lost pictures [DroppedMessages]',
      'a.....b...........d.....e',
      'A...........C.....D.....E',
      'aA dD eE',
      2,
    ],
    ['uses each picture once [DoublePublish]', 'ab..c', 'A...C', 'aA cC', 1],
    ['does not pair beyond the interval', 'a...........b', '......A......', '', 3],
    ['pairs at exactly the interval', 'a....', '.....A', 'aA', 0],
    ['takes equal stamps although an earlier one is near', '...a', 'X..A', 'aA', 1],
    ['takes each second colour picture at half the rate', 'a.....b.....c', 'A..X..B..Y..C', 'aA bB cC', 2],
  ];
  for (const [title, depth, color, pairs, drops] of cases) {
    it(title, () => assert.deepEqual(timeline(depth, color), { pairs, drops }));
  }
});

describe('FramePairer', () => {
  it('adds no latency to equal stamps, whichever comes first', () => {
    for (const order of [
      ['color', 'depth'],
      ['depth', 'color'],
    ] as const) {
      const arrivals = Array.from({ length: 40 }, (_, index) => ({
        stream: order[index % 2] ?? 'depth',
        stamp: at(10 + Math.floor(index / 2) / 30),
      }));
      assert.deepEqual(
        play(arrivals).after,
        Array.from({ length: 20 }, (_, index) => 2 * index + 2),
      );
    }
  });

  it('does not wait for a nearer picture that cannot come any more [RateBound]', () => {
    //  depth at 0, 33, 67 … ms; colour 10 ms before each: the next is 23 ms after, 10 + half a period is the bound.
    const arrivals: Arrival[] = [];
    for (let index = 0; index < 30; index++) {
      arrivals.push({ stream: 'color', stamp: at(10 + index / 30 - 0.005) });
      arrivals.push({ stream: 'depth', stamp: at(10 + index / 30) });
    }
    const { after } = play(arrivals);
    assert.deepEqual(
      after.slice(1),
      Array.from({ length: 29 }, (_, index) => 2 * index + 4),
    );
  });

  it('uses each picture at most once, in order, within the interval and with bounded memory', () => {
    const stamps = fc
      .uniqueArray(fc.integer({ min: 0, max: 3000 }), { maxLength: 120 })
      .map((values) => values.sort((a, b) => a - b).map((value) => BigInt(value) * 1_000_000n + 1n));
    fc.assert(
      fc.property(
        stamps,
        stamps,
        fc.array(fc.boolean(), { minLength: 240, maxLength: 240 }),
        (depth, color, turns) => {
          const arrivals: Arrival[] = [];
          let [d, c] = [0, 0];
          for (const turn of turns) {
            const stream = turn ? 'depth' : 'color';
            const stamp = turn ? depth[d++] : color[c++];
            if (stamp !== undefined) arrivals.push({ stream, stamp });
          }
          const { pairs, drops, largest } = play(arrivals, 10, true);
          assert.ok(largest <= 20);
          const partnered = pairs.filter((pair) => pair.color);
          for (const [index, { depth: one, color: other }] of partnered.entries()) {
            const apart = one.stamp - (other?.stamp ?? 0n);
            assert.ok(apart <= MAX_INTERVAL && -apart <= MAX_INTERVAL);
            const before = partnered[index - 1];
            if (!before) continue;
            assert.ok(before.depth.stamp < one.stamp);
            assert.ok((before.color?.stamp ?? 0n) < (other?.stamp ?? 0n));
          }
          assert.equal(
            pairs.length + partnered.length + drops.length,
            arrivals.length,
            'nothing is lost unsaid',
          );
        },
      ),
    );
  });

  it('finds every equal pair in random losses and any mix of arrival within a frame', () => {
    const frame = fc.record({ depth: fc.boolean(), color: fc.boolean(), colorFirst: fc.boolean() });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 60 }), (frames) => {
        const arrivals: Arrival[] = [];
        for (const [index, { depth, color, colorFirst }] of frames.entries()) {
          // 66 ms apart: only equal stamps are within the interval.
          const stamp = at(10 + index * 0.066);
          const both = (['depth', 'color'] as const).filter((name) => (name === 'depth' ? depth : color));
          for (const stream of colorFirst ? both.reverse() : both) arrivals.push({ stream, stamp });
        }
        const expected = frames.filter(({ depth, color }) => depth && color).length;
        assert.equal(play(arrivals, QUEUE_SIZE, true).pairs.filter((pair) => pair.color).length, expected);
      }),
    );
  });

  it('C37 pairs as many as possible with different rates, jitter, losses and a gap', () => {
    const jitter = (index: number): number => (((index * 7919) % 21) - 10) / 1000;
    const depth: bigint[] = [];
    const color: bigint[] = [];
    for (let index = 0; index < 300; index++) color.push(at(10 + index / 30 + jitter(index)));
    for (let index = 0; index < 150; index++) {
      const second = index / 15;
      if (index % 7 !== 6 && !(second >= 4 && second < 6)) depth.push(at(10 + second + jitter(index + 5)));
    }
    const arrivals: Arrival[] = [
      ...depth.map((stamp) => ({ stream: 'depth' as const, stamp })),
      ...color.map((stamp) => ({ stream: 'color' as const, stamp })),
    ].sort((a, b) => (a.stamp < b.stamp ? -1 : 1));
    const { pairs, largest } = play(arrivals, QUEUE_SIZE, true);
    assert.equal(pairs.length, mostPairs(depth, color));
    assert.ok(pairs.every((pair) => pair.color));
    assert.ok(largest <= 2 * QUEUE_SIZE);
    // Nearest, not merely near: 30 Hz with 10 ms of jitter leaves at most 27 ms.
    for (const pair of pairs) {
      const apart = Number(pair.depth.stamp - (pair.color?.stamp ?? 0n)) / 1e9;
      assert.ok(Math.abs(apart) <= 0.027, `${apart}`);
    }
  });

  it('lets depth go on alone when colour never comes, or has stopped for a second, and pairs again when it returns', () => {
    const never = Array.from({ length: 60 }, (_, index) => ({
      stream: 'depth' as const,
      stamp: at(10 + index / 30),
    }));
    const alone = play(never, 100);
    assert.equal(alone.pairs.length, 60);
    assert.equal(alone.after[0], 32, 'the first second waits');
    assert.equal(alone.after[59], 60, 'afterwards there is no delay');

    const stopped: Arrival[] = [];
    for (let index = 0; index < 120; index++) {
      const stamp = at(10 + index / 30);
      if (index < 30 || index >= 90) stopped.push({ stream: 'color', stamp });
      stopped.push({ stream: 'depth', stamp });
    }
    const { pairs } = play(stopped, 100);
    assert.equal(pairs.length, 120);
    assert.deepEqual(
      pairs.map((pair) => pair.color !== undefined),
      Array.from({ length: 120 }, (_, index) => index < 30 || index >= 90),
    );
  });

  it('drops the oldest of a full queue and says so [LongQueue]', () => {
    const colors = Array.from({ length: 12 }, (_, index) => ({
      stream: 'color' as const,
      stamp: at(10 + index),
    }));
    const { drops, largest } = play(colors, 10);
    assert.equal(largest, 10);
    assert.deepEqual(drops, [`color ${at(10)} queue_full`, `color ${at(11)} queue_full`]);
  });

  it('forgets on clear what came before', () => {
    const drops: unknown[] = [];
    const pairer = new FramePairer({
      maxInterval: MAX_INTERVAL,
      queueSize: 5,
      colorAbsentAfter: durationFromSeconds(1),
      onDrop: (...drop) => drops.push(drop),
    });
    pairer.pushColor({ stamp: at(10) });
    pairer.clear();
    assert.deepEqual(pairer.pushDepth({ stamp: at(10) }), []);
    assert.deepEqual(pairer.pushColor({ stamp: at(10) }).length, 1);
    assert.deepEqual(drops, []);
  });
});
