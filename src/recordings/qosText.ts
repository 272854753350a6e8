/** The part of a QoS profile that differs between our topics; everything else is the default. */
export interface RecordedQos {
  readonly depth: number;
  /** A late subscriber still gets the last `depth` messages. */
  readonly isTransientLocal: boolean;
}

/** What rmw calls an infinite duration. */
const INFINITE = '\n    sec: 9223372036\n    nsec: 854775807';

/**
 * `offered_qos_profiles` as rosbag2 reads it back. Policies as numbers (keep last, reliable, automatic = 1;
 * durability: transient local = 1, volatile = 2): every version reads these when the file does not carry newer
 * metadata, while words are read by some only.
 */
export function qosText({ depth, isTransientLocal }: RecordedQos): string {
  return [
    '- history: 1',
    `  depth: ${depth}`,
    '  reliability: 1',
    `  durability: ${isTransientLocal ? 1 : 2}`,
    `  deadline:${INFINITE}`,
    `  lifespan:${INFINITE}`,
    '  liveliness: 1',
    `  liveliness_lease_duration:${INFINITE}`,
    '  avoid_ros_namespace_conventions: false',
    '',
  ].join('\n');
}
