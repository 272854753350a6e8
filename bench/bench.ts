/**
 * `npm run bench -- BAG`: replays a recording on one core and prints what each stage took, how fast the replay was
 * and how much memory it needed. The replay runs in a process of its own, bound to one core where the system can
 * (`taskset`), so that the printed memory is that of the pipeline alone. Figures are printed, not asserted.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { formatBench } from './formatBench.js';
import type { ReplayMeasurement } from './measureReplay.js';

const USAGE = 'Usage: npm run bench -- BAG [--params FILE] [--topics k=v,…]\n';

function main(args: readonly string[]): number {
  if (args.length === 0 || args.includes('--help')) {
    (args.length === 0 ? process.stderr : process.stdout).write(USAGE);
    return args.length === 0 ? 2 : 0;
  }
  const script = fileURLToPath(new URL('measureReplay.ts', import.meta.url));
  const pin = spawnSync('taskset', ['-c', '0', 'true']).status === 0 ? ['taskset', '-c', '0'] : [];
  const [program = '', ...rest] = [...pin, process.execPath, '--import=tsx', script, ...args];
  const child = spawnSync(program, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  if (child.status !== 0) return child.status ?? 1;
  const measurement = JSON.parse(child.stdout) as ReplayMeasurement;
  process.stdout.write(formatBench(measurement, pin.length > 0));
  return 0;
}

process.exitCode = main(process.argv.slice(2));
