import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Detection } from '../camera/Detection.js';
import type { ColorImage } from '../camera/RgbdFrame.js';
import { failure, success, type Result } from '../math/Result.js';
import type { ModelDescription } from './Description.js';
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
 * preparing a picture takes milliseconds too. A thread that dies fails what it was asked, and all later calls.
 */
export class ModelThread {
  readonly #waiting: Waiting[] = [];
  #lost: Error | undefined;

  private constructor(
    private readonly worker: Worker,
    readonly notes: readonly string[],
  ) {
    worker.on('message', (message: ModelMessage) => this.#settle(message));
    worker.on('error', (error: Error) => this.#lose(error));
    worker.on('exit', (code) => this.#lose(new Error(`the model's thread ended with code ${code}`)));
    // It waits for pictures; that alone must not keep the process alive.
    worker.unref();
  }

  static async open(start: ModelStart): Promise<Result<ModelThread, ModelCause>> {
    const worker = startThread(start);
    const message = await firstMessage(worker);
    if (message.kind === 'opened') return success(new ModelThread(worker, message.notes));
    await worker.terminate();
    if (message.kind === 'refused') return failure(message.cause, message.detail);
    throw new Error(`the model's thread began with ${message.kind}`);
  }

  ask({ image, rects }: ModelTask): Promise<Answer> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (this.#waiting.length === 1) this.worker.ref();
      // A copy of its own to give away: the picture may be a part of a larger buffer, and stays the caller's.
      const data = image.data.slice();
      const task: ModelTask = { image: { ...image, data }, rects };
      this.worker.postMessage(task, [data.buffer]);
    });
  }

  async close(): Promise<void> {
    this.#lose(new Error('the detector was closed'));
    await this.worker.terminate();
  }

  #settle(message: ModelMessage): void {
    const next = this.#waiting.shift();
    if (this.#waiting.length === 0) this.worker.unref();
    if (message.kind === 'detections' || message.kind === 'vectors') next?.resolve(message);
    else next?.reject(new Error(message.kind === 'failed' ? message.reason : message.kind));
  }

  #lose(error: Error): void {
    this.#lost ??= error;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

function firstMessage(worker: Worker): Promise<ModelMessage> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`the model's thread ended with code ${code}`));
    worker.once('exit', ended);
    worker.once('error', reject);
    worker.once('message', (message: ModelMessage) => {
      worker.off('exit', ended);
      worker.off('error', reject);
      resolve(message);
    });
  });
}

/** The entry has the ending of this very file. Run from sources it needs their loader, as each thread does. */
function startThread(workerData: ModelStart): Worker {
  const ending = extname(import.meta.url);
  const entry = new URL(`./modelWorker${ending}`, import.meta.url);
  if (ending !== '.ts') return new Worker(entry, { workerData });
  const loader = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const [load, run] = [pathToFileURL(loader).href, entry.href].map((url) => `import(${JSON.stringify(url)})`);
  return new Worker(`${load}.then(({ register }) => { register(); return ${run}; });`, {
    eval: true,
    workerData,
  });
}
