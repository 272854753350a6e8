import { TYPES_OF_KIND } from '../input/decodeInput.js';
import type { InputKind } from '../input/messages.js';
import { TopicResolutionError } from './TopicResolutionError.js';

/** Topics given by the user, by role. `none` leaves a role out. */
export type TopicOverrides = Readonly<Partial<Record<InputKind, string>>>;

/**
 * Reads the value of `--topics`: `depth=/cam/depth/image_raw,tf=/robot/tf`.
 * @throws TopicResolutionError for a key that is no role, a key given twice or a part that is no `key=topic`.
 */
export function parseTopicOverrides(text: string): TopicOverrides {
  const overrides: Partial<Record<InputKind, string>> = {};
  for (const part of text.split(',').map((piece) => piece.trim())) {
    if (part === '') continue;
    const [key = '', topic = '', ...more] = part.split('=').map((piece) => piece.trim());
    if (!isInputKind(key) || topic === '' || more.length > 0) {
      const keys = Object.keys(TYPES_OF_KIND).join(', ');
      throw new TopicResolutionError(
        undefined,
        `--topics: "${part}" is not key=topic with a key of ${keys}.`,
        [],
      );
    }
    if (overrides[key] !== undefined) {
      throw new TopicResolutionError(undefined, `--topics: ${key} is given twice.`, []);
    }
    overrides[key] = topic;
  }
  return overrides;
}

function isInputKind(key: string): key is InputKind {
  return Object.hasOwn(TYPES_OF_KIND, key);
}
