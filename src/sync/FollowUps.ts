/**
 * Gives each picture the message that was made from it elsewhere and comes after it: what a detector says of it.
 *
 *     pictures    A---B---C---D---E---F
 *     messages            a-----------d      a is said of A, and d, which comes later still, of D
 *
 * Equal stamps belong together; else a message belongs to the picture nearest to it, if that is near enough, and a
 * picture takes the nearest of those that belong to it. So a message has one picture at most, and what is said of A is
 * never taken for B, although a sender slower than the camera leaves B without.
 *
 * A picture waits only while its message can still come. Stamps of one sender rise: once d is there, nothing more comes
 * for B and C. Else it waits for a fixed time on the data's clock, and not at all while the sender is silent. What a
 * picture gets thus follows from the stamps and is the same for every order in which the streams arrive, as long as
 * nothing comes later than the wait less twice the tolerance. The sender's usual delay is not learned: it would be
 * another one in a replay.
 *
 * Pictures are asked about in rising order; stamps of messages must rise, the owner refuses others.
 */
import type { DurationNs, Stamp } from '../time/Stamp.js';
import type { Stamped } from './FramePairer.js';

/** Why a message found no picture. */
export type FollowUpDropCause = 'no_picture' | 'came_late' | 'picture_dropped' | 'queue_full';

/** Why a picture has no message: another is already there, none came in time, none comes at all. */
export type NoFollowUpCause = 'picture_skipped' | 'nothing_in_time' | 'sender_silent';

export type FollowUpAnswer<M extends Stamped> =
  | { readonly kind: 'wait' }
  | { readonly kind: 'found'; readonly message: M }
  | { readonly kind: 'none'; readonly cause: NoFollowUpCause };

export interface FollowUpsOptions<M extends Stamped> {
  /** Largest difference of stamps. */
  readonly tolerance: DurationNs;
  /** How long after its own stamp a picture waits at most. */
  readonly wait: DurationNs;
  /** Messages kept; the oldest gives way. */
  readonly queueSize: number;
  /** Told of each message that no picture gets. */
  readonly onDrop: (message: M, cause: FollowUpDropCause) => void;
}

export interface Asked {
  readonly stamp: Stamp;
  /** The picture after it, where it has come. */
  readonly next: Stamp | undefined;
  /** The newest stamp of all inputs. */
  readonly now: Stamp;
  /** There is no more waiting. */
  readonly isLast: boolean;
}

/** A sender is silent after this, more for one that speaks seldom: its first words after a pause are lost. */
const SILENT_AFTER: DurationNs = 1_000_000_000n;
/** Pictures that took nothing, remembered to tell a message of one of them from a message of none. */
const REMEMBERED = 300;

export class FollowUps<M extends Stamped> {
  readonly #options: FollowUpsOptions<M>;
  #queue: M[] = [];
  #newest: Stamp | undefined;
  /** The longest step lately between stamps of messages. */
  #period: DurationNs = 0n;
  #firstAsked: Stamp | undefined;
  #lastDecided: Stamp | undefined;
  #gone: { readonly stamp: Stamp; readonly cause: 'came_late' | 'picture_dropped' }[] = [];

  constructor(options: FollowUpsOptions<M>) {
    this.#options = options;
  }

  push(message: M): void {
    const { stamp } = message;
    if (this.#newest !== undefined) {
      const step = stamp - this.#newest;
      const shrunk = this.#period - (this.#period >> 3n);
      this.#period = step > shrunk ? step : shrunk;
    }
    this.#newest = stamp;
    if (this.#lastDecided !== undefined && stamp <= this.#lastDecided) {
      this.#drop(message);
      return;
    }
    this.#queue.push(message);
    if (this.#queue.length > this.#options.queueSize) {
      for (const dropped of this.#queue.splice(0, 1)) this.#options.onDrop(dropped, 'queue_full');
    }
  }

  /** What the picture gets. A picture that must wait is asked about again; any other answer is final. */
  ask(asked: Asked): FollowUpAnswer<M> {
    const answer = this.#find(asked);
    if (answer.kind === 'wait') return answer;
    if (answer.kind === 'none') this.#remember(asked.stamp, 'came_late');
    this.#decide(asked.stamp, answer.kind === 'found' ? answer.message : undefined);
    return answer;
  }

  /** This picture will not be used, whatever is said of it. */
  skip(stamp: Stamp): void {
    this.#remember(stamp, 'picture_dropped');
    this.#decide(stamp, undefined);
  }

  /** The end of the data: what is still held belongs to no picture. */
  flush(): void {
    for (const message of this.#queue.splice(0)) this.#drop(message);
  }

  /** Forgets everything, without telling of drops: the time it belongs to is over. */
  clear(): void {
    this.#queue = [];
    this.#newest = undefined;
    this.#period = 0n;
    this.#firstAsked = undefined;
    this.#lastDecided = undefined;
    this.#gone = [];
  }

  #find(asked: Asked): FollowUpAnswer<M> {
    const { stamp, next, now, isLast } = asked;
    this.#firstAsked ??= stamp;
    const later = this.#queue.findIndex((message) => message.stamp >= stamp);
    const after = later < 0 ? undefined : this.#queue[later];
    const before = later < 0 ? this.#queue.at(-1) : this.#queue[later - 1];
    if (after?.stamp === stamp) return { kind: 'found', message: after };
    const isOver = isLast || now - stamp > this.#options.wait;
    // Later messages are farther off still, but without the next picture nobody knows whose this one is.
    const isOpen = after === undefined || (this.#isNear(after, stamp) && next === undefined);
    const isSilent = after === undefined && this.#isSilent(now);
    if (isOpen && !isOver && !isSilent) return { kind: 'wait' };
    const [nearest] = [before, after]
      .filter((message): message is M => message !== undefined && this.#belongs(message, asked))
      .sort((a, b) => Number(apart(a, stamp) - apart(b, stamp)));
    if (nearest !== undefined) return { kind: 'found', message: nearest };
    if (after !== undefined) return { kind: 'none', cause: 'picture_skipped' };
    return { kind: 'none', cause: isSilent ? 'sender_silent' : 'nothing_in_time' };
  }

  #isNear(message: M, stamp: Stamp): boolean {
    return apart(message, stamp) <= this.#options.tolerance;
  }

  /** Of pictures equally near the earlier one has it. */
  #belongs(message: M, { stamp, next }: Asked): boolean {
    const own = apart(message, stamp);
    if (own > this.#options.tolerance) return false;
    if (this.#lastDecided !== undefined && apart(message, this.#lastDecided) <= own) return false;
    return next === undefined || own <= apart(message, next);
  }

  #isSilent(now: Stamp): boolean {
    const since = this.#newest ?? this.#firstAsked ?? now;
    return now - since > SILENT_AFTER + this.#options.wait + 2n * this.#period;
  }

  /** Nothing up to this picture's stamp is of use any more, but what it takes itself. */
  #decide(stamp: Stamp, taken: M | undefined): void {
    this.#lastDecided = stamp;
    const kept: M[] = [];
    for (const message of this.#queue) {
      if (message === taken) continue;
      if (message.stamp > stamp) kept.push(message);
      else this.#drop(message);
    }
    this.#queue = kept;
  }

  #drop(message: M): void {
    const own = this.#gone.find(({ stamp }) => this.#isNear(message, stamp));
    this.#options.onDrop(message, own?.cause ?? 'no_picture');
  }

  #remember(stamp: Stamp, cause: 'came_late' | 'picture_dropped'): void {
    this.#gone.push({ stamp, cause });
    if (this.#gone.length > REMEMBERED) this.#gone.shift();
  }
}

function apart(message: Stamped, stamp: Stamp): DurationNs {
  return message.stamp < stamp ? stamp - message.stamp : message.stamp - stamp;
}
