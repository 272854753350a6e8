import type { Worker } from 'node:worker_threads';
import type { GraphState } from '../graph/types.js';
import { startThread } from '../threads/startThread.js';
import {
  UnavailableStore,
  type KeptView,
  type OpenedStore,
  type RecordingPosition,
  type SceneStore,
  type SceneUpdate,
  type StoreStatus,
} from './SceneStore.js';
import { rowChanges, stateFromRows, unpack } from './stateRows.js';
import type { PictureRow, StoreChanges, StoredGraph, ViewKey, ViewRow } from './StoreFile.js';
import {
  ownBuffers,
  unpackGraph,
  type StoreReply,
  type StoreRequest,
  type StoreStart,
} from './storeMessages.js';

/**
 * Room for revisions that are handed out between two writes. A process that is killed takes the number of its last
 * Brief with it; the next one begins above all that it can have reached.
 */
const REVISION_RESERVE = 10_000;

/**
 * A graph in a SQLite file, written by a thread of its own. It knows the state that was written last and writes what
 * differs from it. One write at a time: a commit waits for the one before it, a save gives way.
 */
export class SqliteStore implements SceneStore {
  readonly #thread: StoreThread;
  #written: GraphState | undefined;
  /** What stands beside the state, as it was written last. */
  #beside: Pick<StoreChanges, 'revisionLimit' | 'position'>;
  #status: StoreStatus = { state: 'ok', reason: '' };
  #writing: Promise<unknown> | undefined;

  /** Opens the file and reads what is in it; one that cannot be used gives a store that says why. */
  static async open(start: StoreStart): Promise<OpenedStore> {
    const thread = new StoreThread(start);
    const first = await thread.opened;
    if (first.kind !== 'opened') {
      await thread.stop();
      return unavailable(first.kind === 'failed' ? first.reason : 'the store did not open');
    }
    const notes = first.setAside === undefined ? [] : [setAsideNote(first.setAside)];
    const read = await readGraph(thread, unpackGraph(first.graph), notes);
    const beside = { revisionLimit: limitFor(read.restored), position: read.raw };
    const store = new SqliteStore(thread, read.restored, beside);
    await store.#write({ written: [], removed: [], ...beside }, true);
    return { store, ...read.opened, notes };
  }

  private constructor(
    thread: StoreThread,
    written: GraphState | undefined,
    beside: Pick<StoreChanges, 'revisionLimit' | 'position'>,
  ) {
    this.#thread = thread;
    this.#written = written;
    this.#beside = beside;
  }

  get status(): StoreStatus {
    return this.#status;
  }

  async commit(update: SceneUpdate, onWritten: () => void): Promise<string | undefined> {
    while (this.#writing !== undefined) await this.#writing;
    return this.#writeState(update, { durable: true, onWritten });
  }

  async save(update: SceneUpdate): Promise<boolean> {
    if (this.#writing !== undefined) return false;
    return (await this.#writeState(update, { durable: false })) === undefined;
  }

  async saveViews(views: readonly PictureRow[], removedViews: readonly ViewKey[]): Promise<boolean> {
    while (this.#writing !== undefined) await this.#writing;
    const changes = { written: [], removed: [], views, removedViews, ...this.#beside };
    const writing = this.#write(changes, false).finally(() => (this.#writing = undefined));
    this.#writing = writing;
    return (await writing) === undefined;
  }

  async findPicture(view: ViewKey): Promise<Uint8Array | undefined> {
    const reply = await this.#thread.ask({ kind: 'picture', view });
    return reply.kind === 'picture' ? reply.picture : undefined;
  }

  /** Afterwards no revision is kept in reserve: nothing more is handed out. */
  async close(last?: SceneUpdate): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (last !== undefined) await this.#writeState(last, { durable: true, reserve: 0 });
    await this.#thread.ask({ kind: 'close' });
    await this.#thread.stop();
  }

  #writeState(update: SceneUpdate, how: WriteOptions): Promise<string | undefined> {
    const writing = this.#writeDifference(update, how).finally(() => (this.#writing = undefined));
    this.#writing = writing;
    return writing;
  }

  async #writeDifference(
    { state, position }: SceneUpdate,
    { durable, reserve, onWritten }: WriteOptions,
  ): Promise<string | undefined> {
    const beside = {
      revisionLimit: limitFor(state, reserve),
      position: position === undefined ? null : JSON.stringify(position),
    };
    const failure = await this.#write({ ...rowChanges(this.#written, state), ...beside }, durable);
    if (failure !== undefined) return failure;
    this.#written = state;
    this.#beside = beside;
    onWritten?.();
    return undefined;
  }

  async #write(changes: StoreChanges, durable: boolean): Promise<string | undefined> {
    const bodies = changes.written.map(({ body }) => body);
    const reply = await this.#thread.ask({ kind: 'write', changes, durable }, ownBuffers(bodies));
    const isLost = this.#thread.isLost;
    this.#status =
      reply.kind === 'failed'
        ? { state: isLost ? 'unavailable' : 'failing', reason: reply.reason }
        : { state: 'ok', reason: '' };
    return reply.kind === 'failed' ? reply.reason : undefined;
  }
}

interface WriteOptions {
  readonly durable: boolean;
  /** Revisions kept in reserve. */
  readonly reserve?: number;
  readonly onWritten?: () => void;
}

function unavailable(reason: string): OpenedStore {
  const note = `nothing is stored: ${reason}; the graph lives in memory and confirmed executions are refused`;
  return { store: new UnavailableStore(reason), views: [], notes: [note] };
}

function setAsideNote(name: string): string {
  return `the stored graph could not be read; its file was set aside as ${name} and the graph begins empty`;
}

interface ReadGraph {
  readonly restored: GraphState | undefined;
  readonly raw: string | null;
  readonly opened: Pick<OpenedStore, 'restored' | 'views' | 'position'>;
}

/** What the rows say; if they make no sense the file is set aside like any other that cannot be read. */
async function readGraph(thread: StoreThread, graph: StoredGraph, notes: string[]): Promise<ReadGraph> {
  if (graph.rows.length === 0) return { restored: undefined, raw: null, opened: { views: [] } };
  try {
    const stored = stateFromRows(graph.rows);
    const restored = { ...stored, revision: Math.max(stored.revision, graph.revisionLimit) };
    const position =
      graph.position === null ? {} : { position: JSON.parse(graph.position) as RecordingPosition };
    return {
      restored,
      raw: graph.position,
      opened: { restored, views: graph.views.map(keptView), ...position },
    };
  } catch {
    const reply = await thread.ask({ kind: 'start_anew' });
    notes.push(
      reply.kind === 'started_anew' ? setAsideNote(reply.setAside) : 'the stored graph could not be read',
    );
    return { restored: undefined, raw: null, opened: { views: [] } };
  }
}

function keptView({ ref, about }: ViewRow): KeptView {
  return { ref, ...(unpack(about) as Omit<KeptView, 'ref'>) };
}

function limitFor(state: GraphState | undefined, reserve = REVISION_RESERVE): number {
  return (state?.revision ?? 0) + reserve;
}

/** Requests and replies in their order. A thread that has ended answers everything with why. */
class StoreThread {
  readonly opened: Promise<StoreReply>;
  readonly #worker: Worker;
  readonly #waiting: ((reply: StoreReply) => void)[] = [];
  #lost: string | undefined;

  constructor(start: StoreStart) {
    this.#worker = startThread(new URL('./storeWorker', import.meta.url), { workerData: start });
    this.opened = new Promise((resolve) => this.#waiting.push(resolve));
    this.#worker.on('message', (reply: StoreReply) => this.#settle(reply));
    this.#worker.on('error', (error: Error) => this.#lose(`its thread failed: ${error.name}`));
    this.#worker.on('exit', (code) => this.#lose(`its thread ended with code ${code}`));
  }

  get isLost(): boolean {
    return this.#lost !== undefined;
  }

  ask(request: StoreRequest, handOver: readonly ArrayBuffer[] = []): Promise<StoreReply> {
    if (this.#lost !== undefined) return Promise.resolve({ kind: 'failed', reason: this.#lost });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) this.#worker.ref();
      this.#worker.postMessage(request, [...handOver]);
    });
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: StoreReply): void {
    const next = this.#waiting.shift();
    // It waits for work; that alone must not keep the process alive.
    if (this.#waiting.length === 0) this.#worker.unref();
    next?.(reply);
  }

  #lose(reason: string): void {
    this.#lost ??= reason;
    for (const resolve of this.#waiting.splice(0)) resolve({ kind: 'failed', reason: this.#lost });
  }
}
