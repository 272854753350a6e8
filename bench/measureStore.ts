/**
 * What a store of many entities costs: what is written, how soon a process that opens it can answer, how long a Brief and
 * a relation query take then. Run by itself with a file, it measures the start in a process of its own. Prints JSON.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ViewRole } from '../src/evidence/StoredView.js';
import { canonicalHash } from '../src/graph/canonicalHash.js';
import type { GraphState } from '../src/graph/types.js';
import { openStore } from '../src/pipeline/openStore.js';
import { parametersFromFlat } from '../src/pipeline/parameterSet.js';
import { createScenePipeline } from '../src/pipeline/ScenePipeline.js';
import { SeededRandom } from '../src/simulate/SeededRandom.js';
import { pack } from '../src/store/stateRows.js';
import type { PictureRow } from '../src/store/StoreFile.js';
import { growTo } from './measureGrowth.js';

export interface StoreMeasurement {
  readonly entities: number;
  readonly relations: number;
  readonly views: number;
  /** ms: all of it at once; what one frame changed and one execution added, made certain to last. */
  readonly writeAllMs: number;
  readonly commitMs: number;
  /** Bytes of the file for each entity without its pictures, and for each picture with what is told of it. */
  readonly bytesPerEntity: number;
  readonly bytesPerView: number;
  readonly start: StartMeasurement;
}

/** ms, but for the hash. */
export interface StartMeasurement {
  /** From opening the file to the first Brief. */
  readonly startMs: number;
  readonly briefMs: number;
  readonly relationsMs: number;
  readonly imageMs: number;
  readonly hash: string;
}

const ROLES: readonly ViewRole[] = ['best', 'latest', 'other_side'];
/** Of the size that crops of a VGA picture have. */
const PICTURE_BYTES = [4000, 12_000] as const;
const LOOKS = 50;

export async function measureStore(entities: number): Promise<StoreMeasurement> {
  const folder = mkdtempSync(join(tmpdir(), 'rgbd_scene_graph_bench_'));
  try {
    const file = join(folder, 'scene.db');
    const state = { ...growTo(entities), mapFrame: 'map' };
    const written = await writeStore(file, state);
    const script = fileURLToPath(import.meta.url);
    const child = spawnSync(process.execPath, ['--import=tsx', script, file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const start = JSON.parse(child.stdout) as StartMeasurement;
    if (start.hash !== canonicalHash(state)) throw new Error('the restored graph has another hash');
    return { entities: state.entities.size, relations: state.relations.size, ...written, start };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeStore(
  file: string,
  state: GraphState,
): Promise<Pick<StoreMeasurement, 'views' | 'writeAllMs' | 'commitMs' | 'bytesPerEntity' | 'bytesPerView'>> {
  const opened = await openStore(parametersOf(file));
  if (opened === undefined) throw new Error('no store');
  const { store } = opened;
  const began = performance.now();
  await told(store.commit({ state }, () => {}));
  const writeAllMs = performance.now() - began;
  const [ref, entity] = [...state.entities][0] ?? ['', undefined];
  const touched = { ...state, entities: state.entities.set(ref, { ...entity, observations: 1000 }) };
  const committing = performance.now();
  await told(store.commit({ state: touched }, () => {}));
  const commitMs = performance.now() - committing;
  await store.close({ state });
  const graphBytes = statSync(file).size;
  const views = await writeViews(file, state);
  const viewBytes = statSync(file).size - graphBytes;
  return {
    views,
    writeAllMs,
    commitMs,
    bytesPerEntity: graphBytes / state.entities.size,
    bytesPerView: viewBytes / views,
  };
}

async function writeViews(file: string, state: GraphState): Promise<number> {
  const opened = await openStore(parametersOf(file));
  if (opened === undefined) throw new Error('no store');
  const random = new SeededRandom(1);
  let count = 0;
  let rows: PictureRow[] = [];
  for (const { ref, lastSeen } of state.entities.values()) {
    for (const role of ROLES) {
      const length = Math.round(random.between(...PICTURE_BYTES));
      const picture = Uint8Array.from({ length }, () => random.uint32() & 255);
      const view = { role, score: 0.5, azimuth: 1, distanceM: 1.5, moment: lastSeen };
      rows.push({ ref, role, about: pack({ view, bytes: length }), picture });
      count += 1;
    }
    if (rows.length < 3000) continue;
    await opened.store.saveViews(rows, []);
    rows = [];
  }
  await opened.store.saveViews(rows, []);
  await opened.store.close({ state });
  return count;
}

async function measureStart(file: string): Promise<StartMeasurement> {
  const parameters = parametersOf(file);
  const began = performance.now();
  const store = await openStore(parameters);
  const pipeline = createScenePipeline(parameters, { live: true, ...(store && { store }) });
  pipeline.workingGraph.handOutBrief();
  const startMs = performance.now() - began;
  const refs = [...pipeline.workingGraph.state.entities.keys()];
  const briefMs = await median(() => Promise.resolve(pipeline.workingGraph.handOutBrief()));
  const relationsMs = await median((k) =>
    pipeline.provider.getObjectRelations(refs[(k * 97) % refs.length] ?? ''),
  );
  const imageMs = await median((k) => pipeline.provider.getImage(refs[(k * 97) % refs.length] ?? ''));
  const hash = canonicalHash(pipeline.workingGraph.state);
  await pipeline.close();
  return { startMs, briefMs, relationsMs, imageMs, hash };
}

async function median(ask: (k: number) => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let k = 0; k < LOOKS; k++) {
    const began = performance.now();
    await ask(k);
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[LOOKS >> 1] ?? NaN;
}

async function told(writing: Promise<string | undefined>): Promise<void> {
  const failure = await writing;
  if (failure !== undefined) throw new Error(failure);
}

function parametersOf(file: string) {
  const limits = { 'store.max_views_mb': 100_000, 'evidence.max_refs': 1_000_000 };
  return parametersFromFlat({ 'store.path': file, ...limits }).parameters;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  process.stdout.write(JSON.stringify(await measureStart(process.argv[2] ?? '')));
