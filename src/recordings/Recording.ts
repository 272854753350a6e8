import type { Stamp } from '../time/Stamp.js';
import type { SkipCounts } from './SkipCounts.js';

/**
 * What every recording looks like from outside, whatever stores it: topics with their definitions, a span of
 * log time, and messages in log-time order as raw CDR bytes.
 */

/** One topic of one type. A topic that changes its type within a recording appears once per type. */
export interface TopicInfo {
  readonly name: string;
  /** In the long form, `sensor_msgs/msg/Image`, also where the recording has `sensor_msgs/Image`. */
  readonly type: string;
  readonly count: number;
  /** Encoding of the payloads: `cdr` in every recording of ROS 2. */
  readonly encoding: string;
  /** The recorder's `offered_qos_profiles` (YAML), '' where there is none. */
  readonly qos: string;
  /** The message definition (ros2msg text with its dependencies); undefined where the recording has none. */
  readonly schema: string | undefined;
}

/** One recorded message. `data` is a view at any offset; it is never overwritten, but keeping it keeps its chunk. */
export interface RawMessage {
  readonly topic: string;
  readonly type: string;
  readonly encoding: string;
  readonly schema: string | undefined;
  readonly logTime: Stamp;
  readonly data: Uint8Array;
}

/** Which messages to read. Both ends of the span belong to it. */
export interface ReadRange {
  readonly topics?: readonly string[];
  readonly from?: Stamp;
  readonly to?: Stamp;
  /** Where records that had to be skipped are counted by cause. */
  readonly skipped?: SkipCounts;
}

/** Where a file stopped being readable before its end. */
export interface Truncation {
  /** File name without its folder. */
  readonly file: string;
  /** First byte that could not be used. */
  readonly byteOffset: number;
  /** Log time of the latest message before it; undefined when there is none. */
  readonly stamp: Stamp | undefined;
  readonly reason: string;
}

/** One file of a recording. */
export interface RecordingPart {
  readonly topics: readonly TopicInfo[];
  /** Smallest and largest log time; undefined when it holds no message. */
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;
  readonly truncation: Truncation | undefined;
  messages(range?: ReadRange): AsyncIterableIterator<RawMessage>;
  close(): Promise<void>;
}

/** A whole recording: one file, or the files of a rosbag2 folder. */
export interface Recording extends Omit<RecordingPart, 'truncation'> {
  readonly path: string;
  readonly messageCount: number;
  /** One for each file that ended early. */
  readonly truncations: readonly Truncation[];
  /** Sentences for the user: one per truncation, missing file or other thing that makes the recording incomplete. */
  readonly warnings: readonly string[];
}
