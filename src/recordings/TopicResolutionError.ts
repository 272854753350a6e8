import type { InputKind } from '../input/messages.js';
import type { TopicInfo } from './Recording.js';

/** Topics of a recording could not be given their roles. The message lists what the recording has. */
export class TopicResolutionError extends Error {
  override readonly name = 'TopicResolutionError';

  constructor(
    /** The key of `--topics` that settles it. */
    readonly key: InputKind | undefined,
    problem: string,
    topics: readonly TopicInfo[],
  ) {
    const advice = key === undefined ? '' : ` Set it with --topics ${key}=<topic>.`;
    super(`${problem}${advice}\n${topicTable(topics)}`);
  }
}

function topicTable(topics: readonly TopicInfo[]): string {
  if (topics.length === 0) return 'The recording has no topics.';
  const nameWidth = Math.max(...topics.map(({ name }) => name.length));
  const typeWidth = Math.max(...topics.map(({ type }) => type.length));
  const lines = topics.map(
    ({ name, type, count }) => `  ${name.padEnd(nameWidth)}  ${type.padEnd(typeWidth)}  ${count} messages`,
  );
  return ['The recording has:', ...lines].join('\n');
}
