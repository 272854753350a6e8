import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * Starts a thread of our own code, compiled or run from sources: those need their loader, which does not reach into
 * threads by itself.
 * @param entry the thread's file without its ending, which is that of this very file
 */
export function startThread(
  entry: URL,
  options: Pick<WorkerOptions, 'workerData' | 'resourceLimits'>,
): Worker {
  const ending = extname(import.meta.url);
  const file = new URL(`${entry.href}${ending}`);
  if (ending !== '.ts') return new Worker(file, options);
  const loader = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const [load, run] = [pathToFileURL(loader).href, file.href].map((url) => `import(${JSON.stringify(url)})`);
  const code = `${load}.then(({ register }) => { register(); return ${run}; });`;
  return new Worker(code, { ...options, eval: true });
}
