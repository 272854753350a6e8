import type { FaultLog } from './guard.js';
import { guard } from './guard.js';
import { chooseQos, describeMismatch, describeOffer, sameQos } from './qos.js';
import type { QosWish } from './qos.js';
import { toRclQos } from './rcl.js';
import type { PublisherInfo, QosProfile, RosNode, RosSubscription } from './rosTypes.js';

/** Window over which the rate of a topic is told. */
const RATE_WINDOW_MS = 5000;

export interface RawInputOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  /** `sensor_msgs/msg/Image` */
  readonly type: string;
  /** As the code names it; remapping is applied here. */
  readonly topic: string;
  readonly qos: QosWish;
  /** Gets the message's CDR bytes, an owned copy. */
  readonly receive: (cdr: Uint8Array) => void;
}

/** What diagnostics tell about one input topic. */
export interface InputStatus {
  readonly topic: string;
  readonly type: string;
  readonly publishers: number;
  readonly offered: readonly string[];
  readonly asked: string;
  readonly mismatches: readonly string[];
  readonly received: number;
  readonly rateHz: number;
  /** Seconds since the last message on the steady clock; undefined before the first. */
  readonly ageS: number | undefined;
}

/**
 * A subscription to the undecoded bytes of a topic that follows its publishers: `poll` looks who publishes and
 * subscribes anew when another quality of service suits them better. It subscribes at once, with the least
 * demanding reliability, so that nothing is missed while nobody is known yet. While it changes over, the old
 * subscription delivers until the new one does: matching takes a while, and a player does not wait for it.
 */
export class RawInput {
  readonly topic: string;
  #subscription: RosSubscription | undefined;
  #asked: QosProfile;
  #publishers: readonly PublisherInfo[] = [];
  #received = 0;
  /** Arrival times in ms of the steady clock, oldest first, within the window. */
  #arrivals: number[] = [];

  constructor(private readonly options: RawInputOptions) {
    this.topic = options.node.resolveTopicName(options.topic);
    this.#publishers = this.#lookUp();
    this.#asked = chooseQos(options.qos, this.#publishers);
    this.#subscribe();
  }

  get publisherCount(): number {
    return this.#publishers.length;
  }

  /** To be called about once a second. */
  poll(): void {
    this.#closePrevious();
    this.#publishers = this.#lookUp();
    // While nobody publishes the old choice stays: it is as good as any, and changing it costs a subscription.
    if (this.#publishers.length === 0) return;
    const wanted = chooseQos(this.options.qos, this.#publishers);
    if (sameQos(wanted, this.#asked)) return;
    this.#asked = wanted;
    this.#previous = this.#subscription;
    this.#subscribe();
  }

  status(): InputStatus {
    const now = performance.now();
    this.#forgetOld(now);
    const last = this.#lastArrival;
    return {
      topic: this.topic,
      type: this.options.type,
      publishers: this.#publishers.length,
      offered: [...new Set(this.#publishers.map(describeOffer))],
      asked: `${this.#asked.reliability}/${this.#asked.durability}`,
      mismatches: this.#publishers.flatMap((publisher) => describeMismatch(this.#asked, publisher) ?? []),
      received: this.#received,
      rateHz: (this.#arrivals.length * 1000) / RATE_WINDOW_MS,
      ageS: last === undefined ? undefined : (now - last) / 1000,
    };
  }

  /** Ends the subscription; what was counted stays. */
  close(): void {
    this.#closePrevious();
    if (this.#subscription === undefined) return;
    this.options.node.destroySubscription(this.#subscription);
    this.#subscription = undefined;
  }

  #lastArrival: number | undefined;
  /** Counts the subscriptions made; the newest has this number. */
  #generation = 0;
  #previous: RosSubscription | undefined;
  /** What the previous subscription delivered last, since the new one exists. */
  #lastOfPrevious: Uint8Array | undefined;

  #subscribe(): void {
    const { node, faults, type, topic } = this.options;
    const generation = ++this.#generation;
    const receive = guard(faults, `subscription ${topic}`, (cdr: Uint8Array) => this.#take(generation, cdr));
    const qos = toRclQos(this.#asked);
    this.#subscription = node.createSubscription(type, topic, { qos, isRaw: true }, receive);
  }

  #take(generation: number, cdr: Uint8Array): void {
    const isNewest = generation === this.#generation;
    // One that was closed while this message was on its way.
    if (!isNewest && this.#previous === undefined) return;
    if (isNewest && this.#previous !== undefined) {
      const seen = this.#lastOfPrevious;
      this.#closePrevious();
      if (seen !== undefined && Buffer.compare(seen, cdr) === 0) return;
    }
    if (!isNewest) this.#lastOfPrevious = cdr;
    this.#noteArrival();
    this.options.receive(cdr);
  }

  #closePrevious(): void {
    const previous = this.#previous;
    this.#previous = undefined;
    this.#lastOfPrevious = undefined;
    if (previous !== undefined) this.options.node.destroySubscription(previous);
  }

  /** Publishers of this type only: another type under the same name never matches. */
  #lookUp(): readonly PublisherInfo[] {
    const all = this.options.node.getPublishersInfoByTopic(this.topic);
    return all.filter((publisher) => publisher.topic_type === this.options.type);
  }

  #noteArrival(): void {
    const now = performance.now();
    this.#received += 1;
    this.#lastArrival = now;
    this.#arrivals.push(now);
    this.#forgetOld(now);
  }

  #forgetOld(now: number): void {
    while (this.#arrivals[0] !== undefined && this.#arrivals[0] < now - RATE_WINDOW_MS)
      this.#arrivals.shift();
  }
}
