import { emptyState } from '../../../src/graph/emptyState.js';
import { createReducer } from '../../../src/graph/reduce.js';
import { InProcessProvider } from '../../../src/pipeline/InProcessProvider.js';
import type { EvidenceSource } from '../../../src/pipeline/InProcessProvider.js';
import { defaultParameters } from '../../../src/pipeline/parameterSet.js';
import { graphParameters } from '../../../src/pipeline/sceneParameters.js';
import { WorkingGraph } from '../../../src/pipeline/WorkingGraph.js';
import { makeDoor } from '../../../src/ros/LivePipeline.js';
import { frameOf } from '../../conformance/scriptedWorld.js';
import { shippedEffects } from '../../fixtures/graphStates.js';
import { testPipeline } from './testPipeline.js';
import type { TestPipeline } from './testPipeline.js';

/** A view of an empty JPEG; its bytes are a view into a larger buffer at an odd offset. */
export const PICTURE = Uint8Array.of(7, 0xff, 0xd8, 0xff, 0xd9, 9).subarray(1, 5);

export const onePicture: EvidenceSource = {
  viewsOf: (ref) =>
    Promise.resolve([
      {
        name: `${ref}-1`,
        data: PICTURE,
        mediaType: 'image/jpeg',
        caption: `${ref}, best view`,
        freshness: 'current',
      },
    ]),
};

/** The real graph after some frames of the scripted world, with nothing to see it through. */
export async function cupsPipeline(
  cupCount: number,
  evidence: EvidenceSource = onePicture,
  onFault: (where: string, error: unknown) => void = () => {},
): Promise<TestPipeline> {
  const effects = shippedEffects();
  const graph = new WorkingGraph({
    initial: emptyState('map'),
    reduce: createReducer(graphParameters(defaultParameters()), effects),
    effects,
    steadyNowS: () => performance.now() / 1000,
    staleAfterS: 3,
  });
  for (let k = 0; k < 12 && cupCount > 0; k++) {
    await graph.submit({ kind: 'observation', frame: frameOf(k, cupCount) });
  }
  const provider = new InProcessProvider({ graph, evidence, onInternalError: onFault });
  return { ...testPipeline(), graph, door: makeDoor(graph, provider) };
}
