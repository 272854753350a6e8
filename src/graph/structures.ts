import { Map as ImmutableMap } from 'immutable';
import { convexHull, type FlatHull } from '../perceive/convexHull.js';
import { smallestRectangle } from '../perceive/fitBox.js';
import type { StructureObservation } from '../perceive/observations.js';
import { alongWall } from '../perceive/uprightPlanes.js';
import { NO_CELLS } from './cells.js';
import { MAX_LOG_ODDS } from './thing.js';
import type { LatestView, Moment, StructurePlane, Thing } from './types.js';

/** Floors, supports and walls over time: the same plane seen again grows in outline and steadies in height. */

const LEVEL_GAP_M = 0.03;
/** The floor is one plane; where little of it is seen, its height is uncertain. */
const FLOOR_GAP_M = 0.12;
const LEVEL_REACH_M = 0.3;
const WALL_ANGLE_COS = 0.97;
const WALL_GAP_M = 0.12;
const WALL_REACH_M = 0.6;
const THICKNESS_M = 0.02;

/** What was seen of an upright plane so far spans a wall: furniture fronts and screens do not, m². */
const WALL_SPAN_M2 = 0.8;
/** What was seen of a level surface so far makes a support, m². */
const SUPPORT_SPAN_M2 = 0.1;

/** Whether so much of a structure has been seen that it can be told from the side or top of an object. */
export function isWhole({ kind, box }: Thing): boolean {
  if (kind === 'wall') return box.size[0] * box.size[2] >= WALL_SPAN_M2;
  return kind !== 'support' || box.size[0] * box.size[1] >= SUPPORT_SPAN_M2;
}

export function newStructure(observation: StructureObservation, now: Moment): Thing {
  return {
    kind: observation.kind,
    box: observation.box,
    positionSigmaM: 0.01,
    shapes: [],
    cells: NO_CELLS,
    observations: 1,
    wholeViews: 1,
    samples: new Float32Array(0),
    hits: 1,
    opportunities: 1,
    firstSeen: now,
    lastSeen: now,
    existsLogOdds: 0.6,
    labelVotes: ImmutableMap(),
    latestView: viewOfStructure(observation),
    plane: { normal: observation.normal, d: observation.d, hull: observation.hull },
  };
}

function viewOfStructure({ rect, pixelCount }: StructureObservation): LatestView {
  return { rect, pixelCount, truncated: false, occludedShare: 0 };
}

/** How far apart two sightings are if they may be one plane; undefined when they are not. */
export function structureDistance(thing: Thing, observation: StructureObservation): number | undefined {
  const { plane } = thing;
  if (plane === undefined || (thing.kind === 'wall') !== (observation.kind === 'wall')) return undefined;
  return observation.kind === 'wall'
    ? wallDistance(plane, observation)
    : levelDistance(plane, thing, observation);
}

function levelDistance(
  plane: StructurePlane,
  thing: Thing,
  observation: StructureObservation,
): number | undefined {
  const gap = Math.abs(plane.d - observation.d);
  if (thing.kind === 'floor' && observation.kind === 'floor') return gap < FLOOR_GAP_M ? gap : undefined;
  if (gap > LEVEL_GAP_M) return undefined;
  return rangeGap(plane.hull, observation.hull, 0) > LEVEL_REACH_M ||
    rangeGap(plane.hull, observation.hull, 1) > LEVEL_REACH_M
    ? undefined
    : gap;
}

/** Gap between the ranges of two outlines along x (axis 0) or y (axis 1). */
function rangeGap(a: FlatHull, b: FlatHull, axis: 0 | 1): number {
  const [a0, a1] = rangeOf(a, axis);
  const [b0, b1] = rangeOf(b, axis);
  return Math.max(0, a0 - b1, b0 - a1);
}

function rangeOf(hull: FlatHull, axis: 0 | 1): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let k = axis; k < hull.length; k += 2) {
    low = Math.min(low, hull[k]);
    high = Math.max(high, hull[k]);
  }
  return [low, high];
}

function wallDistance(plane: StructurePlane, observation: StructureObservation): number | undefined {
  const facing = plane.normal[0] * observation.normal[0] + plane.normal[1] * observation.normal[1];
  if (facing < WALL_ANGLE_COS) return undefined;
  const [x, y] = observation.box.center;
  const gap = Math.abs(plane.normal[0] * x + plane.normal[1] * y + plane.d);
  if (gap > WALL_GAP_M) return undefined;
  const [a0, a1] = wallRange(plane.normal, plane.hull);
  const [b0, b1] = wallRange(plane.normal, observation.hull);
  return Math.max(a0 - b1, b0 - a1) > WALL_REACH_M ? undefined : gap;
}

function wallRange(normal: readonly [number, number, number], ends: FlatHull): [number, number] {
  const a = alongWall(normal[0], normal[1], ends[0], ends[1]);
  const b = alongWall(normal[0], normal[1], ends[2], ends[3]);
  return [Math.min(a, b), Math.max(a, b)];
}

export function structureSeenAgain<T extends Thing>(
  thing: T,
  observation: StructureObservation,
  now: Moment,
): T {
  const { plane } = thing;
  if (plane === undefined) return thing;
  const weight = Math.max(0.05, 1 / (thing.observations + 1));
  const grown =
    observation.kind === 'wall'
      ? grownWall(thing, plane, observation, weight)
      : grownLevel(plane, observation, weight);
  return {
    ...thing,
    ...grown,
    kind: thing.kind === 'support' && observation.kind === 'floor' ? 'floor' : thing.kind,
    observations: thing.observations + 1,
    hits: thing.hits + 1,
    opportunities: thing.opportunities + 1,
    lastSeen: now,
    latestView: viewOfStructure(observation),
    existsLogOdds: Math.min(MAX_LOG_ODDS, thing.existsLogOdds + 0.6),
  };
}

function grownLevel(
  plane: StructurePlane,
  observation: StructureObservation,
  weight: number,
): Partial<Thing> {
  const d = plane.d + weight * (observation.d - plane.d);
  const hull = convexHull([...plane.hull, ...observation.hull]);
  const r = smallestRectangle(hull);
  return {
    plane: { normal: plane.normal, d, hull },
    box: { center: [r.cx, r.cy, -d - THICKNESS_M / 2], size: [r.length, r.width, THICKNESS_M], yaw: r.yaw },
  };
}

function grownWall(
  thing: Thing,
  plane: StructurePlane,
  observation: StructureObservation,
  weight: number,
): Partial<Thing> {
  const blend = (a: number, b: number): number => a + weight * (b - a);
  let nx = blend(plane.normal[0], observation.normal[0]);
  let ny = blend(plane.normal[1], observation.normal[1]);
  const length = Math.hypot(nx, ny);
  nx /= length;
  ny /= length;
  // Offsets are blended where both were measured, not at the origin, where a small turn moves the plane far.
  const [ox, oy] = observation.box.center;
  const seen = -(nx * ox + ny * oy);
  const [cx, cy] = thing.box.center;
  const d = blend(-(nx * cx + ny * cy), seen);
  const [a0, a1] = wallRange([nx, ny, 0], plane.hull);
  const [b0, b1] = wallRange([nx, ny, 0], observation.hull);
  const low = Math.min(a0, b0);
  const high = Math.max(a1, b1);
  const z0 = Math.min(bottom(thing), bottom(observation));
  const z1 = Math.max(top(thing), top(observation));
  const at = (along: number): [number, number] => [-d * nx - ny * along, -d * ny + nx * along];
  const [mx, my] = at((low + high) / 2);
  return {
    plane: { normal: [nx, ny, 0], d, hull: [...at(low), ...at(high)] },
    box: {
      center: [mx, my, (z0 + z1) / 2],
      size: [Math.max(high - low, 1e-3), THICKNESS_M, Math.max(z1 - z0, 1e-3)],
      yaw: Math.atan2(nx, -ny),
    },
  };
}

function bottom({ box }: Pick<Thing, 'box'>): number {
  return box.center[2] - box.size[2] / 2;
}

function top({ box }: Pick<Thing, 'box'>): number {
  return box.center[2] + box.size[2] / 2;
}
