import { decodeInput } from '../input/decodeInput.js';
import type { InputMessage } from '../input/messages.js';
import { MessageCodec } from '../input/MessageCodec.js';
import type { Parameters } from '../pipeline/parameters.js';
import type { DepthFigures, InputFigures } from './diagnostics.js';
import type { FaultLog } from './guard.js';
import { listInputs, LiveInput } from './inputs.js';
import type { InputSpec } from './inputs.js';
import { IntakeQueue } from './IntakeQueue.js';
import type { LivePipeline } from './LivePipeline.js';
import type { RosNode } from './rosTypes.js';
import { createSteadyTimer } from './steadyTimer.js';
import { streamOf } from './streamOf.js';

/**
 * From topics to the pipeline: bytes are decoded as they come and handed on one message at a time. While one is
 * worked on, the newest pictures wait and older ones are dropped and counted; between two messages the event
 * loop turns, so that services are answered while frames pour in.
 */

const POLL_PERIOD_S = 1;
/** Small against `tf.wait_s`. */
const EXPIRY_PERIOD_S = 0.1;
/** Waiting pictures per stream: the newest, and one whose partner is still on its way. */
const PICTURES_WAITING = 2;

interface Arrived {
  readonly spec: InputSpec;
  readonly message: InputMessage;
}

export interface LiveIntakeOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly parameters: Parameters;
  readonly pipeline: Pick<LivePipeline, 'push' | 'expire' | 'figures'>;
}

export class LiveIntake {
  readonly #inputs: readonly LiveInput[];
  readonly #drops = new Map<InputSpec, Map<string, number>>();
  readonly #lastDrop = new Map<InputSpec, string>();
  readonly #codec = new MessageCodec();
  readonly #queue: IntakeQueue<Arrived>;
  #isWorking = false;
  #isStopped = false;

  constructor(private readonly options: LiveIntakeOptions) {
    const { node, faults, parameters } = options;
    this.#queue = new IntakeQueue(PICTURES_WAITING, ({ spec }) => this.#countDrop(spec, 'newer_arrived'));
    this.#inputs = listInputs(node, parameters).map(
      (spec) => new LiveInput({ node, faults, spec, receive: (...received) => this.#receive(...received) }),
    );
    createSteadyTimer(node, faults, 'publisher poll', POLL_PERIOD_S, () => {
      if (this.#isStopped) return;
      for (const input of this.#inputs) input.poll();
    });
    createSteadyTimer(node, faults, 'frame expiry', EXPIRY_PERIOD_S, () => {
      // While something is worked on the next frame's turn comes soon enough.
      if (this.#isStopped || this.#isWorking) return;
      this.#working = this.#expire();
    });
  }

  figures(): readonly InputFigures[] {
    const { refused, lastRefusal } = this.options.pipeline.figures();
    return this.#inputs.map((input) => {
      const { spec } = input;
      const stream = streamOf(spec);
      return {
        spec,
        status: input.status(),
        drops: new Map([...(this.#drops.get(spec) ?? []), ...Object.entries(refused(stream))]),
        lastDropCause: lastRefusal(stream) ?? this.#lastDrop.get(spec),
      };
    });
  }

  /** What became of the depth pictures before they reached the pipeline. */
  depthFigures(): DepthFigures {
    const dropped: Record<string, number> = {};
    let [received, pending] = [0, 0];
    for (const input of this.#inputs.filter(({ spec }) => spec.kind === 'depth')) {
      received += input.status().received;
      pending += this.#queue.waitingOf(streamOf(input.spec));
      for (const [cause, count] of this.#drops.get(input.spec) ?? [])
        dropped[cause] = (dropped[cause] ?? 0) + count;
    }
    return { received, pending, dropped };
  }

  /** Nothing is taken in any more; what waits is let go, what is being worked on is finished. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const input of this.#inputs) input.close();
    this.#queue.clear();
    await this.#working;
  }

  #working: Promise<void> = Promise.resolve();

  #receive(spec: InputSpec, type: string, cdr: Uint8Array): void {
    if (this.#isStopped) return;
    const decoded = decodeInput(spec.kind, spec.camera, type, cdr, this.#codec.reader(type));
    if (!decoded.ok) {
      this.#countDrop(spec, decoded.cause);
      return;
    }
    const isPicture = spec.kind === 'color' || spec.kind === 'depth';
    this.#queue.add({ spec, message: decoded.value }, isPicture ? streamOf(spec) : undefined);
    if (!this.#isWorking) this.#working = this.#work();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#queue.take(); next !== undefined; next = this.#queue.take()) {
      try {
        await this.options.pipeline.push(next.message);
      } catch (error) {
        this.options.faults.add(`pipeline (${next.spec.kind})`, error);
      }
      // Only pictures cost enough to be worth a turn of the loop each.
      if (next.spec.kind === 'color' || next.spec.kind === 'depth') await new Promise(setImmediate);
    }
    this.#isWorking = false;
  }

  async #expire(): Promise<void> {
    this.#isWorking = true;
    try {
      await this.options.pipeline.expire();
    } catch (error) {
      this.options.faults.add('pipeline (expiry)', error);
    }
    // What came meanwhile found somebody at work and waits.
    await this.#work();
  }

  #countDrop(spec: InputSpec, cause: string): void {
    const drops = this.#drops.get(spec) ?? new Map<string, number>();
    drops.set(cause, (drops.get(cause) ?? 0) + 1);
    this.#drops.set(spec, drops);
    this.#lastDrop.set(spec, cause);
  }
}
