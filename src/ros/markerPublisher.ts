import type { GraphState } from '../graph/types.js';
import type { WorkingGraph } from '../pipeline/WorkingGraph.js';
import type { FaultLog } from './guard.js';
import { buildMarkers, writeMarkerArray } from './markers.js';
import { toRclQos } from './rcl.js';
import type { RosNode } from './rosTypes.js';
import { LATCHED } from './rosTypes.js';
import { createSteadyTimer } from './steadyTimer.js';

const PERIOD_S = 0.5;

export interface MarkerPublisherOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly isEnabled: () => boolean;
  readonly graph: Pick<WorkingGraph, 'state'>;
}

/** Publishes `~/markers`: the whole picture when the graph changed or somebody new listens, else nothing. */
export function startMarkerPublisher({ node, faults, isEnabled, graph }: MarkerPublisherOptions): {
  stop(): void;
} {
  const qos = toRclQos(LATCHED);
  const topic = node.createPublisher('visualization_msgs/msg/MarkerArray', '~/markers', { qos });
  let shown: GraphState | undefined;
  let listeners = 0;
  let isStopped = false;

  createSteadyTimer(node, faults, 'marker timer', PERIOD_S, () => {
    if (isStopped) return;
    const listening = topic.subscriptionCount;
    const hasNewListener = listening > listeners;
    listeners = listening;
    if (listening === 0 || !isEnabled()) return;
    if (shown === graph.state && !hasNewListener) return;
    shown = graph.state;
    topic.publish(writeMarkerArray(buildMarkers(shown), shown));
  });
  return {
    stop() {
      isStopped = true;
    },
  };
}
