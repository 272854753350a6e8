import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawMessage, Recording, TopicInfo } from '../recordings/Recording.js';
import type { Stamp } from '../time/Stamp.js';
import { rosTimeFromStamp } from '../time/Stamp.js';
import { CdrWriter } from './CdrWriter.js';
import { offeredQos } from './offeredQos.js';
import { toRclQos } from './rcl.js';
import type { RosNode, RosPublisher } from './rosTypes.js';

/**
 * Publishes a recording on its topics: the recorded bytes as they are, at the recorded pace times `rate`, with
 * `/clock` beside them (best effort, as `ros2 bag play` does). A message that is due late is published at once
 * and the ones after it keep their own time, so a hiccup does not delay the rest.
 */

const CLOCK_QOS = { reliability: 'best_effort', durability: 'volatile', depth: 1 } as const;
/** As often as `ros2 bag play --clock` by default. */
const CLOCK_PERIOD_MS = 25;
/** Latched topics keep all their messages for late listeners, up to this many. */
const MAX_LATCHED = 1000;

export interface PlayOptions {
  /** 2: twice as fast as recorded. */
  readonly rate?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (share: number) => void;
}

interface Pace {
  readonly firstStamp: Stamp;
  readonly startedMs: number;
  readonly rate: number;
}

export class RecordingPlayer {
  readonly #node: RosNode;
  readonly #recording: Recording;
  readonly #publishers = new Map<string, RosPublisher>();
  readonly #clock: RosPublisher;
  /** Sentences about topics that cannot be published here. */
  readonly warnings: readonly string[];

  constructor(node: RosNode, recording: Recording) {
    this.#node = node;
    this.#recording = recording;
    this.#clock = node.createPublisher('rosgraph_msgs/msg/Clock', '/clock', { qos: toRclQos(CLOCK_QOS) });
    this.warnings = recording.topics.flatMap((topic) => this.#advertise(topic) ?? []);
  }

  /** How many of the recording's topics somebody listens to. */
  get heardTopics(): number {
    return [...this.#publishers.values()].filter(({ subscriptionCount }) => subscriptionCount > 0).length;
  }

  /** Waits until that many topics are listened to; false when they are not in time or the wait is aborted. */
  async waitForListeners(topics: number, timeoutS: number, signal?: AbortSignal): Promise<boolean> {
    const untilMs = performance.now() + timeoutS * 1000;
    while (this.heardTopics < topics) {
      if (performance.now() >= untilMs || signal?.aborted === true) return false;
      await sleep(50);
    }
    return true;
  }

  /** Plays once, from the first message to the last; resolves early, without an error, when aborted. */
  async play({ rate = 1, signal, onProgress }: PlayOptions = {}): Promise<{ readonly published: number }> {
    const { start: firstStamp, end } = this.#recording;
    if (firstStamp === undefined || end === undefined) return { published: 0 };
    const pace: Pace = { firstStamp, startedMs: performance.now(), rate };
    const clock = setInterval(() => this.#publishClock(stampNow(pace, end)), CLOCK_PERIOD_MS);
    let published = 0;
    try {
      this.#publishClock(firstStamp);
      for await (const message of this.#recording.messages({ topics: [...this.#publishers.keys()] })) {
        await sleepUntil(dueMs(pace, message.logTime), signal);
        if (signal?.aborted === true) break;
        this.#publish(message);
        published += 1;
        onProgress?.(
          end === firstStamp ? 1 : Number(message.logTime - firstStamp) / Number(end - firstStamp),
        );
      }
    } finally {
      clearInterval(clock);
    }
    return { published };
  }

  close(): void {
    for (const publisher of [...this.#publishers.values(), this.#clock])
      this.#node.destroyPublisher(publisher);
    this.#publishers.clear();
  }

  /** @returns why the topic cannot be published, or undefined. */
  #advertise({ name, type, count, encoding, qos }: TopicInfo): string | undefined {
    if (encoding !== 'cdr') return `${name} is not played: its messages are ${encoding}, not cdr`;
    if (name === '/clock') return undefined;
    if (!isPackageInstalled(type))
      return `${name} is not played: the type ${type} is not known to this ROS installation`;
    const offered = offeredQos(name, qos);
    const isLatched = offered.durability === 'transient_local';
    const profile = isLatched
      ? { ...offered, depth: Math.min(MAX_LATCHED, Math.max(offered.depth, count)) }
      : offered;
    try {
      this.#publishers.set(name, this.#node.createPublisher(type, name, { qos: toRclQos(profile) }));
      return undefined;
    } catch {
      // The client library's text for an unknown type is a path of its own; the type says more.
      return `${name} is not played: the type ${type} is not known to this ROS installation`;
    }
  }

  #publish({ topic, data }: RawMessage): void {
    // The client library ignores a view's offset: it needs the bytes at the start of a buffer of their own.
    this.#publishers.get(topic)?.publish(Buffer.from(Uint8Array.from(data).buffer));
  }

  #publishClock(stamp: Stamp): void {
    const { sec, nanosec } = rosTimeFromStamp(stamp);
    this.#clock.publish(new CdrWriter().int32(sec).uint32(nanosec).finish());
  }
}

/** Asked first because the client library looks for a package's folder aloud, on stderr, once per prefix. */
function isPackageInstalled(type: string): boolean {
  const [packageName = ''] = type.split('/');
  const prefixes = (process.env['AMENT_PREFIX_PATH'] ?? '').split(path.delimiter);
  const marker = path.join('share', 'ament_index', 'resource_index', 'packages', packageName);
  return prefixes.some((prefix) => existsSync(path.join(prefix, marker)));
}

function dueMs({ firstStamp, startedMs, rate }: Pace, stamp: Stamp): number {
  return startedMs + Number(stamp - firstStamp) / 1e6 / rate;
}

/** The data's time now, not beyond the recording's end. */
function stampNow({ firstStamp, startedMs, rate }: Pace, end: Stamp): Stamp {
  const now = firstStamp + BigInt(Math.round((performance.now() - startedMs) * rate * 1e6));
  return now < end ? now : end;
}

/** Always gives the event loop a turn, so that publishing late does not starve discovery and signals. */
async function sleepUntil(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const left = ms - performance.now();
  try {
    await sleep(Math.max(0, left), undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
}
