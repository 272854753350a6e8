import { applyCorrection } from './corrections.js';
import type { EffectsTable } from './effectsTable.js';
import { applyExecution } from './executions.js';
import { applyClockJump, applyReset } from './lifecycle.js';
import { observeFrame } from './observeFrame.js';
import type { GraphParameters } from './parameters.js';
import type { GraphEvent, GraphState } from './types.js';

/**
 * The one pure function through which the graph changes. The same events from the same state give the same state,
 * so replays repeat exactly and a branch of the graph is nothing but another state. The caller counts revisions.
 * @param grippers names of the robot's grippers; empty: it has told of none
 */
export function createReducer(
  parameters: GraphParameters,
  effects: EffectsTable,
  grippers: readonly string[] = [],
): (state: GraphState, event: GraphEvent) => GraphState {
  return (state, event) => {
    switch (event.kind) {
      case 'observation':
        return observeFrame(state, event.frame, parameters);
      case 'execution':
        return applyExecution(state, event, effects, grippers).state;
      case 'correction':
        return applyCorrection(state, event).state;
      case 'clock_jump':
        return applyClockJump(state);
      case 'reset':
        return applyReset(state);
    }
  };
}
