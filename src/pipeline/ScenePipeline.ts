import type { RgbdFrame } from '../camera/RgbdFrame.js';
import type { Detector } from '../detect/Detector.js';
import { evidenceOf } from '../evidence/evidenceSource.js';
import { EvidenceStore, type FoldedFrame } from '../evidence/EvidenceStore.js';
import { emptyState } from '../graph/emptyState.js';
import { afterRestart } from '../graph/lifecycle.js';
import { knownScene } from '../graph/knownScene.js';
import { createReducer } from '../graph/reduce.js';
import type { GraphState } from '../graph/types.js';
import type { InputMessage } from '../input/messages.js';
import { CloudBuffers } from '../perceive/CloudBuffers.js';
import { perceive, type KnownScene } from '../perceive/perceive.js';
import type { FrameObservation } from '../perceive/observations.js';
import type { PerceiveParameters } from '../perceive/parameters.js';
import type { VisualEvidence } from '../protocol/index.js';
import type { OpenedStore, RecordingPosition } from '../store/SceneStore.js';
import type { DurationNs } from '../time/Stamp.js';
import type { Counters, Report } from './Counters.js';
import { createFrameAssembler, type FrameAssembler } from './FrameAssembler.js';
import { GraphKeeper } from './GraphKeeper.js';
import { InProcessProvider, type EvidenceSource } from './InProcessProvider.js';
import type { Parameters } from './parameters.js';
import type { PendingFrame } from './PendingFrame.js';
import { readEffectsTable } from './readEffectsTable.js';
import { evidenceParameters, graphParameters, perceiveParameters } from './sceneParameters.js';
import { StageTimings } from './StageTimings.js';
import { ViewKeeper } from './ViewKeeper.js';
import { WorkingGraph } from './WorkingGraph.js';

/**
 * The order of the stages, for replay and for the live node alike: messages → frame → observation → graph → views.
 * One frame is worked on at a time; pictures are encoded beside, when asked for or when there are many. A replay takes
 * every frame in order and keeps every picture; live, the newest frame wins, and frames leave no pictures while the
 * encoder is behind. Frames that waited for a detector elsewhere come ready in bunches and are all worked off: the newest
 * would nearly always be one without names.
 */

export interface ScenePipelineOptions {
  /** Live: the newest frame wins, the Brief can go stale. Default: replay. */
  readonly live?: boolean;
  /** Seconds of a clock that never jumps. */
  readonly steadyNowS?: () => number;
  /** Told once per stream and cause of what could not be used. */
  readonly onReport?: (report: Report) => void;
  /** Told of what would be an exception inside a query. */
  readonly onInternalError?: (operation: string, error: unknown) => void;
  /** Where perception runs; default: here, on the caller's thread. */
  readonly perceiver?: Perceiver;
  /** Who names things in the colour picture; default: nobody. Closed with the pipeline. */
  readonly detector?: Detector;
  /** What keeps the graph beyond the process; default: nothing. Closed with the pipeline. */
  readonly store?: OpenedStore;
  /** The stored graph goes on where it stopped, in its epoch: same clock, same map frame. Default: it was restarted. */
  readonly goesOn?: boolean;
}

/** Perception as the pipeline needs it: a frame and what is known of structure to an observation. */
export interface Perceiver {
  perceive(frame: RgbdFrame, known: KnownScene): Promise<FrameObservation>;
  close(): Promise<void>;
}

export class ScenePipeline {
  readonly workingGraph: WorkingGraph;
  readonly provider: InProcessProvider;
  readonly evidence: EvidenceSource;
  readonly timings = new StageTimings();
  readonly assembler: FrameAssembler;
  readonly #parameters: Parameters;
  readonly #options: ScenePipelineOptions;
  readonly #views: EvidenceStore;
  readonly #perceiver: Perceiver;
  readonly #keeper: GraphKeeper | undefined;
  /** Frames taken from the assembler and neither used nor dropped yet. */
  #inWork = 0;
  /** The graph knows already what comes in. */
  #isSkimming = false;

  constructor(parameters: Parameters, options: ScenePipelineOptions = {}) {
    this.#parameters = parameters;
    this.#options = options;
    const steadyNowS = options.steadyNowS ?? ((): number => performance.now() / 1000);
    const effects = readEffectsTable(parameters.execution.effectsFile);
    const grippers = Object.keys(parameters.grippers);
    this.#views = new EvidenceStore(evidenceParameters(parameters), (ms) => this.timings.add('encode', ms));
    this.#keeper = this.#makeKeeper(steadyNowS);
    this.workingGraph = new WorkingGraph({
      initial: initialState(parameters, options),
      reduce: createReducer(graphParameters(parameters), effects, grippers),
      effects,
      grippers,
      steadyNowS,
      staleAfterS: options.live === true ? parameters.brief.staleAfterS : undefined,
      ...(this.#keeper !== undefined && { journal: this.#keeper }),
    });
    this.evidence = {
      viewsOf: (ref: string, state: GraphState): Promise<readonly VisualEvidence[]> =>
        evidenceOf(this.#views, ref, state),
    };
    this.provider = new InProcessProvider({
      graph: this.workingGraph,
      evidence: this.evidence,
      ...(options.onInternalError === undefined ? {} : { onInternalError: options.onInternalError }),
    });
    this.#perceiver = options.perceiver ?? perceiverHere(perceiveParameters(parameters));
    this.assembler = createFrameAssembler(parameters, {
      onClockJump: () => {
        if (!this.#isSkimming) void this.workingGraph.submit({ kind: 'clock_jump' });
      },
      ...(options.onReport === undefined ? {} : { onFirstReport: options.onReport }),
    });
    this.workingGraph.subscribe((_, after, event) => {
      if (event.kind === 'reset' && after.entities.isEmpty()) this.#views.clear();
    });
  }

  get counters(): Counters {
    return this.assembler.counters;
  }

  /** Depth pictures that are still on their way: with those used and dropped they are all that came in. */
  get pendingFrames(): number {
    return this.assembler.pendingFrames + this.#inWork;
  }

  /**
   * Resolves when everything that the message completes has been folded into the graph.
   * @param nowSteady arrival on a steady clock (live), so that waiting frames can expire.
   */
  async push(message: InputMessage, nowSteady?: DurationNs): Promise<void> {
    this.assembler.push(message, nowSteady);
    await this.#work();
  }

  /** Live: drops frames that have waited too long for a transform, also when nothing comes any more. */
  async expire(nowSteady: DurationNs): Promise<void> {
    this.assembler.expire(nowSteady);
    await this.#work();
  }

  /**
   * Takes in a message of a replay that goes on from a store, where what it completes has been folded in before: only
   * what still waits for a partner or a transform is left of it.
   */
  skim(message: InputMessage): void {
    this.#isSkimming = true;
    this.assembler.push(message);
    for (const { stamp } of this.assembler.takeReady())
      this.counters.dropFrame('worked_off_before', `the frame at ${stamp} ns is in the stored graph`, true);
    this.#isSkimming = false;
  }

  /** Every picture that is kept is encoded; what waits for more messages goes on waiting. */
  pause(): Promise<void> {
    return this.#views.settled();
  }

  /** Works off what still waits for a partner or a transform that will not come. */
  async finish(): Promise<void> {
    this.assembler.flush();
    await this.#work();
    await this.#views.settled();
  }

  /**
   * Writes what frames have changed, if it is time; call it between messages.
   * @param position how much of a recording has been worked off by now
   */
  saveWhenDue(position?: RecordingPosition): void {
    this.#keeper?.saveWhenDue(position);
  }

  async close(): Promise<void> {
    await Promise.all([this.#perceiver.close(), this.#options.detector?.close(), this.#keeper?.close()]);
  }

  #makeKeeper(steadyNowS: () => number): GraphKeeper | undefined {
    const { store } = this.#options;
    if (store === undefined) return undefined;
    const { periodS, viewsPeriodS, maxViewsMb } = this.#parameters.store;
    const state = (): GraphState => this.workingGraph.state;
    const views = new ViewKeeper(this.#views, store.store, maxViewsMb * 1e6, store.views);
    return new GraphKeeper(
      { store: store.store, state, steadyNowS, periodS, viewsPeriodS, views },
      store.position,
    );
  }

  async #work(): Promise<void> {
    const isNewestEnough = this.#options.live === true && this.#parameters.detector.source !== 'topic';
    const ready = isNewestEnough ? this.assembler.takeNewest() : this.assembler.takeReady();
    this.#inWork += ready.length;
    const faults: unknown[] = [];
    for (const pending of ready) {
      try {
        await this.#fold(pending);
      } catch (error) {
        // The other cameras' frames must not be lost with this one.
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }

  async #fold(pending: PendingFrame): Promise<void> {
    const seen = await this.#observe(pending).finally(() => (this.#inWork -= 1));
    if (seen === undefined) return;
    this.workingGraph.setPerceptionHealth('ok');
    await this.timings.timeAsync('evidence', async () => {
      // A replay loses no view to a slow encoder; otherwise its pictures would depend on the machine.
      if (this.#options.live !== true) await this.#views.hasRoom();
      this.#views.consider(seen);
    });
  }

  /** The frame, and the graph before and after it; undefined when it is not used. Counts which of both. */
  async #observe(pending: PendingFrame): Promise<FoldedFrame | undefined> {
    try {
      if (this.#turnsTooFast(pending)) return undefined;
      const decoded = await this.timings.timeAsync('decode', () => this.assembler.decode(pending));
      if (!decoded.ok) return undefined;
      const frame = await this.#withDetections(decoded.value);
      const known = this.#knownAround(frame);
      const observation = await this.timings.timeAsync('perceive', () =>
        this.#perceiver.perceive(frame, known),
      );
      const change = await this.timings.timeAsync('graph', () =>
        this.workingGraph.submit({ kind: 'observation', frame: observation }),
      );
      this.counters.frameUsed();
      return { frame, ...change };
    } catch (error) {
      this.counters.dropFrame('perception_failed', `${String(error)} in the frame at ${pending.stamp} ns`);
      throw error;
    }
  }

  /** What is known where the frame can tell something; depth counts along the axis, so corners are farther away. */
  #knownAround({ map_T_depth }: RgbdFrame): KnownScene {
    const reachM = 2 * this.#parameters.input.maxDepthM;
    return knownScene(this.workingGraph.state, { center: map_T_depth.translation, reachM });
  }

  /**
   * The frame with what the detector names in it. Every frame is looked at before it is perceived, so that a replay
   * repeats; live, frames that come meanwhile give way to the newest. A detector that fails leaves the frame as
   * geometry sees it: nobody looked, which is not the same as nothing there.
   */
  async #withDetections(frame: RgbdFrame): Promise<RgbdFrame> {
    const { detector } = this.#options;
    if (detector === undefined || frame.color === undefined || frame.detections !== undefined) return frame;
    try {
      const detections = await this.timings.timeAsync('detect', () => detector.detect(frame));
      return { ...frame, detections };
    } catch (error) {
      const detail = `${String(error)} in the frame at ${frame.stamp} ns`;
      this.counters.refuse('detector', 'detector_failed', detail);
      return frame;
    }
  }

  /** While turning fast, stamps are off by more than things are wide: such frames write nothing. */
  #turnsTooFast({ angularSpeed, stamp }: PendingFrame): boolean {
    const limit = this.#parameters.input.maxTurnRadPerS;
    if (angularSpeed === undefined || angularSpeed <= limit) return false;
    const figures = `${angularSpeed.toFixed(2)} rad/s, limit ${limit} rad/s`;
    this.assembler.counters.dropFrame('turning_too_fast', `the camera turned at ${figures} at ${stamp} ns`);
    return true;
  }
}

function initialState({ frames }: Parameters, { store, goesOn }: ScenePipelineOptions): GraphState {
  if (store?.restored === undefined) return emptyState(frames.map);
  return goesOn === true ? store.restored : afterRestart(store.restored);
}

function perceiverHere(parameters: PerceiveParameters): Perceiver {
  const buffers = new CloudBuffers();
  return {
    perceive: (frame, known) => Promise.resolve(perceive(frame, known, parameters, buffers)),
    close: () => Promise.resolve(),
  };
}

/** @throws Error when the table of effects cannot be read: file, line and field. */
export function createScenePipeline(
  parameters: Parameters,
  options: ScenePipelineOptions = {},
): ScenePipeline {
  return new ScenePipeline(parameters, options);
}
