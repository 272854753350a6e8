import { escapeText, holdsLocalPath, quoteInput } from '../protocol/index.js';

const MAX_NAME = 64;

/** Why a told label or gripper name cannot stand in a Brief or an answer; undefined when it can. */
export function nameProblem(what: string, name: string): string | undefined {
  if (name === '' || name.length > MAX_NAME) {
    return `A ${what} has 1 to ${MAX_NAME} characters, got ${quoteInput(name)}.`;
  }
  if (escapeText(name) !== name) {
    return `A ${what} is printable text, got ${quoteInput(name)}.`;
  }
  return holdsLocalPath(name) ? `A ${what} holds no local path.` : undefined;
}
