import assert from 'node:assert/strict';
import type { FaultLog } from '../../src/ros/guard.js';
import type { RawInput } from '../../src/ros/RawInput.js';
import type { QosProfile, RosPublisher } from '../../src/ros/rosTypes.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { RosProbe } from './support/RosProbe.js';
import { waitFor } from './support/waitFor.js';

const RELIABLE: QosProfile = { reliability: 'reliable', durability: 'volatile', depth: 10 };

describe('C46 a throw in a callback', () => {
  let ros: RosModules;
  let probe: RosProbe;
  let faults: FaultLog;
  let lines: string[];

  before(async function () {
    ros = await loadRos(this);
    probe = await RosProbe.start(ros, 'guarded');
  });
  after(() => probe?.stop());
  beforeEach(() => {
    lines = [];
    faults = new ros.FaultLog({ error: (text) => lines.push(text) });
  });

  async function input(
    topic: string,
    receive: () => void,
  ): Promise<{ input: RawInput; publisher: RosPublisher }> {
    const { RawInput: Input } = await import('../../src/ros/RawInput.js');
    const type = 'std_msgs/msg/String';
    const publisher = probe.publisher(type, topic, RELIABLE);
    await waitFor(
      'the publisher in the graph',
      5000,
      () => probe.node.getPublishersInfoByTopic(topic).length === 1,
    );
    const qos = { reliability: 'auto', durability: 'volatile', depth: 10 } as const;
    const raw = new Input({ node: probe.node, faults, type, topic, qos, receive });
    await waitFor('the match', 5000, () => publisher.subscriptionCount > 0);
    return { input: raw, publisher };
  }

  it('of a subscription is counted each time and logged once, and the next message arrives', async () => {
    let calls = 0;
    const { input: raw, publisher } = await input('/throwing', () => {
      calls += 1;
      throw new TypeError('broken at /home/somebody/file.ts');
    });
    for (let i = 0; i < 3; i++) publisher.publish({ data: 'x' });
    await waitFor('three messages', 5000, () => calls === 3);
    assert.equal(faults.counts.get('subscription /throwing'), 3);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /^subscription \/throwing: TypeError: broken at <path>/);
    raw.close();
  });

  it('of a callback that rejects later is counted too', async () => {
    const { guard } = await import('../../src/ros/guard.js');
    guard(faults, 'late', () => Promise.reject(new Error('later')))(undefined);
    await waitFor('the fault', 5000, () => faults.counts.get('late') === 1);
  });

  it('of a timer is counted, and the timer goes on', async () => {
    let ticks = 0;
    const timer = ros.createSteadyTimer(probe.node, faults, 'test timer', 0.02, () => {
      ticks += 1;
      throw new Error('tick');
    });
    await waitFor('five ticks', 5000, () => ticks >= 5);
    probe.node.destroyTimer(timer);
    assert.ok((faults.counts.get('test timer') ?? 0) >= 5);
    assert.equal(lines.length, 1);
  });

  it('of a message too short to be one is counted as a fault of /clock', async () => {
    const { followClock } = await import('../../src/ros/simClock.js');
    const clock = followClock({
      node: probe.node,
      faults,
      isActive: () => true,
      jumpBackNs: 1n,
      onJumpBack: () => {},
    });
    const publisher = probe.publisher('rosgraph_msgs/msg/Clock', '/clock', RELIABLE);
    await waitFor('the match', 5000, () => publisher.subscriptionCount > 0);
    publisher.publish(Buffer.from([0, 1, 0, 0, 7]));
    await waitFor('the fault', 5000, () => faults.counts.get('subscription /clock') === 1);
    publisher.publish({ clock: { sec: 5, nanosec: 7 } });
    await waitFor('the next message', 5000, () => clock.time === 5_000_000_007n);
    clock.stop();
  });
});
