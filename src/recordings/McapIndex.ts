import type { Stamp } from '../time/Stamp.js';
import type { McapChannel, McapSchema } from './mcapRecords.js';
import type { Truncation } from './Recording.js';

/** A stretch of the file that holds messages: a chunk record, or a run of messages outside of any chunk. */
export interface McapBlock {
  readonly kind: 'chunk' | 'run';
  readonly offset: number;
  readonly length: number;
  /** Smallest and largest log time in it. */
  readonly start: Stamp;
  readonly end: Stamp;
  /** Channels with messages in it; undefined when that is known only by looking inside. */
  readonly channelIds: ReadonlySet<number> | undefined;
}

/** What a file holds and where: from its own summary, or found by walking through it. */
export interface McapIndex {
  readonly channels: ReadonlyMap<number, McapChannel>;
  readonly schemas: ReadonlyMap<number, McapSchema>;
  readonly blocks: readonly McapBlock[];
  /** Messages per channel id. */
  readonly counts: ReadonlyMap<number, number>;
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;
  readonly truncation: Truncation | undefined;
}
