import { SqliteError } from 'better-sqlite3';

/** Why nothing can be stored, in words that name no path; they are handed out. */
export class StoreProblem extends Error {
  override readonly name = 'StoreProblem';
}

/** The file is damaged, or never was one of ours that can be read. */
export class UnreadableStore extends Error {
  override readonly name = 'UnreadableStore';
}

/** What SQLite's result codes mean for whoever waits for an answer; the first that fits. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, 'the disk (or what the store may take of it) is full'],
  [/^SQLITE_(BUSY|LOCKED)/, 'another process uses the store'],
  [/^SQLITE_READONLY/, 'the store cannot be written to'],
  [/^(SQLITE_(CANTOPEN|PERM|AUTH)|EISDIR)/, 'the store cannot be opened'],
  [/^SQLITE_IOERR/, 'the disk failed to read or write'],
  [/^(EACCES|EPERM|EROFS)/, 'the folder of the store cannot be written to'],
  [/^(ENOSPC|EDQUOT)/, 'the disk is full'],
  [/^(ENOENT|ENOTDIR|EEXIST)/, 'the folder of the store cannot be made'],
];

/** @returns the error in words without a path. */
export function reasonOf(error: unknown): string {
  if (error instanceof StoreProblem) return error.message;
  const code = codeOf(error);
  const known = REASONS.find(([pattern]) => pattern.test(code));
  return known?.[1] ?? `the store failed (${code === '' ? 'unknown reason' : code})`;
}

/** Whether the file itself is at fault, and not its place or who else uses it. */
export function isDamage(error: unknown): boolean {
  return error instanceof UnreadableStore || /^SQLITE_(NOTADB|CORRUPT|FORMAT)/.test(codeOf(error));
}

function codeOf(error: unknown): string {
  if (error instanceof SqliteError) return error.code;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
