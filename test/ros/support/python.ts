import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** Starts a Python script beside the tests with ROS's own Python; its standard input stays open. */
export function startPython(
  script: string,
  ...options: readonly string[]
): {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<string>;
} {
  const child = spawn('python3', [`test/ros/${script}`, ...options], { stdio: ['pipe', 'pipe', 'pipe'] });
  let out = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(out) : reject(new Error(`${script}: ${errors}`))));
  });
  return { child, output: () => out, ended };
}
