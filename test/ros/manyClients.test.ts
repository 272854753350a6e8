import assert from 'node:assert/strict';
import type { ExecutionAnswer } from '../../src/protocol/index.js';
import { cupsPipeline } from './support/cupsPipeline.js';
import { loadRos, type RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';

const CLIENTS = 10;

describe('ten clients at once', function () {
  this.timeout(60_000);
  let ros: RosModules;
  let pipeline: Awaited<ReturnType<typeof cupsPipeline>>;
  let node: Awaited<ReturnType<RosModules['SceneGraphNode']['start']>>;
  const probes: RosProbe[] = [];
  const clients: InstanceType<RosModules['SceneGraphClient']>[] = [];

  before(async function () {
    ros = await loadRos(this);
    pipeline = await cupsPipeline(3);
    const argv = ['--ros-args', '-r', '__ns:=/many'];
    node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const log = new ros.FaultLog({ error: (text) => assert.fail(text) });
    for (let k = 0; k < CLIENTS; k++) {
      const probe = await RosProbe.start(ros, `client_${k}`);
      probes.push(probe);
      clients.push(new ros.SceneGraphClient(probe.node, log, { target: node.fullName, timeoutS: 20 }));
    }
    await Promise.all(clients.map((client) => client.waitForNode(20_000)));
  });
  after(async () => {
    for (const client of clients) client.close();
    await node?.stop();
    for (const probe of probes) probe.stop();
  });

  /** Each client sends the execution that all send, and one of its own. */
  function sendAll(): Promise<{ shared: ExecutionAnswer; own: ExecutionAnswer }[]> {
    const { entities } = pipeline.graph.state;
    const objects = [...entities.values()].flatMap(({ kind, ref }) => (kind === 'object' ? [ref] : []));
    const success = { result: {}, evaluatorVerdict: 'success' };
    return Promise.all(
      clients.map(async (client, k) => {
        const common = {
          executionId: 'shared',
          toolName: 'pick',
          arguments: { obj: objects[0] },
          ...success,
        };
        const toolName = k % 2 === 0 ? 'open' : 'close';
        const mine = {
          executionId: `own-${k}`,
          toolName,
          arguments: { obj: objects[1 + (k % 2)] },
          ...success,
        };
        const [shared, own] = await Promise.all([
          client.applyConfirmedExecution(common),
          client.applyConfirmedExecution(mine),
        ]);
        return { shared, own };
      }),
    );
  }

  it('apply the same execution once and different ones once each; all get the same answer again', async () => {
    const before = pipeline.graph.state.revision;
    const first = await sendAll();
    const shared = first.map((answer) => answer.shared);
    const fresh = shared.filter((answer) => answer.success && !answer.alreadyApplied);
    assert.equal(fresh.length, 1);
    for (const answer of shared)
      assert.deepEqual(answer, { ...fresh[0], alreadyApplied: answer !== fresh[0] });
    const revisions = first.map(({ own }) => (own.success && !own.alreadyApplied ? own.revision : -1));
    assert.ok(
      revisions.every((revision) => revision > before),
      JSON.stringify(revisions),
    );
    assert.equal(new Set(revisions).size, CLIENTS);
    assert.equal(pipeline.graph.state.revision, before + CLIENTS + 1);
    assert.equal(pipeline.graph.state.robot.holding.size, 1);

    const again = await sendAll();
    again.forEach((answer, k) => {
      assert.deepEqual(answer.shared, { ...fresh[0], alreadyApplied: true });
      assert.deepEqual(answer.own, { ...first[k].own, alreadyApplied: true });
    });
    assert.equal(pipeline.graph.state.revision, before + CLIENTS + 1);
  });
});
