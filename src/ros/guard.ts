import type { RosLogger } from './rosTypes.js';

/**
 * A throw inside a callback of rclnodejs aborts the process without running any handler. So every callback
 * given to it goes through `guard`: the throw is counted under the callback's name, logged once per cause, and
 * the process lives.
 */

/** Distinct causes remembered for "once per cause"; beyond it faults are only counted. */
const MAX_CAUSES = 200;
const MAX_CAUSE_TEXT = 160;

/** Counts faults by where they happened and logs each cause once. */
export class FaultLog {
  readonly #counts = new Map<string, number>();
  readonly #logged = new Set<string>();

  constructor(private readonly logger: Pick<RosLogger, 'error'>) {}

  add(where: string, error: unknown): void {
    this.#counts.set(where, (this.#counts.get(where) ?? 0) + 1);
    const cause = `${where}: ${describeFault(error)}`;
    if (this.#logged.has(cause) || this.#logged.size >= MAX_CAUSES) return;
    this.#logged.add(cause);
    this.logger.error(`${cause} (a fault in the node; further ones of this cause are only counted)`);
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

/**
 * Wraps a callback of one argument. A promise that it returns is watched, never awaited.
 * The wrapper's own arity matters: rclnodejs changes what it passes to callbacks of two parameters.
 */
export function guard<Argument>(
  faults: FaultLog,
  name: string,
  callback: (argument: Argument) => unknown,
): (argument: Argument) => void {
  return (argument) => {
    try {
      const result = callback(argument);
      if (result instanceof Promise) result.catch((error: unknown) => faults.add(name, error));
    } catch (error) {
      faults.add(name, error);
    }
  };
}

/** Name and first line of an error with local paths taken out; never its stack. */
export function describeFault(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const line = text.split('\n')[0] ?? '';
  return line.replace(/(file:\/\/)?(?:[A-Za-z]:)?[\\/][^\s'")]+/g, '<path>').slice(0, MAX_CAUSE_TEXT);
}
