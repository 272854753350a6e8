import { parseTopicOverrides } from '../recordings/parseTopicOverrides.js';
import type { TopicOverrides } from '../recordings/parseTopicOverrides.js';
import { TopicResolutionError } from '../recordings/TopicResolutionError.js';
import { UsageError } from './Command.js';

/** The value of `--topics`. @throws UsageError for what is no list of role=topic. */
export function topicsOption(value: string | undefined): TopicOverrides {
  try {
    return parseTopicOverrides(value ?? '');
  } catch (error) {
    if (error instanceof TopicResolutionError) throw new UsageError(error.message.split('\n')[0] ?? '');
    throw error;
  }
}
