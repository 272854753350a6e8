import assert from 'node:assert/strict';
import { startPython } from './support/python.js';
import { loadRos } from './support/ros.js';
import type { RosModules } from './support/ros.js';
import { testPipeline } from './support/testPipeline.js';
import { waitFor } from './support/waitFor.js';

/** Two seconds of a camera. */
const COUNT = 60;
const RATE_HZ = 30;

describe('pictures of 640×480 at 30 Hz from another process, with the shipped Fast DDS profile', function () {
  this.timeout(40_000);
  let ros: RosModules;

  before(async function () {
    ros = await loadRos(this);
  });

  for (const reliability of ['best_effort', 'reliable'] as const) {
    it(`arrive when they are published ${reliability}`, async () => {
      const pipeline = testPipeline();
      const argv = ['--ros-args', '-r', `__ns:=/images_${reliability}`];
      const node = await ros.SceneGraphNode.start(argv, { createPipeline: () => pipeline });
      const topic = `/images_${reliability}/color/image_raw`;
      const camera = startPython('rclpy_images.py', topic, reliability, String(COUNT), String(RATE_HZ));
      try {
        await waitFor('all to be sent', 30_000, () => camera.output().includes('sent'));
        // A change of reliability costs what comes during it; the machine may be busy. With the default
        // transports 2 to 40 of 100 best-effort pictures arrive.
        const enough = COUNT * 0.85;
        await waitFor(`${enough} of ${COUNT} pictures`, 5000, () => pipeline.pushed.length >= enough);
        const [first] = pipeline.pushed;
        assert.ok(first?.kind === 'color' && 'encoding' in first.image);
        assert.equal(first.image.data.byteLength, 921_600);
      } finally {
        camera.child.stdin?.end();
        await camera.ended.catch(() => {});
        await node.stop();
      }
      console.log(`      ${pipeline.pushed.length} of ${COUNT} ${reliability} pictures arrived`);
    });
  }
});
