import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Stamped } from '../../src/sync/FramePairer.js';
import { FollowUps, type FollowUpDropCause } from '../../src/sync/FollowUps.js';
import type { Stamp } from '../../src/time/Stamp.js';

/*
 * Timelines in milliseconds. `P 100` is a picture, `M 100` a message with this stamp; the newest picture is the
 * data's clock. What came of each is read as `100: found 100` or `100: nothing_in_time`.
 */

const MS = 1_000_000n;
const TOLERANCE_MS = 20;
const WAIT_MS = 300;

const ms = (value: number): Stamp => BigInt(Math.round(value)) * MS;

/** Asks for its pictures in order, as their owner does. */
class Timeline {
  readonly outcomes: string[] = [];
  readonly drops: string[] = [];
  readonly waiting: Stamp[] = [];
  readonly followUps: FollowUps<Stamped>;
  #now: Stamp = 0n;

  constructor(queueSize = 1000) {
    this.followUps = new FollowUps<Stamped>({
      tolerance: ms(TOLERANCE_MS),
      wait: ms(WAIT_MS),
      queueSize,
      onDrop: ({ stamp }, cause: FollowUpDropCause) => this.drops.push(`${stamp / MS}: ${cause}`),
    });
  }

  picture(at: number): this {
    this.waiting.push(ms(at));
    if (ms(at) > this.#now) this.#now = ms(at);
    return this.#ask(false);
  }

  message(at: number): this {
    this.followUps.push({ stamp: ms(at) });
    return this.#ask(false);
  }

  play(text: string): this {
    for (const [, what, at] of text.matchAll(/([PM]) (\d+)/g)) {
      if (what === 'P') this.picture(Number(at));
      else this.message(Number(at));
    }
    return this;
  }

  end(): this {
    this.#ask(true);
    this.followUps.flush();
    return this;
  }

  restart(): this {
    this.#now = 0n;
    this.waiting.length = 0;
    this.followUps.clear();
    return this;
  }

  #ask(isLast: boolean): this {
    for (;;) {
      const [stamp, next] = this.waiting;
      if (stamp === undefined) return this;
      const answer = this.followUps.ask({ stamp, next, now: this.#now, isLast });
      if (answer.kind === 'wait') return this;
      this.waiting.shift();
      const told = answer.kind === 'found' ? `found ${answer.message.stamp / MS}` : answer.cause;
      this.outcomes.push(`${stamp / MS}: ${told}`);
    }
  }
}

describe('FollowUps', () => {
  it('gives a picture the message with its stamp, however late within the wait', () => {
    const { outcomes, drops } = new Timeline().play('P 100 P 133 P 166 P 399 M 100');
    assert.deepEqual(outcomes, ['100: found 100']);
    assert.deepEqual(drops, []);
  });

  it('lets a picture go as soon as a later message is there: nothing more can come for it', () => {
    const line = new Timeline().play('P 100 P 133 P 166 P 200 M 100');
    assert.deepEqual(line.outcomes, ['100: found 100']);
    line.play('M 200');
    assert.deepEqual(line.outcomes.slice(1), [
      '133: picture_skipped',
      '166: picture_skipped',
      '200: found 200',
    ]);
  });

  /* Five times a second on thirty pictures: none waits for longer than the next message takes. */
  it('uses every picture of a camera that is faster than the detector', () => {
    const line = new Timeline();
    for (let index = 0; index < 90; index++) {
      line.picture(1000 + (index * 100) / 3);
      const said = index - 3;
      if (said >= 0 && said % 6 === 0) line.message(1000 + (said * 100) / 3);
      assert.ok(line.waiting.length <= 9, `${line.waiting.length} pictures wait`);
    }
    line.end();
    assert.equal(line.outcomes.length, 90);
    assert.equal(line.outcomes.filter((outcome) => outcome.includes('found')).length, 15);
  });

  it('waits for the time it was given on the data’s clock and no longer', () => {
    const line = new Timeline().play('P 100 P 400');
    assert.deepEqual(line.outcomes, []);
    assert.deepEqual(line.play('P 401').outcomes, ['100: nothing_in_time']);
  });

  it('takes the nearest of several within the tolerance, and nothing beyond it', () => {
    assert.deepEqual(new Timeline().play('P 100 P 200 M 85 M 110 M 221').end().outcomes, [
      '100: found 110',
      '200: picture_skipped',
    ]);
  });

  it('never takes what is said of one picture for its neighbour', () => {
    const early = new Timeline().play('P 100 P 115 M 100').end();
    assert.deepEqual(early.outcomes, ['100: found 100', '115: nothing_in_time']);
    const late = new Timeline().play('P 100 P 115 M 115').end();
    assert.deepEqual(late.outcomes, ['100: picture_skipped', '115: found 115']);
  });

  it('waits for the next picture before it takes a message in between', () => {
    const line = new Timeline().play('P 100 M 112');
    assert.deepEqual(line.outcomes, []);
    assert.deepEqual(line.play('P 120 M 300').outcomes, ['100: picture_skipped', '120: found 112']);
  });

  it('tells messages that came after their picture had gone from those whose picture never was', () => {
    const line = new Timeline().play('P 100 P 500 M 100 M 300 M 500 M 530').end();
    assert.deepEqual(line.outcomes, ['100: nothing_in_time', '500: found 500']);
    assert.deepEqual(line.drops, ['100: came_late', '300: no_picture', '530: no_picture']);
  });

  it('tells messages of a picture that was not used for another reason', () => {
    const line = new Timeline();
    line.followUps.skip(ms(100));
    line.play('M 100 P 133 M 133 M 150').end();
    assert.deepEqual(line.outcomes, ['133: found 133']);
    assert.deepEqual(line.drops, ['100: picture_dropped', '150: no_picture']);
  });

  it('does not give a gone picture’s message to the next one', () => {
    const line = new Timeline().play('P 100 P 110 P 401').play('M 105 M 111').end();
    assert.deepEqual(line.outcomes, ['100: nothing_in_time', '110: found 111', '401: nothing_in_time']);
    assert.deepEqual(line.drops, ['105: came_late']);
  });

  it('does not wait for a sender that is silent, and waits again once it speaks', () => {
    const line = new Timeline();
    for (let at = 1000; at <= 3000; at += 100) line.picture(at);
    // 1.3 s after the first picture nobody has said anything.
    assert.deepEqual([line.outcomes.length, line.waiting.length], [21, 0]);
    assert.equal(line.outcomes.at(-1), '3000: sender_silent');
    line.play('M 3000 P 3100');
    assert.deepEqual([line.drops, line.waiting], [['3000: came_late'], [ms(3100)]]);
    assert.deepEqual(line.message(3100).outcomes.at(-1), '3100: found 3100');
  });

  it('does not take a slow sender for a silent one', () => {
    const line = new Timeline();
    for (let at = 1000; at <= 11_000; at += 100) {
      line.picture(at);
      if ((at - 1200) % 2000 === 0) line.message(at - 200);
    }
    const found = line.end().outcomes.filter((outcome) => outcome.includes('found'));
    assert.deepEqual(found, ['1000: found 1000', '5000: found 5000', '7000: found 7000', '9000: found 9000']);
  });

  it('keeps so many messages and tells of the oldest that gave way', () => {
    const line = new Timeline(2).play('M 100 M 200 M 300');
    assert.deepEqual(line.drops, ['100: queue_full']);
  });

  it('forgets the old time when told', () => {
    const line = new Timeline().play('P 5000 M 5000 M 5100').restart();
    assert.deepEqual(line.play('P 100 M 100').outcomes.at(-1), '100: found 100');
    assert.deepEqual(line.drops, []);
  });

  it('gives the same pictures the same messages for every order of arrival within the wait', () => {
    const least = WAIT_MS - 2 * TOLERANCE_MS - 1;
    const delays = fc.array(fc.integer({ min: 0, max: least }), { minLength: 80, maxLength: 80 });
    const world = fc.record({
      steps: fc.array(fc.integer({ min: 1, max: 120 }), { minLength: 1, maxLength: 40 }),
      /** Of each picture: said nothing, or a message this far off. */
      said: fc.array(fc.option(fc.integer({ min: -25, max: 25 })), { minLength: 40, maxLength: 40 }),
      orders: fc.array(delays, { minLength: 3, maxLength: 3 }),
    });
    fc.assert(
      fc.property(world, ({ steps, said, orders }) => {
        let at = 1000;
        const pictures = steps.map((step) => (at += step));
        const all = pictures.flatMap((stamp, k) => (said[k] === null ? [] : [stamp + said[k]]));
        const messages = [...new Set(all)].sort((a, b) => a - b);
        const expected = mutuallyNearest(pictures, messages);
        for (const order of orders) {
          const line = new Timeline();
          for (const { stamp, isPicture } of arrivals(pictures, messages, order)) {
            if (isPicture) line.picture(stamp);
            else line.message(stamp);
          }
          line.end();
          const found = line.outcomes.filter((outcome) => outcome.includes('found'));
          assert.deepEqual(found, expected);
          assert.equal(line.outcomes.length, pictures.length);
          assert.equal(line.drops.length, messages.length - found.length);
        }
      }),
      { numRuns: 300 },
    );
  });
});

interface Arrival {
  readonly stamp: number;
  readonly isPicture: boolean;
}

/** Each stream in its own order, no message before its stamp. */
function arrivals(
  pictures: readonly number[],
  messages: readonly number[],
  delays: readonly number[],
): Arrival[] {
  const stream = (stamps: readonly number[], isPicture: boolean, from: number) => {
    let last = 0;
    return stamps.map((stamp, k) => ({
      stamp,
      isPicture,
      at: (last = Math.max(last, stamp + delays[(from + k) % 80])),
    }));
  };
  return [...stream(pictures, true, 0), ...stream(messages, false, 40)].sort((a, b) => a.at - b.at);
}

/** By brute force: the nearest message of those to which the picture is the nearest; of equals the earlier. */
function mutuallyNearest(pictures: readonly number[], messages: readonly number[]): string[] {
  const nearest = (stamp: number, among: readonly number[]): number | undefined =>
    [...among].sort((a, b) => Math.abs(a - stamp) - Math.abs(b - stamp) || a - b)[0];
  return pictures.flatMap((picture) => {
    const own = messages.filter(
      (message) => nearest(message, pictures) === picture && Math.abs(message - picture) <= TOLERANCE_MS,
    );
    const best = nearest(picture, own);
    return best === undefined ? [] : [`${picture}: found ${best}`];
  });
}
