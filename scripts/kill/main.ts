/** `npm run kill-test -- [KILLS] [SEED]`: kill -9 at random moments of a replay with executions; prints counts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCounts, isClean, killTest } from './killTest.js';

const [kills = 200, seed = Date.now() % 100_000] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), 'rgbd_scene_graph_kill_'));
try {
  const onKill = (counts: { readonly kills: number }): void => {
    if (counts.kills % 20 === 0) process.stderr.write(`${counts.kills} kills\n`);
  };
  const counts = await killTest({ kills, seed, folder, onKill });
  process.stdout.write(`seed                         ${seed}\n${formatCounts(counts)}`);
  process.exitCode = isClean(counts) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
