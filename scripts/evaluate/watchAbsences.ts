import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { parseReplayResult } from '../../src/evaluate/replayResult.js';
import { scoreOverTime } from '../../src/evaluate/scoreOverTime.js';
import type { TimeScore } from '../../src/evaluate/scoreOverTime.js';
import { parseTruth } from '../../src/evaluate/truth.js';
import { emptyState } from '../../src/graph/emptyState.js';
import { knownScene } from '../../src/graph/knownScene.js';
import { projectBrief } from '../../src/graph/projectBrief.js';
import { createReducer } from '../../src/graph/reduce.js';
import type { GraphState } from '../../src/graph/types.js';
import { CloudBuffers } from '../../src/perceive/CloudBuffers.js';
import { perceive } from '../../src/perceive/perceive.js';
import { exportGraph } from '../../src/pipeline/exportGraph.js';
import type { Parameters } from '../../src/pipeline/parameters.js';
import { readEffectsTable } from '../../src/pipeline/readEffectsTable.js';
import { graphParameters, perceiveParameters } from '../../src/pipeline/sceneParameters.js';
import { recordToJson } from '../../src/protocol/index.js';
import { frameFromPicture } from '../../src/simulate/frameFromPicture.js';
import type { SimScript } from '../../src/simulate/SimScript.js';
import { Simulation } from '../../src/simulate/Simulation.js';
import { metresOf } from '../../src/camera/metresOf.js';

/** What happened to the frames of a run. */
export interface FrameFates {
  used: number;
  /** No transform at their stamp, so never a frame. */
  withoutPose: number;
  turningTooFast: number;
  /** Depth without a single reading, and with half of it missing. */
  dead: number;
  halfDead: number;
}

export interface AbsenceReport {
  readonly frames: FrameFates;
  readonly overTime: TimeScore;
  readonly entities: number;
}

/**
 * A simulated run straight from depth to graph, with TF gaps and dead depth, scored over time: things that were declared gone
 * while they stood there, and how soon true changes were noticed.
 */
export function watchAbsences(
  script: SimScript,
  parameters: Parameters,
  onFrame: (done: number, total: number) => void = () => undefined,
): AbsenceReport {
  const simulation = new Simulation(script);
  const reduce = createReducer(graphParameters(parameters), readEffectsTable(''));
  const perception = perceiveParameters(parameters);
  const buffers = new CloudBuffers();
  const frames: FrameFates = { used: 0, withoutPose: 0, turningTooFast: 0, dead: 0, halfDead: 0 };
  const history: unknown[] = [];
  let state = emptyState('map');
  for (const picture of simulation.pictures()) {
    const frame = spoiled(frameFromPicture(picture, simulation.frames), picture.timeS, frames);
    if (frame !== undefined && isSteady(frame, parameters, frames)) {
      frames.used += 1;
      const observation = perceive(frame, knownScene(state), perception, buffers);
      state = reduce(state, { kind: 'observation', frame: observation });
      history.push(briefOf(state));
    }
    onFrame(picture.index + 1, simulation.pictureCount());
  }
  const truth = parseTruth(JSON.parse(JSON.stringify(simulation.truth(script.name))));
  const result = parseReplayResult({
    graph: exportGraph(state, new Map()),
    brief: history.at(-1) ?? briefOf(state),
    history,
  });
  return { frames, overTime: scoreOverTime(truth, result), entities: state.entities.size };
}

function isSteady({ angularSpeed }: RgbdFrame, { input }: Parameters, frames: FrameFates): boolean {
  if (angularSpeed === undefined || angularSpeed <= input.maxTurnRadPerS) return true;
  frames.turningTooFast += 1;
  return false;
}

/** Undefined: the frame has no pose. Periods without common factors, so that faults meet in every way. */
function spoiled(frame: RgbdFrame, timeS: number, frames: FrameFates): RgbdFrame | undefined {
  if (timeS % 61 >= 58) {
    frames.withoutPose += 1;
    return undefined;
  }
  if (timeS % 47 >= 44.5) {
    frames.dead += 1;
    return withoutDepth(frame, frame.depth.width);
  }
  if (timeS % 53 >= 49) {
    frames.halfDead += 1;
    return withoutDepth(frame, frame.depth.width / 2);
  }
  return frame;
}

/** Without readings in its first columns. */
function withoutDepth(frame: RgbdFrame, columns: number): RgbdFrame {
  const { width, height } = frame.depth;
  const depthM = metresOf(frame.depth).map((z, i) => (i % width < columns ? NaN : z));
  return { ...frame, depth: { width, height, depthM } };
}

/** The Brief, less what is not scored. */
function briefOf(state: GraphState): unknown {
  const { objects, updatedAt } = projectBrief(state, { perception: { state: 'ok' }, stale: false });
  const kept = objects.map(({ ref, coarsePosition, freshness }) => ({ ref, coarsePosition, freshness }));
  return recordToJson({ objects: kept, updatedAt });
}
