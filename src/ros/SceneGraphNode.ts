import type { Detector } from '../detect/Detector.js';
import { openDetector } from '../pipeline/openDetector.js';
import { openStore } from '../pipeline/openStore.js';
import type { Parameters } from '../pipeline/parameters.js';
import type { BriefSnapshot } from '../pipeline/WorkingGraph.js';
import type { Brief } from '../protocol/index.js';
import type { OpenedStore } from '../store/SceneStore.js';
import type { ClockJump } from '../time/JumpDetector.js';
import { durationFromSeconds } from '../time/Stamp.js';
import { startBriefPublisher } from './briefPublisher.js';
import type { BriefForms } from './briefPublisher.js';
import { declareParameters } from './declareParameters.js';
import type { DeclaredParameters } from './declareParameters.js';
import { startDiagnostics } from './diagnosticsPublisher.js';
import { FaultLog } from './guard.js';
import { LiveIntake } from './LiveIntake.js';
import type { LivePipeline } from './LivePipeline.js';
import { createLivePipeline } from './LivePipeline.js';
import { watchHealth } from './healthWatch.js';
import { startMarkerPublisher } from './markerPublisher.js';
import { toBriefMessage } from './messages.js';
import { filesForOthers, parseRosArguments, resolveOverrides } from './paramsFile.js';
import { rcl } from './rcl.js';
import type { RosContext } from './rcl.js';
import type { RosLogger, RosNode } from './rosTypes.js';
import { createServices } from './services.js';
import { followClock } from './simClock.js';

/**
 * The node: wiring only. Topics feed the intake, the intake feeds the pipeline, and services, Brief, markers and
 * diagnostics read what the pipeline has made of it.
 */

const NODE_NAME = 'rgbd_scene_graph';

/** What a test may put in the place of the real thing. */
export interface SceneGraphNodeSeams {
  readonly createPipeline?: typeof createLivePipeline;
}

interface NodeParts extends SceneGraphNodeSeams {
  readonly faults: FaultLog;
  readonly declared: DeclaredParameters;
  readonly detector?: Detector;
  readonly store?: OpenedStore;
}

interface Stoppable {
  stop(): void | Promise<void>;
}

export class SceneGraphNode {
  readonly fullName: string;
  readonly #context: RosContext;
  readonly #node: RosNode;
  readonly #faults: FaultLog;
  readonly #parts: readonly Stoppable[];
  #stopped: Promise<void> | undefined;

  /**
   * Starts ROS and the node; services answer as soon as this resolves.
   * @throws ParameterError, also when the detector does not fit its description
   */
  static async start(argv: readonly string[], seams: SceneGraphNodeSeams = {}): Promise<SceneGraphNode> {
    rcl.removeSignalHandlers();
    const given = parseRosArguments(argv);
    const context = new rcl.Context();
    await rcl.init(context, given.rest);
    try {
      const node = new rcl.Node(NODE_NAME, '', context);
      const faults = new FaultLog(node.getLogger());
      for (const note of filesForOthers(given, node.getFullyQualifiedName()))
        node.getLogger().warn(`[parameters] ${note}`);
      const overrides = resolveOverrides(given, node.getFullyQualifiedName());
      const declared = declareParameters(node, overrides, faults);
      const detector = await openDetector(declared.current);
      const store = await openStore(declared.current);
      const parts = { faults, declared, ...(detector && { detector }), ...(store && { store }) };
      return new SceneGraphNode(context, node, { ...parts, ...seams });
    } catch (error) {
      rcl.shutdown(context);
      throw error;
    }
  }

  private constructor(
    context: RosContext,
    node: RosNode,
    { faults, declared, detector, store, createPipeline = createLivePipeline }: NodeParts,
  ) {
    this.#context = context;
    this.#node = node;
    this.fullName = node.getFullyQualifiedName();
    this.#faults = faults;
    const logger = node.getLogger();
    logOrigins(logger, declared);
    for (const note of detector?.notes ?? []) logger.warn(`[detector] ${note}`);
    for (const note of store?.notes ?? []) logger.error(`[store] ${note}`);
    const opened = { ...(detector && { detector }), ...(store && { store }) };
    const pipeline = createPipeline(declared.current, { logger, faults, ...opened });
    this.#parts = wire(node, faults, declared, pipeline);
    node.spin();
    node.getLogger().info(`${this.fullName} is ready`);
  }

  /** Counts and logs a fault that no callback of ours has caught. */
  noteFault(where: string, error: unknown): void {
    this.#faults.add(where, error);
  }

  /** Faults by the place where they happened. */
  get faults(): ReadonlyMap<string, number> {
    return this.#faults.counts;
  }

  /** Stops intake, then what publishes, then the node. May be called again. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    for (const part of this.#parts) await part.stop();
    this.#node.destroy();
    rcl.shutdown(this.#context);
  }
}

/** In the order in which the parts are stopped: intake first. */
function wire(
  node: RosNode,
  faults: FaultLog,
  declared: DeclaredParameters,
  pipeline: LivePipeline,
): readonly Stoppable[] {
  const { graph } = pipeline;
  const { brief, markers } = { brief: () => declared.current.brief, markers: () => declared.current.markers };
  const takeBrief = (): BriefForms => formsOf(graph.handOutBrief(budgetOf(declared.current)));
  createServices({ node, faults, door: pipeline.door, takeBrief });
  const jumpBackNs = durationFromSeconds(declared.current.time.jumpBackS);
  const onJumpBack = (jump: ClockJump): void => pipeline.noteClockJump(jump);
  const clock = followClock({ node, faults, isActive: () => declared.usesSimTime, jumpBackNs, onJumpBack });
  const intake = new LiveIntake({ node, faults, parameters: declared.current, pipeline });
  const look = (): Brief => graph.lookAtBrief();
  return [
    intake,
    clock,
    startBriefPublisher({ node, faults, parameters: brief, look, take: takeBrief }),
    startMarkerPublisher({ node, faults, isEnabled: () => markers().enabled, graph }),
    watchHealth({ node, faults, declared, intake, pipeline }),
    startDiagnostics({ node, faults, declared, clock, intake, pipeline }),
    pipeline,
  ];
}

/** A budget of 0 tokens means none. */
function budgetOf({ brief }: Parameters): { readonly tokenBudget?: number } {
  return brief.tokenBudget === 0 ? {} : { tokenBudget: brief.tokenBudget };
}

function formsOf({ brief, state, text }: BriefSnapshot): BriefForms {
  const grippers = state.robot.holding.map(({ gripper }) => gripper).toArray();
  const graphTime = state.graphTime === undefined ? {} : { graphTime: state.graphTime };
  return { brief, message: toBriefMessage(brief, { ...graphTime, grippers }), text };
}

function logOrigins(logger: RosLogger, declared: DeclaredParameters): void {
  for (const origin of declared.origins) logger.info(`parameter ${origin}`);
  for (const warning of declared.warnings) logger.warn(warning);
}
