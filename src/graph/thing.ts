import { Map as ImmutableMap } from 'immutable';
import type { ObjectObservation } from '../perceive/observations.js';
import { boxFromShapes, facesOf, withShape } from './boxFromShapes.js';
import { cellsOf, cellsWithin } from './cells.js';
import { withVote } from './labelVotes.js';
import type { GraphParameters } from './parameters.js';
import { recentShapes } from './recentShapes.js';
import type { LatestView, Moment, SeenShape, Thing } from './types.js';

/** How one more observation changes what is known of a thing: pure updates, shared by tracks and entities. */

/** Certainty of geometry alone that a piece is a thing. */
const GEOMETRY_SCORE = 0.7;
const STRONG_HIT = 0.85;
export const MIN_LOG_ODDS = -2.5;
export const MAX_LOG_ODDS = 4;
/** A thing's place is never known better than this, metres: calibration and poses are not. */
const POSITION_FLOOR_M = 0.004;

export function shapeOf(observation: ObjectObservation): SeenShape {
  const partial = isPartial(observation);
  return {
    faces: facesOf(observation.hull),
    zMin: observation.box.center[2] - observation.box.size[2] / 2,
    zMax: observation.box.center[2] + observation.box.size[2] / 2,
    partial,
    weight: (1 - observation.occludedShare) / Math.max(observation.depthSigmaM, 1e-3),
  };
}

/** Cut off by the picture's edge, or hidden in part by something nearer. */
function isPartial({ truncated, occludedShare }: ObjectObservation): boolean {
  return truncated || occludedShare > 0.25;
}

export function latestViewOf(observation: ObjectObservation): LatestView {
  const { rect, pixelCount, truncated, occludedShare } = observation;
  return { rect, pixelCount, truncated, occludedShare };
}

export function newThing(observation: ObjectObservation, now: Moment): Thing {
  return {
    kind: 'object',
    box: observation.box,
    positionSigmaM: Math.max(POSITION_FLOOR_M, observation.depthSigmaM),
    shapes: [shapeOf(observation)],
    latestView: latestViewOf(observation),
    cells: cellsOf(observation.points),
    observations: 1,
    wholeViews: isPartial(observation) ? 0 : 1,
    samples: samplesOf(observation),
    hits: 1,
    opportunities: 1,
    firstSeen: now,
    lastSeen: now,
    existsLogOdds: STRONG_HIT * (observation.labelScore ?? GEOMETRY_SCORE),
    ...withVote({ labelVotes: ImmutableMap() }, observation),
    appearance: observation.appearance,
  };
}

/**
 * A thing seen again, whole or in part.
 * @param wasCarried it is certain that it left its place: what was measured there says nothing about it now
 */
export function seenAgain<T extends Thing>(
  thing: T,
  observation: ObjectObservation,
  now: Moment,
  parameters: GraphParameters,
  wasCarried = false,
): T {
  const shape = shapeOf(observation);
  const moved = wasCarried || (!shape.partial && hasMoved(thing, observation, parameters));
  const shapes = withShape(thing.shapes, shape);
  const followed =
    observation.label === undefined ? shapes : recentShapes(shapes, thing.box, observation.depthSigmaM);
  const usedShapes = moved ? [shape] : followed;
  const box = boxFromShapes(usedShapes);
  return {
    ...thing,
    shapes: usedShapes,
    box,
    positionSigmaM: Math.max(POSITION_FLOOR_M, observation.depthSigmaM / Math.sqrt(usedShapes.length)),
    latestView: latestViewOf(observation),
    cells: moved ? cellsOf(observation.points) : cellsWithin(thing.cells, cellsOf(observation.points), box),
    observations: thing.observations + 1,
    wholeViews: thing.wholeViews + (shape.partial ? 0 : 1),
    samples: observation.truncated ? thing.samples : samplesOf(observation),
    hits: thing.hits + 1,
    opportunities: thing.opportunities + 1,
    lastSeen: now,
    existsLogOdds: raised(thing.existsLogOdds, observation.labelScore ?? GEOMETRY_SCORE),
    ...withVote(thing, observation),
    appearance: blended(thing.appearance, observation.appearance),
  };
}

/** Seen, but not apart from something else: when it was seen changes, what is known of its shape does not. */
export function touched<T extends Thing>(thing: T, now: Moment): T {
  return { ...thing, lastSeen: now, existsLogOdds: raised(thing.existsLogOdds, 0.2) };
}

/** Points kept to look for a thing by. */
const SAMPLES = 25;
/** Its lowest part is left out: there noise mixes it with what it stands on. */
const LOW_SHARE = 0.3;

/** Of the rest the inner part: at the rim a small error of the pose looks past the thing. */
const INNER_SHARE = 0.6;

function samplesOf({ box, points }: ObjectObservation): Float32Array {
  const [cx, cy, cz] = box.center;
  const floor = cz - box.size[2] / 2 + LOW_SHARE * box.size[2];
  const total = points.length / 3;
  const squared = new Float64Array(total);
  let farthest = 0;
  for (let k = 0; k < total; k++) {
    const dx = points[3 * k] - cx;
    const dy = points[3 * k + 1] - cy;
    const dz = points[3 * k + 2] - cz;
    squared[k] = dx * dx + dy * dy + dz * dz;
    if (squared[k] > farthest) farthest = squared[k];
  }
  // Distance first, then place in the list, in one whole number: numbers sort ten times as fast as pairs.
  const steps = WHOLE_NUMBERS / total / Math.max(farthest, 1e-9);
  let upper = 0;
  for (let k = 0; k < total; k++)
    if (points[3 * k + 2] >= floor) squared[upper++] = Math.floor(squared[k] * steps) * total + k;
  const sorted = squared.subarray(0, upper).sort();
  const inner = Math.min(upper, Math.max(SAMPLES, Math.floor(INNER_SHARE * upper)));
  const n = Math.min(SAMPLES, inner);
  const samples = new Float32Array(3 * n);
  for (let k = 0; k < n; k++) {
    const at = 3 * (sorted[Math.floor((k * inner) / n)] % total);
    samples.set(points.subarray(at, at + 3), 3 * k);
  }
  return samples;
}

/** Whole numbers up to here are exact, with room for the place in the list. */
const WHOLE_NUMBERS = 2 ** 52;

function raised(logOdds: number, score: number): number {
  return Math.min(MAX_LOG_ODDS, Math.max(MIN_LOG_ODDS, logOdds + STRONG_HIT * score));
}

/** A whole view whose centre lies farther off than the thing's own half size and noise explain. */
function hasMoved(thing: Thing, observation: ObjectObservation, parameters: GraphParameters): boolean {
  const dx = observation.box.center[0] - thing.box.center[0];
  const dy = observation.box.center[1] - thing.box.center[1];
  const dz = observation.box.center[2] - thing.box.center[2];
  const distance = Math.sqrt(dx * dx + dy * dy + dz * dz);
  const half = Math.max(...thing.box.size) / 2;
  return distance > Math.max(parameters.movedM, half) + 3 * observation.depthSigmaM;
}

function blended(old: Float32Array | undefined, seen: Float32Array | undefined): Float32Array | undefined {
  if (old === undefined || seen === undefined || old.length !== seen.length) return seen ?? old;
  return old.map((value, k) => 0.8 * value + 0.2 * seen[k]);
}
