import type { Parameters } from '../pipeline/parameters.js';
import type { Brief } from '../protocol/index.js';
import { isBriefChange } from './briefChange.js';
import type { FaultLog } from './guard.js';
import type { BriefMessage } from './messages.js';
import { toRclQos } from './rcl.js';
import { LATCHED } from './rosTypes.js';
import type { RosNode } from './rosTypes.js';
import { createSteadyTimer } from './steadyTimer.js';
import { writeBrief, writeText } from './writeBrief.js';

/** How often it is looked whether something is due; small against the shortest allowed period. */
const LOOK_PERIOD_S = 0.1;

/** The Brief of now in its three forms. */
export interface BriefForms {
  readonly brief: Brief;
  readonly message: BriefMessage;
  readonly text: string;
}

export interface BriefPublisherOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  /** Looked at anew each time: rates may change while the node runs. */
  readonly parameters: () => Parameters['brief'];
  /** The Brief as it would be handed out now; nobody has seen it yet. */
  readonly look: () => Brief;
  /** The Brief for handing out: it becomes the latest. */
  readonly take: () => BriefForms;
}

/**
 * Publishes `~/brief` and `~/brief_text`: on change at most `brief.max_rate_hz` times a second, and unchanged
 * at least every `brief.max_period_s`. Both are latched, so that whoever comes late has the newest at once.
 */
export function startBriefPublisher(options: BriefPublisherOptions): { stop(): void } {
  const { node, faults, parameters, look, take } = options;
  const qos = toRclQos(LATCHED);
  const briefTopic = node.createPublisher('rgbd_scene_graph/msg/SceneGraphBrief', '~/brief', { qos });
  const textTopic = node.createPublisher('std_msgs/msg/String', '~/brief_text', { qos });
  let published: Brief | undefined;
  let publishedAtMs = -Infinity;
  let isStopped = false;

  createSteadyTimer(node, faults, 'brief timer', LOOK_PERIOD_S, () => {
    if (!isStopped && isDue()) publish();
  });

  return {
    stop() {
      isStopped = true;
    },
  };

  function isDue(): boolean {
    const { maxRateHz, maxPeriodS, minMoveM } = parameters();
    const silentS = (performance.now() - publishedAtMs) / 1000;
    if (silentS < 1 / maxRateHz) return false;
    return published === undefined || silentS >= maxPeriodS || isBriefChange(published, look(), minMoveM);
  }

  function publish(): void {
    const { brief, message, text } = take();
    briefTopic.publish(writeBrief(message));
    textTopic.publish(writeText(text));
    published = brief;
    publishedAtMs = performance.now();
  }
}
