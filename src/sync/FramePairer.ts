/**
 * Pairs the depth pictures of one camera with its colour pictures by their stamps.
 *
 * Equal stamps pair at once. Otherwise a depth picture takes the nearest colour picture within the largest
 * interval, and the other way round, after the idea of message_filters' ApproximateTime for two streams: of the
 * two queue heads the earlier one can find nothing nearer than the later one, so all that is open is whether
 * the earlier stream still brings a better partner for the later head. That is waited for only while it can
 * be: half the stream's period after its last picture is taken as the earliest moment of the next one.
 *
 * Everything follows from the stamps and the order of arrival, never from a clock, so a replay repeats it.
 * Stamps of each stream must rise; the owner refuses others. A time jump is the owner's matter too (`clear`).
 */
import type { DurationNs, Stamp } from '../time/Stamp.js';

export interface Stamped {
  readonly stamp: Stamp;
}

/** `color` is absent when the camera has no colour stream (any more). */
export interface Pair<D extends Stamped, C extends Stamped> {
  readonly depth: D;
  readonly color?: C;
}

export type PairerDropCause = 'no_partner' | 'queue_full';

export interface FramePairerOptions {
  /** Largest difference of stamps within a pair. */
  readonly maxInterval: DurationNs;
  /** Pictures kept per stream; the oldest gives way. */
  readonly queueSize: number;
  /** Without any colour for this long (by stamps), depth goes on alone. */
  readonly colorAbsentAfter: DurationNs;
  /** Told of each picture that will not be used. */
  readonly onDrop: (stream: 'color' | 'depth', item: Stamped, cause: PairerDropCause) => void;
}

interface Stream<T extends Stamped> {
  readonly name: 'color' | 'depth';
  readonly queue: T[];
  newest: Stamp | undefined;
  first: Stamp | undefined;
  /** Shortest step between stamps seen lately; undefined before the second picture. */
  period: DurationNs | undefined;
}

export class FramePairer<D extends Stamped, C extends Stamped> {
  readonly #options: FramePairerOptions;
  #depth: Stream<D> = newStream('depth');
  #color: Stream<C> = newStream('color');

  constructor(options: FramePairerOptions) {
    this.#options = options;
  }

  /** Pairs that this picture completes, in order of time. */
  pushDepth(item: D): Pair<D, C>[] {
    this.#enqueue(this.#depth, item);
    return this.#takePairs();
  }

  pushColor(item: C): Pair<D, C>[] {
    this.#enqueue(this.#color, item);
    return this.#takePairs();
  }

  /** At the end of the data: what can be paired is, the rest is dropped. */
  flush(): Pair<D, C>[] {
    const pairs = this.#takePairs(true);
    for (const item of this.#depth.queue.splice(0)) this.#options.onDrop('depth', item, 'no_partner');
    for (const item of this.#color.queue.splice(0)) this.#options.onDrop('color', item, 'no_partner');
    return pairs;
  }

  /** Forgets everything, without telling of drops: the time they belong to is over. */
  clear(): void {
    this.#depth = newStream('depth');
    this.#color = newStream('color');
  }

  /** Pictures held at this moment. */
  get size(): number {
    return this.#depth.queue.length + this.#color.queue.length;
  }

  /** Depth pictures among them. */
  get depthSize(): number {
    return this.#depth.queue.length;
  }

  #enqueue<T extends Stamped>(stream: Stream<T>, item: T): void {
    if (stream.newest !== undefined) {
      const step = item.stamp - stream.newest;
      // Follows a faster rate at once and a slower one within some pictures: too short only costs waiting.
      const grown = stream.period === undefined ? step : stream.period + (stream.period >> 3n);
      stream.period = step < grown ? step : grown;
    }
    stream.first ??= item.stamp;
    stream.newest = item.stamp;
    stream.queue.push(item);
    if (stream.queue.length > this.#options.queueSize) this.#dropHead(stream, 'queue_full');
  }

  #takePairs(atEnd = false): Pair<D, C>[] {
    const pairs: Pair<D, C>[] = [];
    for (;;) {
      const [depth] = this.#depth.queue;
      const [color] = this.#color.queue;
      if (depth && color) {
        const step = this.#decide(depth.stamp, color.stamp, atEnd);
        if (step === 'wait') return pairs;
        if (step === 'drop_depth') this.#dropHead(this.#depth, 'no_partner');
        else if (step === 'drop_color') this.#dropHead(this.#color, 'no_partner');
        else {
          this.#depth.queue.shift();
          this.#color.queue.shift();
          pairs.push({ depth, color });
        }
      } else if (depth && this.#isColorAbsent()) {
        this.#depth.queue.shift();
        pairs.push({ depth });
      } else {
        return pairs;
      }
    }
  }

  #decide(depth: Stamp, color: Stamp, atEnd: boolean): 'pair' | 'wait' | 'drop_depth' | 'drop_color' {
    if (depth === color) return 'pair';
    const colorFirst = color < depth;
    const early: Stream<Stamped> = colorFirst ? this.#color : this.#depth;
    const late: Stream<Stamped> = colorFirst ? this.#depth : this.#color;
    const e = colorFirst ? color : depth;
    const l = colorFirst ? depth : color;
    const dropEarly = colorFirst ? 'drop_color' : 'drop_depth';
    // Later pictures of the late stream are farther still.
    if (l - e > this.#options.maxInterval) return dropEarly;
    const next = early.queue[1]?.stamp;
    if (next !== undefined) return isBetter(next, e, l, late.queue[1]?.stamp) ? dropEarly : 'pair';
    return atEnd || !this.#mayImprove(e, l, early, late) ? 'pair' : 'wait';
  }

  /** The early stream may still bring a picture nearer to `l` than `e` is. */
  #mayImprove(e: Stamp, l: Stamp, early: Stream<Stamped>, late: Stream<Stamped>): boolean {
    const mirror = l + (l - e);
    if (early.period !== undefined && e + early.period / 2n >= mirror) return false;
    // The late stream has gone on far enough: that picture was lost on its way.
    return late.newest === undefined || late.newest < mirror + this.#options.maxInterval;
  }

  #isColorAbsent(): boolean {
    const { newest, first } = this.#depth;
    const since = this.#color.newest ?? first;
    if (newest === undefined || since === undefined) return false;
    return newest - since > this.#options.colorAbsentAfter;
  }

  #dropHead(stream: Stream<Stamped>, cause: PairerDropCause): void {
    const item = stream.queue.shift();
    if (item) this.#options.onDrop(stream.name, item, cause);
  }
}

function newStream<T extends Stamped>(name: 'color' | 'depth'): Stream<T> {
  return { name, queue: [], newest: undefined, first: undefined, period: undefined };
}

/** `next` is nearer to `l` than `e` is, and does not itself belong rather to the one after `l`. */
function isBetter(next: Stamp, e: Stamp, l: Stamp, afterL: Stamp | undefined): boolean {
  const distance = abs(next - l);
  if (distance >= l - e) return false;
  return afterL === undefined || abs(next - afterL) >= distance;
}

function abs(duration: DurationNs): DurationNs {
  return duration < 0n ? -duration : duration;
}
