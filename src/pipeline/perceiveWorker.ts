import { parentPort, workerData } from 'node:worker_threads';
import { CloudBuffers } from '../perceive/CloudBuffers.js';
import { perceive } from '../perceive/perceive.js';
import type { PerceiveParameters } from '../perceive/parameters.js';
import type { PerceiveOutcome, PerceiveTask } from './WorkerPerceiver.js';

/** The thread that `WorkerPerceiver` starts: a frame in, its observation out. */
const port = parentPort;
const parameters = workerData as PerceiveParameters;
const buffers = new CloudBuffers();

port?.on('message', ({ frame, known }: PerceiveTask) => {
  let outcome: PerceiveOutcome;
  try {
    outcome = { ok: true, observation: perceive(frame, known, parameters, buffers) };
  } catch (error) {
    outcome = { ok: false, reason: error instanceof Error ? error.message : String(error) };
  }
  port.postMessage(outcome);
});
