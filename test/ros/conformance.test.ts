import { spawn } from 'node:child_process';
import type { Brief } from '../../src/protocol/index.js';
import { describeConformance } from '../conformance/conformance.js';
import type { Door } from '../conformance/conformance.js';
import { describeKilled } from '../conformance/killed.js';
import type { KillableDoor } from '../conformance/killed.js';
import { cupsPipeline, onePicture } from './support/cupsPipeline.js';
import { loadRos } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { waitFor } from './support/waitFor.js';

interface Diagnostics {
  readonly header: { readonly stamp: { readonly sec: number; readonly nanosec: number } };
  readonly status: readonly {
    readonly name: string;
    readonly message: string;
    readonly values: readonly { readonly key: string; readonly value: string }[];
  }[];
}

/** A node and a ROS client of it; frames are given to the graph directly, everything else goes over ROS. */
async function openRos(): Promise<Door> {
  const ros = await loadRos({ timeout: () => {} } as never);
  const faults: string[] = [];
  const pipeline = await cupsPipeline(0, onePicture, (where, error) =>
    faults.push(`${where}: ${String(error)}`),
  );
  // Nothing may be handed out but what the suite asks for.
  const argv = [
    '--ros-args',
    '-r',
    '__ns:=/conformance',
    '-p',
    'brief.max_rate_hz:=0.1',
    '-p',
    'brief.max_period_s:=60',
  ];
  const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
  const probe = await RosProbe.start(ros, 'conformance_client');
  const log = new ros.FaultLog({ error: (text) => faults.push(text) });
  const client = new ros.SceneGraphClient(probe.node, log, { target: node.fullName, timeoutS: 5 });
  const heard = probe.listen<Diagnostics>('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics', {
    reliability: 'reliable',
    durability: 'volatile',
    depth: 10,
  });
  await client.waitForNode(10_000);
  let brief: Brief | undefined;
  return {
    observe: async (frame) => {
      await pipeline.graph.submit({ kind: 'observation', frame });
    },
    brief: async () => (brief = await client.brief()),
    text: async () => {
      const answer = await probe.call<{ text: string }>(
        'rgbd_scene_graph/srv/GetBrief',
        `${node.fullName}/get_brief`,
        {},
      );
      return answer.text;
    },
    relations: (ref, relation) => client.getObjectRelations(ref, relation),
    image: (ref) => client.getImage(ref),
    object: (ref) => client.getObject(ref),
    apply: (call) => client.applyConfirmedExecution(call),
    executionHash: () => executionHashOf(heard),
    handedOut: () => [
      ...faults,
      JSON.stringify(brief),
      ...heard.flatMap(({ status }) =>
        status.flatMap(({ message, values }) => [message, ...values.map(({ value }) => value)]),
      ),
    ],
    close: async () => {
      client.close();
      await node.stop();
      probe.stop();
    },
  };
}

async function executionHashOf(heard: readonly Diagnostics[]): Promise<string> {
  // What is sent from now on tells of now; one message may be on its way.
  const next = heard.length + 2;
  await waitFor('fresh diagnostics', 20_000, () => heard.length >= next);
  const graph = heard.at(-1)?.status.find(({ name }) => name === 'rgbd_scene_graph: graph');
  return graph?.values.find(({ key }) => key === 'execution_hash')?.value ?? '';
}

/** The node as a process of its own, with a store, and a ROS client of it. */
async function openKillableNode(this: Mocha.Context, file: string): Promise<KillableDoor> {
  const ros = await loadRos(this);
  const options = ['-r', '__ns:=/killed', '-p', `store.path:=${file}`];
  const argv = ['--import', 'tsx', 'src/main.ts', '--ros-args', ...options];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()));
  const probe = await RosProbe.start(ros, 'killed_client');
  const log = new ros.FaultLog({ error: () => {} });
  const client = new ros.SceneGraphClient(probe.node, log, {
    target: '/killed/rgbd_scene_graph',
    timeoutS: 10,
  });
  const heard = probe.listen<Diagnostics>('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics', {
    reliability: 'reliable',
    durability: 'volatile',
    depth: 10,
  });
  await client.waitForNode(30_000);
  return {
    apply: (call) => client.applyConfirmedExecution(call),
    executionHash: () => executionHashOf(heard),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
      client.close();
      probe.stop();
    },
  };
}

if (process.env['AMENT_PREFIX_PATH'] !== undefined || process.env['CI'] !== undefined) {
  describeConformance('ROS', openRos);
  // Nothing was seen yet: the tool has no effect, and its id is used up.
  const wave = { toolName: 'wave', arguments: {}, result: {}, evaluatorVerdict: 'success' };
  describeKilled('ROS', wave, openKillableNode);
}
