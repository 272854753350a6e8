import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, JobResult } from './Job.js';

const RUN_JOB = fileURLToPath(new URL('runJob.ts', import.meta.url));
const REDIRECT = new URL('redirectModule.mjs', import.meta.url).href;

export interface JobOutcome {
  readonly job: Job;
  /** Undefined: it failed, and `problem` says why. */
  readonly result?: JobResult;
  readonly problem?: string;
}

/** Each job in a process of its own, so many at a time; outcomes in the order of the jobs. */
export async function runJobs(
  jobs: readonly Job[],
  atATime: number,
  onDone: (outcome: JobOutcome, done: number) => void,
): Promise<JobOutcome[]> {
  const outcomes: JobOutcome[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    while (next < jobs.length) {
      const index = next++;
      outcomes[index] = await runInProcess(jobs[index]);
      onDone(outcomes[index], ++done);
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, atATime) }, work));
  return outcomes;
}

function runInProcess(job: Job): Promise<JobOutcome> {
  return new Promise((resolve) => {
    const redirect = job.withoutModule === undefined ? [] : [`--import=${REDIRECT}`];
    const child = spawn(process.execPath, ['--import=tsx', ...redirect, RUN_JOB, JSON.stringify(job)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, WITHOUT_MODULE: job.withoutModule },
    });
    const output: Buffer[] = [];
    const errors: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    child.on('error', (error) => resolve({ job, problem: error.message }));
    child.on('close', (code, signal) => {
      if (code === 0) resolve({ job, result: JSON.parse(Buffer.concat(output).toString()) as JobResult });
      else resolve({ job, problem: Buffer.concat(errors).toString().trim() || `ended by ${signal ?? code}` });
    });
  });
}
