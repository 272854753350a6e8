import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { ModelMessage, ModelStart, ModelTask } from './ModelThread.js';
import { OnnxModel } from './OnnxModel.js';

/** The thread that `ModelThread` starts: one picture at a time, in order. */
if (parentPort) await serve(parentPort, workerData as ModelStart);

async function serve(port: MessagePort, { description, options }: ModelStart): Promise<void> {
  const post = (message: ModelMessage): void => port.postMessage(message);
  const opened = await OnnxModel.open(description, options);
  if (!opened.ok) return post({ kind: 'refused', cause: opened.cause, detail: opened.detail });
  const model = opened.value;
  let last = Promise.resolve();
  port.on('message', (task: ModelTask) => {
    last = last.then(async () => post(await answer(model, task)));
  });
  post({ kind: 'opened', notes: model.notes });
}

async function answer(model: OnnxModel, { image, rects }: ModelTask): Promise<ModelMessage> {
  try {
    if (rects) return { kind: 'vectors', vectors: await model.embed(image, rects) };
    return { kind: 'detections', detections: await model.detect(image) };
  } catch (error) {
    return { kind: 'failed', reason: error instanceof Error ? error.message : String(error) };
  }
}
