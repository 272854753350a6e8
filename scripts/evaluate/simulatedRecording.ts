import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate, truthPath } from '../../src/simulate/simulate.js';

const SOURCES = fileURLToPath(new URL('../../src/simulate', import.meta.url));

/**
 * The recording of a script and seed below `out`, made unless it is there. Its name holds a digest of the simulator's
 * sources, so that none outlives the simulator that made it.
 */
export async function simulatedRecording(
  { script, seed }: { readonly script: string; readonly seed: number },
  out: string,
): Promise<{ bag: string; truth: string }> {
  const folder = path.join(out, 'simulated');
  const bag = path.join(folder, `${script}_${seed}-${await digestOfSources()}.mcap`);
  if (!existsSync(bag)) {
    await mkdir(folder, { recursive: true });
    await simulate(scriptNamed(script, { seed }), { out: bag });
  }
  return { bag, truth: truthPath(bag) };
}

async function digestOfSources(): Promise<string> {
  const names = (await readdir(SOURCES, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const hash = createHash('sha256');
  for (const name of names) hash.update(name).update(await readFile(path.join(SOURCES, name)));
  return hash.digest('hex').slice(0, 8);
}
