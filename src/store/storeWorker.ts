import { parentPort, workerData } from 'node:worker_threads';
import { StoreFile } from './StoreFile.js';
import {
  ownBuffers,
  packGraph,
  type StoreReply,
  type StoreRequest,
  type StoreStart,
} from './storeMessages.js';
import { isDamage, reasonOf } from './StoreProblem.js';

/** The thread that `SqliteStore` starts: the one place that waits for the disk. */
const port = parentPort;
const { file, identity, limits } = workerData as StoreStart;

function open(): StoreFile | undefined {
  try {
    const store = StoreFile.open(file, identity, limits);
    try {
      reply({ kind: 'opened', graph: packGraph(store.load()), setAside: store.setAside });
    } catch (error) {
      if (!isDamage(error)) throw error;
      store.startAnew();
      reply({ kind: 'opened', graph: packGraph(store.load()), setAside: store.setAside });
    }
    return store;
  } catch (error) {
    reply({ kind: 'failed', reason: reasonOf(error) });
    return undefined;
  }
}

function answer(store: StoreFile, request: StoreRequest): StoreReply {
  switch (request.kind) {
    case 'write':
      store.write(request.changes, request.durable);
      return { kind: 'done' };
    case 'picture':
      return { kind: 'picture', picture: store.findPicture(request.view) };
    case 'start_anew':
      return { kind: 'started_anew', setAside: store.startAnew() };
    case 'close':
      store.close();
      return { kind: 'done' };
  }
}

function reply(message: StoreReply): void {
  const bodies = message.kind === 'opened' ? [message.graph.bodies] : [];
  port?.postMessage(message, ownBuffers(bodies));
}

const store = open();
port?.on('message', (request: StoreRequest) => {
  try {
    if (store !== undefined) reply(answer(store, request));
  } catch (error) {
    reply({ kind: 'failed', reason: reasonOf(error) });
  }
});
