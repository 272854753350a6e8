import { readFileSync } from 'node:fs';
import { failure, success, type Result } from '../math/Result.js';

/** Names of classes from a file, one a line in the order of the classes. */
export function readLabels(path: string): Result<readonly string[], 'no_labels' | 'bad_labels'> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return failure('no_labels', `expected a file at ${path}, found none`);
  }
  const names = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line) => line.trim());
  while (names.at(-1) === '') names.pop();
  const empty = names.indexOf('');
  if (names.length === 0 || empty >= 0)
    return failure('bad_labels', `${path}:${empty + 1}: expected one label a line, found an empty line`);
  return success(names);
}
