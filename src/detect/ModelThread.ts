import type { Worker } from 'node:worker_threads';
import type { Detection } from '../camera/Detection.js';
import type { ColorImage } from '../camera/RgbdFrame.js';
import { failure, success, type Result } from '../math/Result.js';
import type { ModelDescription } from './Description.js';
import { startThread } from '../threads/startThread.js';
import type { SourceRect } from './fitPicture.js';
import type { ModelCause } from './OnnxModel.js';
import type { RuntimeOptions } from './openSession.js';

/** What goes to the thread: the model at its start, then pictures, with rectangles where those are to be embedded. */
export interface ModelStart {
  readonly description: ModelDescription;
  readonly options: RuntimeOptions;
}

export interface ModelTask {
  readonly image: ColorImage;
  readonly rects?: readonly SourceRect[];
}

/** What comes back: once how the start went, then one answer for each task in their order. */
export type ModelMessage =
  | { readonly kind: 'opened'; readonly notes: readonly string[] }
  | { readonly kind: 'refused'; readonly cause: ModelCause; readonly detail: string }
  | { readonly kind: 'detections'; readonly detections: readonly Detection[] }
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  | { readonly kind: 'failed'; readonly reason: string };

type Answer = Extract<ModelMessage, { kind: 'detections' | 'vectors' }>;

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/**
 * A model on a thread of its own: onnxruntime's `run` is a promise that blocks the thread it is called on, and
 * preparing a picture takes milliseconds too. A thread that dies fails what it was asked and is replaced at the next
 * picture.
 */
export class ModelThread {
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #closed: Error | undefined;

  private constructor(
    private readonly start: () => Worker,
    worker: Worker,
    readonly notes: readonly string[],
  ) {
    this.#worker = this.#watch(worker);
  }

  /** @param startWorker what a test may put in the place of the real start */
  static async open(
    start: ModelStart,
    startWorker: (start: ModelStart) => Worker = startModelWorker,
  ): Promise<Result<ModelThread, ModelCause>> {
    const worker = startWorker(start);
    const message = await firstMessage(worker);
    if (message.kind === 'opened')
      return success(new ModelThread(() => startWorker(start), worker, message.notes));
    await worker.terminate();
    if (message.kind === 'refused') return failure(message.cause, message.detail);
    throw new Error(`the model's thread began with ${message.kind}`);
  }

  ask({ image, rects }: ModelTask): Promise<Answer> {
    if (this.#closed) return Promise.reject(this.#closed);
    const worker = (this.#worker ??= this.#watch(this.start()));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#waiting.length === 1) worker.ref();
      // A copy of its own to give away: the picture may be a part of a larger buffer, and stays the caller's.
      const data = image.data.slice();
      const task: ModelTask = { image: { ...image, data }, rects };
      worker.postMessage(task, [data.buffer]);
    });
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    this.#closed = new Error('the detector was closed');
    this.#failAll(this.#closed);
    await worker?.terminate();
  }

  #watch(worker: Worker): Worker {
    worker.on('message', (message: ModelMessage) => this.#settle(worker, message));
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', (code) => this.#lose(worker, endedWith(code)));
    // It waits for pictures; that alone must not keep the process alive.
    worker.unref();
    return worker;
  }

  #settle(worker: Worker, message: ModelMessage): void {
    // Of a thread that was started anew.
    if (message.kind === 'opened') return;
    if (message.kind === 'refused') {
      this.#lose(worker, new Error(message.detail));
      void worker.terminate();
      return;
    }
    const next = this.#waiting.shift();
    if (this.#waiting.length === 0) worker.unref();
    if (message.kind === 'failed') next?.reject(new Error(message.reason));
    else next?.resolve(message);
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

function firstMessage(worker: Worker): Promise<ModelMessage> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(endedWith(code));
    worker.once('exit', ended);
    worker.once('error', reject);
    worker.once('message', (message: ModelMessage) => {
      worker.off('exit', ended);
      worker.off('error', reject);
      resolve(message);
    });
  });
}

function endedWith(code: number): Error {
  return new Error(`the model's thread ended with code ${code}`);
}

/** The thread as it is started when nobody asks for another. */
export function startModelWorker(workerData: ModelStart): Worker {
  return startThread(new URL('./modelWorker', import.meta.url), { workerData });
}
