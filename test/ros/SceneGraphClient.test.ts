import assert from 'node:assert/strict';
import { cupsPipeline } from './support/cupsPipeline.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';

describe('SceneGraphClient', () => {
  let ros: RosModules;
  let probe: RosProbe;

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros, 'graph_client');
  });
  after(() => probe?.stop());

  function clientOf(target: string) {
    const faults = new ros.FaultLog({ error: () => {} });
    return new ros.SceneGraphClient(probe.node, faults, { target, timeoutS: 0.5 });
  }

  it('keeps the last Brief, marked stale, and refuses queries when the node is gone', async () => {
    const pipeline = await cupsPipeline(2);
    const argv = ['--ros-args', '-r', '__node:=mortal'];
    const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
    const client = clientOf('/mortal');
    assert.ok(await client.waitForNode(10_000));
    const alive = await client.brief();
    assert.equal(alive.freshness, 'current');
    const ref = alive.objects[0]?.ref ?? '';
    assert.ok(await client.hasRef(ref));
    await node.stop();
    const gone = await client.brief();
    assert.deepEqual(gone, { ...alive, freshness: 'stale' });
    const answer = await client.getObjectRelations(ref);
    assert.ok(!answer.success);
    assert.equal(answer.kind, 'not_available');
    assert.equal(await client.hasRef(ref), false);
    assert.equal(await client.reset(), false);
    client.close();
  });

  it('has an empty stale Brief of a node that never was', async () => {
    const client = clientOf('/nobody');
    const brief = await client.brief();
    assert.deepEqual([brief.freshness, brief.objects, brief.perception.state], ['stale', [], 'blind']);
    client.close();
  });

  it('refuses what its door cannot carry instead of leaving it out', async () => {
    const client = clientOf('/nobody');
    const found = await client.findObjects({ nearPoint: [0, 0, 0] });
    assert.ok(!found.success);
    assert.equal(found.kind, 'invalid_tool_arguments');
    const applied = await client.applyConfirmedExecution({
      executionId: 'a',
      toolName: 'pick',
      arguments: {},
      result: {},
      evaluatorVerdict: 'success',
      finishedAt: 'yesterday',
    });
    assert.ok(!applied.success);
    assert.equal(applied.kind, 'invalid_execution');
    client.close();
  });
});
