/**
 * `npm run bench -- BAG`: replays a recording on one core and prints what each stage took, how fast the replay was
 * and how much memory it needed; in a ROS environment then plays it to the node and prints how long services take
 * to answer meanwhile. Either runs in processes of their own; the replay is bound to one core, or to as many as asked
 * for, where the system can (`taskset`). Figures are printed, not asserted.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { formatBench, formatGrowth, formatServices, formatStore } from './formatBench.js';
import { measureGrowth } from './measureGrowth.js';
import { measureStore } from './measureStore.js';
import type { ReplayMeasurement } from './measureReplay.js';
import type { ServiceMeasurement } from './measureServices.js';

const USAGE = `Usage: npm run bench -- BAG [--params FILE] [--topics k=v,…] [--cores N]
With services under load: npm run exec -- npm run bench -- BAG …
How a frame's time grows with the graph: npm run bench -- --growth
What a store of 10,000 entities costs: npm run bench -- --store
`;

async function main(args: readonly string[]): Promise<number> {
  if (args.length === 0 || args.includes('--help')) {
    (args.length === 0 ? process.stderr : process.stdout).write(USAGE);
    return args.length === 0 ? 2 : 0;
  }
  if (args.includes('--growth')) {
    process.stdout.write(formatGrowth(measureGrowth([200, 1000, 10_000])));
    return 0;
  }
  if (args.includes('--store')) {
    process.stdout.write(formatStore(await measureStore(10_000)));
    return 0;
  }
  const { cores, rest } = takeCores(args);
  if (cores === undefined) {
    process.stderr.write(`--cores: expected a whole number from 1 on\n${USAGE}`);
    return 2;
  }
  const bound = ['taskset', '-c', `0-${cores - 1}`];
  const pin = spawnSync(bound[0], [...bound.slice(1), 'true']).status === 0 ? bound : [];
  const replay = measure<ReplayMeasurement>('measureReplay.ts', rest, pin);
  if (replay === undefined) return 1;
  process.stdout.write(formatBench(replay, pin.length > 0 ? cores : undefined));
  if (process.env['AMENT_PREFIX_PATH'] === undefined) {
    process.stdout.write('services        not measured: no ROS 2 in the environment\n');
    return 0;
  }
  const services = measure<ServiceMeasurement>('measureServices.ts', rest, []);
  if (services === undefined) return 1;
  process.stdout.write(formatServices(services, loadavg()[0] ?? NaN));
  return 0;
}

/** The number of cores, undefined when it is none, and the arguments without it. */
function takeCores(args: readonly string[]): { cores: number | undefined; rest: readonly string[] } {
  const at = args.indexOf('--cores');
  if (at < 0) return { cores: 1, rest: args };
  const cores = Number(args[at + 1]);
  const rest = [...args.slice(0, at), ...args.slice(at + 2)];
  return { cores: Number.isInteger(cores) && cores >= 1 ? cores : undefined, rest };
}

/** Runs a script beside this one; undefined when it fails, which it says itself. */
function measure<Measurement>(
  script: string,
  args: readonly string[],
  pin: readonly string[],
): Measurement | undefined {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const [program = '', ...rest] = [...pin, process.execPath, '--import=tsx', file, ...args];
  // Neither another run nor a robot on this network may be heard.
  const env = {
    ...process.env,
    ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
    ROS_DOMAIN_ID: String(randomInt(1, 102)),
  };
  const child = spawnSync(program, rest, { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'inherit'] });
  return child.status === 0 ? (JSON.parse(child.stdout) as Measurement) : undefined;
}

process.exitCode = await main(process.argv.slice(2));
