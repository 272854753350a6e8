/**
 * The node's entry: arguments in, signals heard, exit code out. Signals are caught before anything of ROS is
 * loaded, so that an interrupt during the start ends as cleanly as a later one.
 */

import { setFlagsFromString } from 'node:v8';

/**
 * Pictures count as memory of a small heap, which V8 would therefore collect five times a second, each time for
 * longer than a service call may wait. Letting it grow to 1.8 times between collections halves them and costs a few
 * megabytes; read anew at each collection.
 */
setFlagsFromString('--heap-growing-percent=80');

/** After this the process ends even if something hangs; launchers send harder signals after a few seconds. */
const STOP_LIMIT_MS = 1500;

const stopRequested = new Promise<void>((resolve) => {
  const stop = (): void => {
    setTimeout(() => process.exit(0), STOP_LIMIT_MS);
    resolve();
  };
  // The handlers stay: a second interrupt must not cut the first one's orderly end short.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
});

async function main(): Promise<number> {
  const { SceneGraphNode } = await import('./ros/SceneGraphNode.js');
  const node = await SceneGraphNode.start(process.argv);
  process.on('unhandledRejection', (error) => node.noteFault('unhandled rejection', error));
  await stopRequested;
  await node.stop();
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  },
);
