import { canonicalHash } from '../graph/canonicalHash.js';
import { executionHash } from '../graph/executionHash.js';
import type { GraphState } from '../graph/types.js';
import { rosTimeFromStamp } from '../time/Stamp.js';
import type { DeclaredParameters } from './declareParameters.js';
import { detectorStatuses } from './detectorStatuses.js';
import {
  frameStatus,
  inputStatus,
  LEVEL,
  SILENCE_S,
  StatusLog,
  storeStatus,
  writeDiagnostics,
} from './diagnostics.js';
import type { DiagnosticStatus, InputFigures, Level } from './diagnostics.js';
import type { FaultLog } from './guard.js';
import type { LiveIntake } from './LiveIntake.js';
import type { LivePipeline, PipelineFigures } from './LivePipeline.js';
import { toRclQos } from './rcl.js';
import type { RosNode } from './rosTypes.js';
import type { SimClock } from './simClock.js';
import { createSteadyTimer } from './steadyTimer.js';

const PERIOD_S = 1;
const QOS = { reliability: 'reliable', durability: 'volatile', depth: 10 } as const;

export interface DiagnosticsOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly declared: DeclaredParameters;
  readonly clock: SimClock;
  readonly intake: Pick<LiveIntake, 'figures' | 'depthFigures'>;
  readonly pipeline: Pick<LivePipeline, 'graph' | 'figures'>;
}

/** Publishes `/diagnostics` once a second on the steady clock and logs a line when a status changes. */
export function startDiagnostics(options: DiagnosticsOptions): { stop(): void } {
  const { node, faults } = options;
  const topic = node.createPublisher('diagnostic_msgs/msg/DiagnosticArray', '/diagnostics', {
    qos: toRclQos(QOS),
  });
  const log = new StatusLog((level, text) => say(node, level, text));
  const hashes = new HashCache();
  const startedMs = performance.now();
  let isStopped = false;

  createSteadyTimer(node, faults, 'diagnostics timer', PERIOD_S, () => {
    if (isStopped) return;
    const uptimeS = (performance.now() - startedMs) / 1000;
    const statuses = collect(options, hashes, uptimeS);
    const now = rosTimeFromStamp(node.getClock().now().nanoseconds);
    topic.publish(writeDiagnostics(now, node.name(), statuses));
    log.note(statuses);
  });
  return {
    stop() {
      isStopped = true;
    },
  };
}

function say(node: RosNode, level: Level, text: string): void {
  const logger = node.getLogger();
  if (level === LEVEL.ok) logger.info(text);
  else if (level === LEVEL.warn) logger.warn(text);
  else logger.error(text);
}

function collect(
  options: DiagnosticsOptions,
  hashes: HashCache,
  uptimeS: number,
): readonly DiagnosticStatus[] {
  const { node, faults, declared, clock, intake, pipeline } = options;
  const inputs = intake.figures();
  return [
    ...inputs.map((figures) => inputStatus(figures, uptimeS)),
    transformStatus(inputs, pipeline.figures(), declared.current.frames, uptimeS),
    frameStatus(intake.depthFigures(), pipeline.figures()),
    ...detectorStatuses(inputs, pipeline.figures(), declared.current.detector, uptimeS),
    graphStatus(pipeline.graph.state, hashes),
    storeStatus(pipeline.figures().store),
    clockStatus(declared.usesSimTime, clock),
    nodeStatus(node, faults),
  ];
}

function transformStatus(
  inputs: readonly InputFigures[],
  { frameIds }: PipelineFigures,
  frames: Readonly<Record<string, string>>,
  uptimeS: number,
): DiagnosticStatus {
  const missing = Object.entries(frames).filter(([, frameId]) => !frameIds.includes(frameId));
  const values = { frames_seen: frameIds.join(', ') };
  const name = 'transforms';
  const topics = inputs.filter(({ spec }) => spec.kind === 'tf' || spec.kind === 'tf_static');
  if (topics.every(({ status }) => status.received === 0)) {
    const names = topics.map(({ status }) => status.topic).join(' and ');
    const level = uptimeS < SILENCE_S ? LEVEL.ok : LEVEL.error;
    return { name, level, message: `nothing received on ${names}`, values };
  }
  const map = missing.find(([role]) => role === 'map');
  if (map !== undefined) {
    const message = `no transform names the map frame '${map[1]}'; set frames.map to one of the frames seen`;
    return { name, level: uptimeS < SILENCE_S ? LEVEL.ok : LEVEL.error, message, values };
  }
  // The robot's pose and the odometry edge are extras: without them things are still mapped.
  const extras = missing.map(([role, frameId]) => `frames.${role} '${frameId}'`);
  const message = extras.length === 0 ? 'all frames known' : `not seen: ${extras.join(', ')}`;
  return { name, level: LEVEL.ok, message, values };
}

function graphStatus(state: GraphState, hashes: HashCache): DiagnosticStatus {
  return {
    name: 'graph',
    level: LEVEL.ok,
    message: 'ok',
    values: {
      entities: String(state.entities.size),
      relations: String(state.relations.size),
      revision: String(state.revision),
      epoch: String(state.epoch),
      ...hashes.of(state),
    },
  };
}

function clockStatus(usesSimTime: boolean, clock: SimClock): DiagnosticStatus {
  const isSilent = usesSimTime && clock.time === undefined;
  return {
    name: 'clock',
    level: isSilent ? LEVEL.warn : LEVEL.ok,
    message: isSilent ? 'use_sim_time is set and nothing came on /clock' : 'ok',
    values: { use_sim_time: String(usesSimTime) },
  };
}

/** A second node of this name answers to the same services, and a caller gets either's answer. */
function nodeStatus(node: RosNode, faults: FaultLog): DiagnosticStatus {
  const service = node.resolveServiceName('~/get_brief');
  const servers = node.countServices(service);
  const counts = Object.fromEntries(
    [...faults.counts].map(([where, count]) => [`fault: ${where}`, String(count)]),
  );
  const isDouble = servers > 1;
  const hasFaults = faults.counts.size > 0;
  return {
    name: 'node',
    level: isDouble || hasFaults ? LEVEL.warn : LEVEL.ok,
    message: isDouble
      ? `${servers} servers answer to ${service}: another node has this name`
      : hasFaults
        ? 'faults happened; see the log'
        : 'ok',
    values: { servers: String(servers), ...counts },
  };
}

/** Hashing walks the whole state, so it is done once per state. */
class HashCache {
  #state: GraphState | undefined;
  #values: Readonly<Record<string, string>> = {};

  of(state: GraphState): Readonly<Record<string, string>> {
    if (this.#state !== state) {
      this.#state = state;
      this.#values = { state_hash: canonicalHash(state), execution_hash: executionHash(state) };
    }
    return this.#values;
  }
}
