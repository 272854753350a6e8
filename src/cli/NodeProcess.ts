import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The newest lines of the node's log that a failure shows. */
const LOG_LINES = 20;
/** The node ends itself within 1.5 s of an interrupt; after this it is made to. */
const STOP_LIMIT_MS = 5000;

/** The scene graph node as a process of its own, as a launch file would start it. */
export class NodeProcess {
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  readonly #ended: Promise<number | undefined>;
  #exitCode: number | undefined;

  constructor(rosArguments: readonly string[]) {
    const script = fileURLToPath(
      new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.js', import.meta.url),
    );
    this.#child = spawn(process.execPath, [...process.execArgv, script, '--ros-args', ...rosArguments], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: an interrupt from the terminal reaches it through `stop`, once.
      detached: true,
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => this.#keep(text));
    }
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve(1));
      this.#child.on('close', (code, signal) => resolve(code ?? (signal === null ? 0 : 128)));
    });
    void this.#ended.then((code) => (this.#exitCode = code));
  }

  /** Undefined while it runs. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  /** The newest lines it logged. */
  get logTail(): string {
    return this.#log.slice(-LOG_LINES).join('\n');
  }

  /** Its whole log, as far as it is kept. */
  get log(): string {
    return this.#log.join('\n');
  }

  /** Interrupts it and waits until it has ended. */
  async stop(): Promise<number> {
    if (this.#exitCode === undefined) this.#child.kill('SIGINT');
    const killer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_LIMIT_MS);
    const code = await this.#ended;
    clearTimeout(killer);
    return code ?? 0;
  }

  #keep(text: string): void {
    this.#log.push(...text.split('\n').filter((line) => line.trim() !== ''));
    if (this.#log.length > 1000) this.#log.splice(0, this.#log.length - 1000);
  }
}
