import { homedir } from 'node:os';
import path from 'node:path';
import type { OpenedStore } from '../store/SceneStore.js';
import { SqliteStore } from '../store/SqliteStore.js';
import type { Parameters } from './parameters.js';

/** The store that the parameters name, and what is in it of this map; undefined where the graph lives in memory only. */
export async function openStore({ store, mapId, frames }: Parameters): Promise<OpenedStore | undefined> {
  if (store.path === '') return undefined;
  return SqliteStore.open({
    file: path.resolve(store.path.replace(/^~(?=\/|$)/, homedir())),
    identity: { mapId, mapFrame: frames.map },
    limits: store.maxMb === 0 ? {} : { maxBytes: store.maxMb * 1e6 },
  });
}
