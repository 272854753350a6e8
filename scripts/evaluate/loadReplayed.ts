import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { readReplayFolder, readTruthFile } from '../../src/cli/readReplayFolder.js';
import type { ReplayResult } from '../../src/evaluate/replayResult.js';
import type { Truth } from '../../src/evaluate/truth.js';

export async function loadReplayed(
  folder: string,
  truthFile: string,
): Promise<{ truth: Truth; result: ReplayResult; stateHash: string }> {
  const truth = await readTruthFile(truthFile);
  const result = await readReplayFolder(folder);
  const graph = JSON.parse(await readFile(path.join(folder, 'graph.json'), 'utf8')) as { state_hash: string };
  return { truth, result, stateHash: graph.state_hash };
}
