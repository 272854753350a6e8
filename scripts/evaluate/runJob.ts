/** Replays one recording (or a simulated room, made when it is not there yet), scores it and prints the result as JSON. */
import path from 'node:path';
import { loadReplayed } from './loadReplayed.js';
import type { Job, JobResult } from './Job.js';
import { simulatedRecording } from './simulatedRecording.js';
import { replayFile } from '../../src/cli/replayCommand.js';
import { writePictures } from '../../src/cli/writePictures.js';
import { evaluate } from '../../src/evaluate/evaluate.js';
import { scoreRun } from '../../src/evaluate/RunScore.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';

async function runJob(job: Job): Promise<JobResult> {
  const { bag, truth: truthFile } =
    job.source.kind === 'recording' ? job.source : await simulatedRecording(job.source, job.out);
  const folder = path.join(job.out, job.name.replaceAll(', ', '-').replaceAll(' ', '_'));
  const io = { out: () => undefined, warn: (text: string) => void process.stderr.write(text) };
  const { parameters } = parametersFromFlat(job.parameters);
  // A Brief for each frame: half a second is too coarse for telling when something was noticed.
  const options = {
    overrides: {},
    span: {},
    historyStepS: 0,
    ...(job.drop !== undefined && { drop: job.drop }),
  };
  const { frames, wallS } = await replayFile(bag, folder, parameters, options, io);
  const { truth, result, stateHash } = await loadReplayed(folder, truthFile);
  const evaluation = evaluate(result, truth);
  if (job.pictures) await writePictures(path.join(folder, 'evaluation'), result, truth, bag);
  return {
    score: scoreRun(job.name, evaluation),
    evaluation,
    frames: { in: frames.in, used: frames.used },
    stateHash,
    wallS,
  };
}

runJob(JSON.parse(process.argv[2] ?? '') as Job)
  .then((result) => process.stdout.write(JSON.stringify(result)))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  });
