import assert from 'node:assert/strict';
import { nodeRemappings } from '../../src/cli/nodeRemappings.js';
import type { TopicInfo } from '../../src/recordings/Recording.js';

const topic = (name: string): TopicInfo => ({
  name,
  type: 'a/msg/B',
  count: 1,
  encoding: 'cdr',
  qos: '',
  schema: undefined,
});

describe('nodeRemappings', () => {
  it('map pictures by their base name, whatever the transport, and infos by their own', () => {
    const topics = {
      color: topic('/cam/rgb/image_raw/compressed'),
      depth: topic('/cam/depth/image_raw/compressedDepth'),
      depth_info: topic('/cam/depth/camera_info'),
      tf: topic('/tf'),
      tf_static: topic('/robot/tf_static'),
    };
    assert.deepEqual(nodeRemappings({ topics, isInfoShared: false }), [
      ...['-r', 'color/image_raw:=/cam/rgb/image_raw'],
      ...['-r', 'depth/image_raw:=/cam/depth/image_raw'],
      ...['-r', 'depth/camera_info:=/cam/depth/camera_info'],
      ...['-r', '/tf_static:=/robot/tf_static'],
    ]);
  });
});
