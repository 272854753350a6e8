import type { Detector } from '../detect/Detector.js';
import type { InputMessage } from '../input/messages.js';
import type { InProcessProvider } from '../pipeline/InProcessProvider.js';
import type { Parameters } from '../pipeline/parameters.js';
import { perceiveParameters } from '../pipeline/sceneParameters.js';
import { createScenePipeline } from '../pipeline/ScenePipeline.js';
import { WorkerPerceiver } from '../pipeline/WorkerPerceiver.js';
import type { WorkingGraph } from '../pipeline/WorkingGraph.js';
import type { OpenedStore, StoreStatus } from '../store/SceneStore.js';
import type { ClockJump } from '../time/JumpDetector.js';
import type { DurationNs } from '../time/Stamp.js';
import type { FaultLog } from './guard.js';
import type { RosLogger } from './rosTypes.js';
import type { GraphDoor } from './services.js';

/** What the node needs of the pipeline behind it. */
export interface LivePipeline {
  readonly graph: WorkingGraph;
  readonly door: GraphDoor;
  /** Resolves when what the message completes has been folded in. */
  push(message: InputMessage): Promise<void>;
  /** Drops frames that have waited too long, also when nothing comes any more. */
  expire(): Promise<void>;
  /** `/clock` went back: what was timed by it no longer holds. */
  noteClockJump(jump: ClockJump): void;
  figures(): PipelineFigures;
  stop(): Promise<void>;
}

export interface PipelineFigures {
  readonly framesUsed: number;
  /** Frames that were not used, by cause. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly lastDropCause: string | undefined;
  /** Frames that came in and are neither used nor dropped yet. */
  readonly framesPending: number;
  /** Messages of a stream (`depth`, `front/color`, `tf`) that were not used, by cause. */
  readonly refused: (stream: string) => Readonly<Record<string, number>>;
  /** Messages of what a detector says that found their frame. */
  readonly used: (stream: string) => number;
  readonly lastRefusal: (stream: string) => string | undefined;
  /** Names of the frames that transforms have told of. */
  readonly frameIds: readonly string[];
  /** How the store fares; absent: the graph lives in memory only. */
  readonly store?: StoreStatus & Pick<OpenedStore, 'notes'>;
}

/** The provider's protocol, and beside it what people may correct. */
export function makeDoor(graph: WorkingGraph, provider: InProcessProvider): GraphDoor {
  return {
    refreshFromPerception: () => provider.refreshFromPerception(),
    brief: () => provider.brief(),
    applyConfirmedExecution: (execution) => provider.applyConfirmedExecution(execution),
    hasRef: (ref) => provider.hasRef(ref),
    getObjectRelations: (ref, relation) => provider.getObjectRelations(ref, relation),
    getImage: (ref, options) => provider.getImage(ref, options),
    getObject: (ref) => provider.getObject(ref),
    findObjects: (filter) => provider.findObjects(filter),
    relabel: (ref, label) =>
      graph.applyCorrection({ kind: 'correction', correction: 'relabel', ref: ref.trim(), label }),
    merge: (keepRef, otherRef) =>
      graph.applyCorrection({
        kind: 'correction',
        correction: 'merge',
        keepRef: keepRef.trim(),
        otherRef: otherRef.trim(),
      }),
    forget: (ref, why) =>
      graph.applyCorrection({ kind: 'correction', correction: 'forget', ref: ref.trim(), why }),
    reset: async () => (await graph.submit({ kind: 'reset' })).refusal,
  };
}

/** What the node gives to the pipeline that it makes. */
export interface LivePipelineContext {
  readonly logger: Pick<RosLogger, 'warn'>;
  readonly faults: FaultLog;
  /** Who names things in the colour picture; closed with the pipeline. */
  readonly detector?: Detector;
  /** What keeps the graph, and what was in it; closed with the pipeline. */
  readonly store?: OpenedStore;
}

/** The pipeline of replay with its live rules: the newest frame wins, waiting frames expire, the Brief goes stale. */
export function createLivePipeline(
  parameters: Parameters,
  { logger, faults, detector, store }: LivePipelineContext,
): LivePipeline {
  const scene = createScenePipeline(parameters, {
    live: true,
    perceiver: new WorkerPerceiver(perceiveParameters(parameters)),
    ...(detector !== undefined && { detector }),
    ...(store !== undefined && { store }),
    onReport: ({ stream, cause, detail }) => logger.warn(`[${stream}] ${cause}: ${detail}`),
    onInternalError: (operation, error) => faults.add(operation, error),
  });
  const { assembler, workingGraph: graph } = scene;
  return {
    graph,
    door: makeDoor(graph, scene.provider),
    push: async (message) => {
      await scene.push(message, steadyNowNs());
      scene.saveWhenDue();
    },
    expire: async () => {
      await scene.expire(steadyNowNs());
      scene.saveWhenDue();
    },
    noteClockJump: (jump) => assembler.clockJumped(jump),
    figures: () => ({
      framesUsed: scene.counters.frames.used,
      dropped: scene.counters.frames.dropped,
      lastDropCause: scene.counters.lastReport('frame')?.cause,
      framesPending: scene.pendingFrames,
      refused: (stream) => scene.counters.streams[stream]?.refused ?? {},
      used: (stream) => scene.counters.streams[stream]?.used ?? 0,
      lastRefusal: (stream) => scene.counters.lastReport(stream)?.cause,
      frameIds: assembler.transforms.frames().map(({ frame }) => frame),
      ...(store !== undefined && { store: { ...store.store.status, notes: store.notes } }),
    }),
    stop: () => scene.close(),
  };
}

function steadyNowNs(): DurationNs {
  return BigInt(Math.round(performance.now() * 1e6));
}
