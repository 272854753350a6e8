import type { Stamp } from '../time/Stamp.js';
import type { RawMessage, TopicInfo } from './Recording.js';
import type { SkipCounts } from './SkipCounts.js';

/** CDR begins with four bytes that name its encoding; a payload without them is no message. */
const CDR_HEADER_BYTES = 4;

/** The message as it is handed out; undefined, and counted, when its payload cannot be a message. */
export function rawMessage(
  topic: TopicInfo,
  logTime: Stamp,
  data: Uint8Array,
  skipped: SkipCounts,
): RawMessage | undefined {
  if (data.length === 0) {
    skipped.add('empty_payload');
    return undefined;
  }
  if (topic.encoding === 'cdr' && data.length < CDR_HEADER_BYTES) {
    skipped.add('short_payload');
    return undefined;
  }
  return {
    topic: topic.name,
    type: topic.type,
    encoding: topic.encoding,
    schema: topic.schema,
    logTime,
    data,
  };
}
