import { emptyState } from '../../src/graph/emptyState.js';
import { executionHash } from '../../src/graph/executionHash.js';
import { createReducer } from '../../src/graph/reduce.js';
import { InProcessProvider, type EvidenceSource } from '../../src/pipeline/InProcessProvider.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../src/pipeline/sceneParameters.js';
import { WorkingGraph } from '../../src/pipeline/WorkingGraph.js';
import { shippedEffects } from '../fixtures/graphStates.js';
import { describeConformance, type Door } from './conformance.js';

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
