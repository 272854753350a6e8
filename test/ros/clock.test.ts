import assert from 'node:assert/strict';
import type { RosPublisher } from '../../src/ros/rosTypes.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { testPipeline } from './support/testPipeline.js';
import type { TestPipeline } from './support/testPipeline.js';
import { waitFor } from './support/waitFor.js';

type Node = Awaited<ReturnType<RosModules['SceneGraphNode']['start']>>;
interface Stamped {
  readonly header: { readonly stamp: { readonly sec: number; readonly nanosec: number } };
}

/** As `ros2 bag play --clock` offers it. */
const CLOCK = { reliability: 'best_effort', durability: 'volatile', depth: 10 } as const;
const RELIABLE = { reliability: 'reliable', durability: 'volatile', depth: 10 } as const;
const LATCHED = { reliability: 'reliable', durability: 'transient_local', depth: 1 } as const;

describe('simulated time', () => {
  let ros: RosModules;
  let probe: RosProbe;
  let node: Node;
  let pipeline: TestPipeline;
  let diagnostics: Stamped[];
  let briefs: unknown[];

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros);
    pipeline = testPipeline();
    const argv = ['--ros-args', '-p', 'use_sim_time:=true'];
    node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    diagnostics = probe.listen('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics', RELIABLE);
    briefs = probe.listen('rgbd_scene_graph/msg/SceneGraphBrief', '/rgbd_scene_graph/brief', LATCHED);
  });
  after(async () => {
    await node?.stop();
    probe?.stop();
  });

  async function tell(clock: RosPublisher, sec: number, nanosec = 0): Promise<void> {
    await waitFor(`the node's clock at ${sec} s`, 5000, () => {
      clock.publish({ clock: { sec, nanosec } });
      const stamp = diagnostics.at(-1)?.header.stamp;
      return stamp?.sec === sec && stamp.nanosec === nanosec;
    });
  }

  it('that stands still for want of /clock stops neither diagnostics nor the Brief', async () => {
    await waitFor('diagnostics twice', 6000, () => diagnostics.length >= 2);
    assert.equal(diagnostics.at(-1)?.header.stamp.sec, 0);
    const seen = briefs.length;
    await waitFor('another Brief', 6000, () => briefs.length > seen);
  });

  it('comes from a best-effort /clock', async () => {
    const clock = probe.publisher('rosgraph_msgs/msg/Clock', '/clock', CLOCK);
    await tell(clock, 100);
    await tell(clock, 200);
    assert.equal(pipeline.clockJumps, 0);
  });

  it('C31 that steps back a little is no restart, and far back is one', async () => {
    const clock = probe.publisher('rosgraph_msgs/msg/Clock', '/clock', CLOCK);
    await tell(clock, 300, 100_000);
    await tell(clock, 300, 15_000);
    assert.equal(pipeline.clockJumps, 0);
    await tell(clock, 50);
    assert.equal(pipeline.clockJumps, 1);
  });
});
