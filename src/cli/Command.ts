import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';

/** Exit codes are a contract: scripts rely on them. */
export const EXIT_DONE = 0;
export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Wrong usage: the message goes to stderr together with a hint at `--help`, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the user can act on: its message alone goes to stderr, exit code 1. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** One subcommand. `run` resolves to the exit code or throws. */
export interface Command {
  readonly name: string;
  /** The whole help text. */
  readonly usage: string;
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

/** Where a command writes; stdout is for results, stderr for progress and warnings. */
export interface CommandIo {
  readonly out: (text: string) => void;
  readonly warn: (text: string) => void;
}

type Options = NonNullable<ParseArgsConfig['options']>;

/** What node's strict parser gives for these options. */
type ParsedCommandLine<T extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: T; allowPositionals: true; strict: true }>
>;

/**
 * node's parser with our errors: `positionals` are named in the order in which they are required.
 * @throws UsageError for an unknown option, a missing or a superfluous argument.
 */
export function parseCommandLine<const T extends Options>(
  args: readonly string[],
  options: T,
  positionals: readonly string[],
): ParsedCommandLine<T> {
  const parsed = parseOrExplain(args, options);
  const missing = positionals[parsed.positionals.length];
  if (missing !== undefined) throw new UsageError(`missing argument ${missing}`);
  const extra = parsed.positionals[positionals.length];
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`);
  return parsed;
}

function parseOrExplain<const T extends Options>(args: readonly string[], options: T): ParsedCommandLine<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** A required option's value. */
export function requireOption(value: string | undefined, name: string): string {
  if (value === undefined || value === '') throw new UsageError(`missing option --${name}`);
  return value;
}

/** A number from an option, or undefined when it was not given. */
export function numberOption(value: string | undefined, name: string, min = -Infinity): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (value.trim() === '' || !Number.isFinite(number) || number < min) {
    const bound = min === -Infinity ? 'a number' : `a number of at least ${min}`;
    throw new UsageError(`--${name}: expected ${bound}, found '${value}'`);
  }
  return number;
}
