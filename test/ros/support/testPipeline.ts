import { readFileSync } from 'node:fs';
import { applyCorrection } from '../../../src/graph/corrections.js';
import { parseEffectsTable } from '../../../src/graph/effectsTable.js';
import { emptyState } from '../../../src/graph/emptyState.js';
import { applyExecution } from '../../../src/graph/executions.js';
import type { GraphEvent, GraphState } from '../../../src/graph/types.js';
import type { InputMessage } from '../../../src/input/messages.js';
import { InProcessProvider } from '../../../src/pipeline/InProcessProvider.js';
import { WorkingGraph } from '../../../src/pipeline/WorkingGraph.js';
import { makeDoor } from '../../../src/ros/LivePipeline.js';
import type { LivePipeline } from '../../../src/ros/LivePipeline.js';
import type { GraphDoor } from '../../../src/ros/services.js';

/** A pipeline that perceives nothing and notes what it is given, over a real graph. */
export interface TestPipeline extends LivePipeline {
  readonly pushed: InputMessage[];
  clockJumps: number;
  /** Waited for by every push. */
  delay: () => Promise<void>;
}

export interface TestPipelineOptions {
  readonly initial?: GraphState;
  readonly door?: (real: GraphDoor) => GraphDoor;
}

export function testPipeline({ initial, door }: TestPipelineOptions = {}): TestPipeline {
  const file = 'config/execution_effects.yaml';
  const effects = parseEffectsTable(readFileSync(file, 'utf8'), file);
  const reduce = (state: GraphState, event: GraphEvent): GraphState => {
    if (event.kind === 'execution') return applyExecution(state, event, effects).state;
    return event.kind === 'correction' ? applyCorrection(state, event).state : state;
  };
  const graph = new WorkingGraph({
    initial: initial ?? emptyState('map'),
    reduce,
    effects,
    steadyNowS: () => performance.now() / 1000,
    staleAfterS: 3,
  });
  const real = makeDoor(graph, new InProcessProvider({ graph }));
  const pipeline: TestPipeline = {
    graph,
    door: door?.(real) ?? real,
    pushed: [],
    clockJumps: 0,
    delay: async () => {},
    async push(message) {
      await pipeline.delay();
      pipeline.pushed.push(message);
    },
    noteClockJump() {
      pipeline.clockJumps += 1;
    },
    async expire() {},
    figures: () => ({
      framesUsed: 0,
      dropped: {},
      lastDropCause: undefined,
      framesPending: 0,
      refused: () => ({}),
      used: () => 0,
      lastRefusal: () => undefined,
      frameIds: [],
    }),
    async stop() {},
  };
  return pipeline;
}
