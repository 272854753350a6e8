import { splitTransport } from '../recordings/imageTopicHabits.js';
import type { TopicAssignment } from '../recordings/resolveTopics.js';

/**
 * Arguments that make the node listen to a recording's topics: its inputs are relative names, and the transport
 * (`…/compressed`) and the sibling `camera_info` follow a remapped picture unless they are remapped themselves.
 */
export function nodeRemappings({ topics }: TopicAssignment): string[] {
  const rules: [string, string | undefined][] = [
    ['color/image_raw', topics.color && splitTransport(topics.color.name).base],
    ['depth/image_raw', topics.depth && splitTransport(topics.depth.name).base],
    ['color/camera_info', topics.color_info?.name],
    ['depth/camera_info', topics.depth_info?.name],
    ['detections', topics.detections?.name],
    ['instances', topics.instances?.name],
    ['odom', topics.odom?.name],
    ['/tf', topics.tf?.name],
    ['/tf_static', topics.tf_static?.name],
  ];
  return rules.flatMap(([from, to]) => (to === undefined || to === from ? [] : ['-r', `${from}:=${to}`]));
}
