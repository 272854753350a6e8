import type { Worker } from 'node:worker_threads';
import type { RgbdFrame } from '../camera/RgbdFrame.js';
import type { FrameObservation } from '../perceive/observations.js';
import type { PerceiveParameters } from '../perceive/parameters.js';
import type { KnownScene } from '../perceive/perceive.js';
import { startThread } from '../threads/startThread.js';
import type { Perceiver } from './ScenePipeline.js';

/** What goes to the worker and comes back; both survive copying between threads. */
export interface PerceiveTask {
  readonly frame: RgbdFrame;
  readonly known: KnownScene;
}

export type PerceiveOutcome =
  | { readonly ok: true; readonly observation: FrameObservation }
  | { readonly ok: false; readonly reason: string };

interface Waiting {
  readonly resolve: (observation: FrameObservation) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Perception on a thread of its own. A frame takes tens of milliseconds of pure computing; on the event loop a
 * service call would wait that long. Copying a frame over costs about 1 ms. One frame is worked on at a time, in
 * order. A worker that dies fails what it was asked and is replaced at the next frame.
 */
export class WorkerPerceiver implements Perceiver {
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;

  constructor(private readonly parameters: PerceiveParameters) {}

  perceive(frame: RgbdFrame, known: KnownScene): Promise<FrameObservation> {
    const worker = (this.#worker ??= this.#start());
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      const task: PerceiveTask = { frame, known };
      worker.postMessage(task);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    this.#failAll(new Error('perception was closed'));
  }

  #start(): Worker {
    const entry = new URL('./perceiveWorker', import.meta.url);
    const worker = startThread(entry, { workerData: this.parameters, resourceLimits });
    // It waits for frames; that alone must not keep the process alive.
    worker.unref();
    worker.on('message', (outcome: PerceiveOutcome) => this.#settle(outcome));
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', (code) =>
      this.#lose(worker, new Error(`the perception worker ended with code ${code}`)),
    );
    return worker;
  }

  #settle(outcome: PerceiveOutcome): void {
    const next = this.#waiting.shift();
    if (outcome.ok) next?.resolve(outcome.observation);
    else next?.reject(new Error(outcome.reason));
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#failAll(error);
  }

  #failAll(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

/** Short-lived memory of the thread: a frame leaves little but lists of cells, which need not pile up, megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };
