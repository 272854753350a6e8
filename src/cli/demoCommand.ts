import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { REPLAY_MARKER } from '../pipeline/replay.js';
import { StagedFolder } from '../pipeline/StagedFolder.js';
import type { Brief, ObjectBrief } from '../protocol/index.js';
import { parseRef, renderSceneGraphBrief } from '../protocol/index.js';
import { openRecording } from '../recordings/openRecording.js';
import type { Recording } from '../recordings/Recording.js';
import type { TopicOverrides } from '../recordings/parseTopicOverrides.js';
import { namesDetections, resolveTopics } from '../recordings/resolveTopics.js';
import type { SceneGraphClient } from '../ros/SceneGraphClient.js';
import { scriptNamed } from '../simulate/scriptNamed.js';
import { simulate } from '../simulate/simulate.js';
import { abortOnInterrupt } from './abortOnInterrupt.js';
import { briefDiff } from './briefDiff.js';
import { CommandError, EXIT_DONE, numberOption, parseCommandLine, UsageError } from './Command.js';
import type { Command, CommandIo } from './Command.js';
import { loadRos } from './loadRos.js';
import { NodeProcess } from './NodeProcess.js';
import { nodeRemappings } from './nodeRemappings.js';
import { ProgressBar } from './ProgressBar.js';
import { loadParameters } from './replayCommand.js';
import { topicsOption } from './topicsOption.js';
import { writeClientFolder } from './writeClientFolder.js';

const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));
const START_LIMIT_S = 20;
/** Between two looks at the Brief while the recording plays. */
const LOOK_MS = 1000;
/** For the frames still on their way when the recording ends. */
const SETTLE_MS = 1000;

export const demoCommand: Command = {
  name: 'demo',
  usage: `Usage: rgbd-scene-graph demo [--bag BAG] [--topics k=v,…] [--params FILE] [--rate R] [--out DIR]

Starts the node as a process of its own, plays a recording to it over ROS 2, prints
the Brief as it grows, asks for relations and images of a thing that stands on a
table, confirms that the robot picked it up, and leaves the final Brief, graph and
images in a folder. Without --bag it makes a recording of a simulated room first,
once. Needs ROS 2 in the environment ('npm start' sees to it).

Options:
  --bag BAG       your own recording (.mcap, .db3 or a rosbag2 folder)
  --topics k=v,…  its topics by role, as for 'replay'
  --params FILE   parameters for the node
  --rate R        speed, 2 is twice as fast as recorded (default 1)
  --out DIR       the folder to leave (default: out/demo of the package,
                  out/<name of the bag> with --bag)
  --help          this text
`,
  async run(args, io) {
    const { values } = parseCommandLine(
      args,
      {
        bag: { type: 'string' },
        topics: { type: 'string' },
        params: { type: 'string' },
        rate: { type: 'string' },
        out: { type: 'string' },
      },
      [],
    );
    const rate = numberOption(values.rate, 'rate') ?? 1;
    if (rate <= 0) throw new UsageError(`--rate: expected a number above 0, found '${values.rate ?? ''}'`);
    const settings = {
      rate,
      overrides: topicsOption(values.topics),
      out:
        values.out ??
        path.join(PACKAGE_ROOT, 'out', values.bag === undefined ? 'demo' : path.parse(values.bag).name),
      ...(values.params !== undefined && { params: path.resolve(values.params) }),
    };
    const recording = await openRecording(values.bag ?? (await demoRecording(io)));
    try {
      for (const warning of recording.warnings) io.warn(`${warning}\n`);
      return await runDemo(recording, settings, io);
    } finally {
      await recording.close();
    }
  },
};

interface DemoSettings {
  readonly rate: number;
  readonly overrides: TopicOverrides;
  readonly out: string;
  readonly params?: string;
}

/** The simulated room, made on the first call. A file of that name is always whole. */
async function demoRecording(io: CommandIo): Promise<string> {
  const file = path.join(PACKAGE_ROOT, 'out', 'demo.mcap');
  if (existsSync(file)) return file;
  io.out('Making the demo recording: a simulated room, seen by a robot that drives about (once) …\n');
  const progress = new ProgressBar('simulate');
  try {
    await simulate(scriptNamed('demo'), {
      out: file,
      onProgress: (done, total) => progress.show(done / total),
    });
  } finally {
    progress.stop();
  }
  return file;
}

async function runDemo(recording: Recording, settings: DemoSettings, io: CommandIo): Promise<number> {
  const { source } = loadParameters(settings.params, io).detector;
  const isTold = source === 'topic' || namesDetections(settings.overrides);
  const assignment = resolveTopics(recording.topics, settings.overrides, { detections: isTold });
  // Refuses a folder of the user's before minutes have been spent.
  const folder = await StagedFolder.create(settings.out, REPLAY_MARKER);
  const { openRosNode, RecordingPlayer, SceneGraphClient } = await loadRos();
  const interrupt = abortOnInterrupt();
  const told = isTold ? ['-p', 'detector.source:=topic'] : [];
  const params = settings.params === undefined ? [] : ['--params-file', settings.params];
  const node = new NodeProcess([
    ...nodeRemappings(assignment),
    '-p',
    'use_sim_time:=true',
    ...params,
    ...told,
  ]);
  const ros = await openRosNode('rgbd_scene_graph_demo');
  const client = new SceneGraphClient(ros.node, ros.faults);
  const player = new RecordingPlayer(ros.node, recording);
  try {
    io.out('Starting the node …\n');
    await waitForNode(node, client, interrupt.signal);
    await player.waitForListeners(Object.keys(assignment.topics).length, START_LIMIT_S, interrupt.signal);
    io.out(`Playing ${path.basename(recording.path)} over ROS 2; Brief as it changes:\n`);
    const playing = player.play({ rate: settings.rate, signal: interrupt.signal });
    const last = await showWhile(playing, client, io);
    if (interrupt.signal.aborted) throw new CommandError('interrupted');
    if (last.objects.length === 0)
      throw new CommandError(`the node found nothing in the recording:\n${node.logTail}`);
    await askAndPick(client, last, io);
    const final = await writeClientFolder(folder, client);
    await folder.write('node.log', `${node.log}\n`);
    await folder.commit();
    io.out(`\nThe final Brief:\n\n${renderSceneGraphBrief(final).trimEnd()}\n\n`);
    io.out(
      `Brief, graph and images are in ${path.relative(process.cwd(), folder.folder) || folder.folder}\n`,
    );
    return EXIT_DONE;
  } finally {
    await folder.discard();
    client.close();
    player.close();
    ros.close();
    await node.stop();
    interrupt.release();
  }
}

async function waitForNode(node: NodeProcess, client: SceneGraphClient, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + START_LIMIT_S * 1000;
  while (!(await client.waitForNode(500))) {
    if (signal.aborted) throw new CommandError('interrupted');
    if (node.exitCode !== undefined)
      throw new CommandError(`the node ended with code ${node.exitCode}:\n${node.logTail}`);
    if (performance.now() > untilMs) {
      throw new CommandError(
        `the node did not offer its services within ${START_LIMIT_S} s:\n${node.logTail}`,
      );
    }
  }
}

/** Prints what changes until the recording has been played and its last frames are in. */
async function showWhile(playing: Promise<unknown>, client: SceneGraphClient, io: CommandIo): Promise<Brief> {
  let shown: Brief | undefined;
  const show = async (): Promise<Brief> => {
    const brief = await client.brief();
    const lines = briefDiff(shown, brief);
    if (lines.length > 0) {
      const known = `${brief.updatedAt ?? 'no data yet'}  revision ${brief.revision}  ${brief.objects.length} objects`;
      io.out(`${known}\n${lines.map((line) => `  ${line}\n`).join('')}`);
    }
    shown = brief;
    return brief;
  };
  let isPlaying = true;
  const ended = playing.finally(() => (isPlaying = false));
  while (isPlaying) {
    await Promise.race([ended, sleep(LOOK_MS)]);
    await show();
  }
  await sleep(SETTLE_MS);
  return show();
}

/** Relations and images of a thing that stands on something, then the confirmed pick of it. */
async function askAndPick(client: SceneGraphClient, brief: Brief, io: CommandIo): Promise<void> {
  const chosen = await findStanding(client, brief);
  if (chosen === undefined) {
    io.out('\nNothing stands on a support, so there is nothing to ask about and to pick.\n');
    return;
  }
  const { ref } = chosen;
  const relations = await client.getObjectRelations(ref);
  io.out(`\nget_object_relations ${ref}\n`);
  if (relations.success) {
    for (const { relation, otherRef, inverse, distanceM } of relations.relations) {
      const [a, b] = inverse === true ? [otherRef, ref] : [ref, otherRef];
      io.out(`  ${a} ${relation} ${b}${distanceM === undefined ? '' : ` (${distanceM.toFixed(2)} m)`}\n`);
    }
  }
  const images = await client.getImage(ref);
  io.out(`get_image ${ref}\n`);
  if (images.success) {
    for (const { name, caption, data } of images.images)
      io.out(`  ${name}: ${caption} (${(data.length / 1000).toFixed(1)} kB)\n`);
  }
  await pick(client, ref, io);
}

/** The surest one on a table rather than on the floor. */
async function findStanding(client: SceneGraphClient, brief: Brief): Promise<ObjectBrief | undefined> {
  const things = brief.objects
    .filter(({ ref, freshness }) => freshness !== 'missing' && !isStructure(ref))
    .sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0));
  let onFloor: ObjectBrief | undefined;
  for (const thing of things) {
    const answer = await client.getObjectRelations(thing.ref, 'on');
    const below = answer.success ? answer.relations.find(({ inverse }) => inverse !== true) : undefined;
    if (below === undefined) continue;
    if (parseRef(below.otherRef)?.stem !== 'floor') return thing;
    onFloor ??= thing;
  }
  return onFloor;
}

async function pick(client: SceneGraphClient, ref: string, io: CommandIo): Promise<void> {
  const execution = {
    executionId: `demo-pick-${ref}`,
    toolName: 'pick',
    arguments: { object_ref: ref },
    result: { success: true },
    evaluatorVerdict: { status: 'success' },
  };
  const answer = await client.applyConfirmedExecution(execution);
  io.out(`apply_execution pick ${ref}, confirmed\n`);
  if (!answer.success) {
    io.out(`  refused: ${answer.kind}: ${answer.reason}\n`);
    return;
  }
  const again = await client.applyConfirmedExecution(execution);
  io.out(`  applied, changed ${answer.changedRefs.join(', ')}, revision ${answer.revision}\n`);
  if (again.success && again.alreadyApplied) io.out('  sent again: already applied, nothing changes\n');
}

function isStructure(ref: string): boolean {
  return ['floor', 'wall', 'support'].includes(parseRef(ref)?.stem ?? '');
}
