/**
 * Plays a recording at its own rate to the built node and asks it all the while, as an agent would: relations,
 * Brief and images in turn, a new call each 50 ms whether or not the last one is answered, so that a slow answer
 * does not hide the ones behind it. Node, player and caller are processes of their own. Prints JSON.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseCommandLine } from '../src/cli/Command.js';
import { loadRos } from '../src/cli/loadRos.js';
import { nodeRemappings } from '../src/cli/nodeRemappings.js';
import { topicsOption } from '../src/cli/topicsOption.js';
import { openRecording } from '../src/recordings/openRecording.js';
import { resolveTopics } from '../src/recordings/resolveTopics.js';
import type { TopicAssignment } from '../src/recordings/resolveTopics.js';
import type { OpenRosNode } from '../src/ros/openRosNode.js';
import type { SceneGraphClient } from '../src/ros/SceneGraphClient.js';

const CALL_PERIOD_MS = 50;
const START_LIMIT_MS = 30_000;
/** For the last frames and the diagnostics of them. */
const SETTLE_MS = 3000;
const CALL_LIMIT_S = 20;

/** ms */
export interface Latencies {
  readonly count: number;
  /** Calls that were refused or not answered in time. */
  readonly failed: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

export interface ServiceMeasurement {
  readonly services: Readonly<Record<string, Latencies>>;
  readonly callsPerS: number;
  /** The frames' status of the node's last diagnostics: received, used, pending, dropped by cause. */
  readonly frames: Readonly<Record<string, string>>;
  /** Largest resident set of the node in MB; undefined where the system does not tell. */
  readonly nodeRssMb: number | undefined;
}

interface Diagnostics {
  readonly status: readonly {
    readonly name: string;
    readonly values: readonly { readonly key: string; readonly value: string }[];
  }[];
}

async function main(args: readonly string[]): Promise<void> {
  const options = { params: { type: 'string' }, topics: { type: 'string' } } as const;
  const { values, positionals } = parseCommandLine(args, options, ['BAG']);
  const bag = positionals[0] ?? '';
  const assignment = await assignmentOf(bag, values.topics);
  const params = values.params === undefined ? [] : ['--params-file', values.params];
  const { openRosNode, SceneGraphClient } = await loadRos();
  const ros = await openRosNode('rgbd_scene_graph_bench');
  const client = new SceneGraphClient(ros.node, ros.faults, { timeoutS: CALL_LIMIT_S });
  const node = start('main.js', ['--ros-args', ...nodeRemappings(assignment), ...params]);
  const log = logTail(node);
  try {
    const frames = await watchFrames(ros);
    if (!(await client.waitForNode(START_LIMIT_MS))) throw new Error('the node did not offer its services');
    const player = start('cli/main.js', ['play', bag, '--wait-for', String(countTopics(assignment))]);
    player.stderr?.pipe(process.stderr);
    const calls = await callWhile(client, ended(player));
    await sleep(SETTLE_MS);
    const measurement: ServiceMeasurement = { ...calls, frames: frames(), nodeRssMb: peakRssMb(node) };
    process.stdout.write(JSON.stringify(measurement));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${log()}`, { cause: error });
  } finally {
    client.close();
    ros.close();
    node.kill('SIGINT');
    await ended(node);
  }
}

async function assignmentOf(bag: string, topics: string | undefined): Promise<TopicAssignment> {
  const recording = await openRecording(bag);
  try {
    return resolveTopics(recording.topics, topicsOption(topics));
  } finally {
    await recording.close();
  }
}

function countTopics({ topics }: TopicAssignment): number {
  return new Set(Object.values(topics).map(({ name }) => name)).size;
}

/** A script of the built package. ROS logs to the standard error, so this is kept for when something fails. */
function start(script: string, args: readonly string[]): ChildProcess {
  const file = fileURLToPath(new URL(`../dist/${script}`, import.meta.url));
  if (!existsSync(file)) throw new Error('dist/ is not built: npm run build');
  return spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** @returns the newest lines of its log. */
function logTail({ stderr }: ChildProcess): () => string {
  let text = '';
  stderr?.setEncoding('utf8').on('data', (chunk: string) => (text = (text + chunk).slice(-4000)));
  return () => text;
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve();
    else child.on('exit', () => resolve());
  });
}

/** @returns what diagnostics told last about frames. */
async function watchFrames({ node }: OpenRosNode): Promise<() => Readonly<Record<string, string>>> {
  const { toRclQos } = await import('../src/ros/rcl.js');
  const qos = toRclQos({ reliability: 'reliable', durability: 'volatile', depth: 10 });
  let last: Record<string, string> = {};
  const take = ({ status }: Diagnostics): void => {
    const frames = status.find(({ name }) => name === 'rgbd_scene_graph: frames');
    if (frames) last = Object.fromEntries(frames.values.map(({ key, value }) => [key, value]));
  };
  node.createSubscription('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics', { qos, isRaw: false }, take);
  return () => last;
}

/** Calls from the first known thing until the end; Briefs alone, unmeasured, before it. */
async function callWhile(
  client: SceneGraphClient,
  until: Promise<void>,
): Promise<Pick<ServiceMeasurement, 'services' | 'callsPerS'>> {
  let isOver = false;
  void until.then(() => (isOver = true));
  let refs: readonly string[] = [];
  while (!isOver && refs.length === 0) {
    refs = (await client.brief()).objects.map(({ ref }) => ref);
    await sleep(CALL_PERIOD_MS);
  }
  if (isOver) throw new Error('the node found nothing to ask for in the recording');
  const calls: readonly [string, (ref: string) => Promise<boolean>][] = [
    ['get_object_relations', async (ref) => (await client.getObjectRelations(ref)).success],
    [
      'get_brief',
      async () => {
        refs = (await client.brief()).objects.map(({ ref }) => ref);
        return true;
      },
    ],
    ['get_image', async (ref) => (await client.getImage(ref)).success],
  ];
  const taken = new Map(calls.map(([name]) => [name, { ms: [] as number[], failed: 0 }]));
  const open: Promise<void>[] = [];
  const startedMs = performance.now();
  for (let turn = 0; !isOver; turn++) {
    const [name, call] = calls[turn % calls.length] ?? calls[0];
    open.push(measure(() => call(refs[turn % refs.length] ?? ''), taken.get(name)!));
    await sleep(Math.max(0, startedMs + (turn + 1) * CALL_PERIOD_MS - performance.now()));
  }
  const callsPerS = (open.length * 1000) / (performance.now() - startedMs);
  await Promise.all(open);
  return {
    services: Object.fromEntries([...taken].map(([name, { ms, failed }]) => [name, summary(ms, failed)])),
    callsPerS,
  };
}

async function measure(
  call: () => Promise<boolean>,
  into: { readonly ms: number[]; failed: number },
): Promise<void> {
  const startedMs = performance.now();
  const isAnswered = await call();
  into.ms.push(performance.now() - startedMs);
  if (!isAnswered) into.failed += 1;
}

function summary(ms: readonly number[], failed: number): Latencies {
  const sorted = [...ms].sort((a, b) => a - b);
  const rank = (share: number): number => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
  return { count: ms.length, failed, p50: rank(0.5), p95: rank(0.95), p99: rank(0.99), max: rank(1) };
}

/** As Linux keeps it for each process. */
function peakRssMb({ pid }: ChildProcess): number | undefined {
  const file = `/proc/${pid ?? 0}/status`;
  const found = existsSync(file) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(file, 'utf8')) : null;
  return found ? Number(found[1]) / 1024 : undefined;
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
