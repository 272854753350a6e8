import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { emptyState } from '../../src/graph/emptyState.js';
import { executionHash } from '../../src/graph/executionHash.js';
import { createReducer } from '../../src/graph/reduce.js';
import { InProcessProvider, type EvidenceSource } from '../../src/pipeline/InProcessProvider.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { WorkingGraph } from '../../src/pipeline/WorkingGraph.js';
import { shippedEffects } from '../fixtures/graphStates.js';
import type { ExecutionAnswer } from '../../src/protocol/index.js';
import { describeConformance, type Door } from './conformance.js';
import { describeKilled, type KillableDoor } from './killed.js';

/** One view of every ref: the two markers of an empty JPEG. */
const evidence: EvidenceSource = {
  viewsOf: (ref) =>
    Promise.resolve([
      {
        name: `${ref}-1`,
        data: Uint8Array.of(0xff, 0xd8, 0xff, 0xd9),
        mediaType: 'image/jpeg',
        caption: `${ref}, best view`,
        freshness: 'current',
      },
    ]),
};

/** The in-process provider over the real reducer and the shipped table of effects. */
function openInProcess(): Promise<Door> {
  const effects = shippedEffects();
  const logged: string[] = [];
  const graph = new WorkingGraph({
    initial: emptyState('map'),
    reduce: createReducer(graphParameters(defaultParameters()), effects),
    effects,
    steadyNowS: () => performance.now() / 1000,
    staleAfterS: 3,
  });
  const provider = new InProcessProvider({
    graph,
    evidence,
    onInternalError: (operation, error) => logged.push(`${operation}: ${String(error)}`),
  });
  return Promise.resolve({
    observe: async (frame) => {
      await graph.submit({ kind: 'observation', frame });
    },
    brief: () => provider.brief(),
    text: () => Promise.resolve(graph.handOutBrief().text),
    relations: (ref, relation) => provider.getObjectRelations(ref, relation),
    image: (ref) => provider.getImage(ref),
    object: (ref) => provider.getObject(ref),
    apply: (call) => provider.applyConfirmedExecution(call),
    executionHash: () => Promise.resolve(executionHash(graph.state)),
    handedOut: () => logged,
    close: () => Promise.resolve(),
  });
}

describeConformance('the in-process provider', openInProcess);

/** The same provider in a process that can be killed. */
function openKillable(file: string): Promise<KillableDoor> {
  const script = fileURLToPath(new URL('./killableProvider.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx', script, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const waiting = new Map<number, (content: unknown) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, content } = JSON.parse(line) as { id: number; content: unknown };
    waiting.get(id)?.(content);
  });
  let next = 0;
  const ask = <Content>(what: object): Promise<Content> =>
    new Promise((resolve) => {
      const id = next++;
      waiting.set(id, resolve as (content: unknown) => void);
      child.stdin.write(`${JSON.stringify({ id, ...what })}\n`);
    });
  return Promise.resolve({
    apply: (call) => ask<ExecutionAnswer>({ apply: call }),
    executionHash: () => ask<string>({ hash: true }),
    kill: () =>
      new Promise((resolve) => {
        child.on('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  });
}

describeKilled(
  'the in-process provider',
  { toolName: 'pick', arguments: { obj: 'object_1' }, result: {}, evaluatorVerdict: 'success' },
  openKillable,
);
