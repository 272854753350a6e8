import { boxBottom, boxTop, footprint, footprintArea } from '../math/box.js';
import { convexDistance, intersectConvex, polygonArea, type Point2 } from '../math/polygon.js';
import type { Box } from '../math/types.js';
import { alongWall } from '../perceive/uprightPlanes.js';
import { inMapOrder, placesOfState } from './placeIndex.js';
import { isWhole } from './structures.js';
import type { Entity, GraphState, Thing } from './types.js';

/**
 * What looks like a thing in single pictures but belongs to furniture or walls: the rim of a table top, its legs, the
 * sides of a shelf, sockets and skirting boards. It takes the structure to know, so it is asked again whenever
 * structure has become known, not only when something is confirmed.
 */

/** Structure that parts can belong to. */
export interface KnownStructures {
  readonly walls: readonly Entity[];
  /** Level surfaces above the floor. */
  readonly supports: readonly Entity[];
}

interface Level {
  readonly entity: Entity;
  readonly z: number;
  readonly hull: readonly Point2[];
}

/** A structure must have been seen this often before things may be told to be parts of it. */
const TRUSTED_AFTER = 3;

export function structuresOf(state: GraphState): KnownStructures {
  const structures = inMapOrder(new Set(placesOfState(state).structures), state.entities);
  const trusted = structures.flatMap((ref) => state.entities.get(ref) ?? []).filter(isTrusted);
  return {
    walls: trusted.filter(({ kind }) => kind === 'wall'),
    supports: trusted.filter(({ kind }) => kind === 'support'),
  };
}

function isTrusted(entity: Entity): boolean {
  return entity.plane !== undefined && entity.observations >= TRUSTED_AFTER && isWhole(entity);
}

/** A structure counts as new again when it has grown by this in one frame, metres. */
const GROWN_M = 0.05;

/** Structure that was not known before, or not so far. */
export function newStructures(before: GraphState, { walls, supports }: KnownStructures): readonly Entity[] {
  return [...walls, ...supports].filter((entity) => {
    const old = before.entities.get(entity.ref);
    if (old === undefined || !isTrusted(old)) return true;
    return entity.box.size.some((extent, axis) => extent > (old.box.size[axis] ?? 0) + GROWN_M);
  });
}

function levelOf(entity: Entity): Level {
  const flat = entity.plane?.hull ?? [];
  const hull: Point2[] = [];
  for (let k = 0; k < flat.length; k += 2) hull.push([flat[k], flat[k + 1]]);
  return { entity, z: -(entity.plane?.d ?? 0), hull };
}

/** Ref of the structure that a thing is a part of; undefined for a thing of its own. */
export function partOf(thing: Thing, { walls, supports }: KnownStructures): string | undefined {
  const wall = walls.find((candidate) => isOnWall(thing, candidate));
  if (wall !== undefined) return wall.ref;
  const near = supports.filter(({ box }) => isNear(thing.box, box)).map(levelOf);
  if (near.length === 0) return undefined;
  const corners = footprint(thing.box);
  const surface = near.find((level) => isFlake(thing.box, corners, level));
  if (surface !== undefined) return surface.entity.ref;
  const rim = near.find((level) => isRim(thing.box, corners, level));
  if (rim !== undefined) return rim.entity.ref;
  const isCarried = near.some((level) => standsOn(thing.box, corners, level));
  return near.find(
    (level) => (!isCarried && isLeg(thing.box, corners, level)) || isSide(thing.box, corners, level, near),
  )?.entity.ref;
}

/** Thickness of what lies flat on a wall and depth of what is let into it (a skirting under a cabinet), metres. */
const ON_WALL_M = 0.07;
const IN_WALL_M = 0.12;
/** Share of the thing's surface that must lie there. */
const WALL_SHARE = 0.8;
/** Walls go on a little beyond where they were measured, and down to the floor. */
const WALL_REACH_M = 0.15;

function isOnWall({ samples }: Thing, { plane, box }: Entity): boolean {
  if (plane === undefined || samples.length === 0) return false;
  const [nx, ny] = plane.normal;
  const a = alongWall(nx, ny, plane.hull[0], plane.hull[1]);
  const b = alongWall(nx, ny, plane.hull[2], plane.hull[3]);
  const low = Math.min(a, b) - WALL_REACH_M;
  const high = Math.max(a, b) + WALL_REACH_M;
  const top = boxTop(box) + WALL_REACH_M;
  const bottom = boxBottom(box) - WALL_REACH_M;
  let on = 0;
  for (let k = 0; k < samples.length; k += 3) {
    const distance = nx * samples[k] + ny * samples[k + 1] + plane.d;
    if (distance > ON_WALL_M || distance < -IN_WALL_M) continue;
    const along = alongWall(nx, ny, samples[k], samples[k + 1]);
    if (along >= low && along <= high && samples[k + 2] <= top && samples[k + 2] >= bottom) on++;
  }
  return on >= WALL_SHARE * (samples.length / 3);
}

/** So far beside a surface's outline its own parts lie: the outline is drawn through what was measured, metres. */
const BESIDE_M = 0.05;

function isNear({ center, size }: Box, reach: Box): boolean {
  const gap = Math.hypot(center[0] - reach.center[0], center[1] - reach.center[1]);
  return gap < (Math.hypot(size[0], size[1]) + Math.hypot(reach.size[0], reach.size[1])) / 2 + BESIDE_M;
}

/** What rises no higher than this above a surface is not told from it, nor what reaches no deeper below, metres. */
const FLAKE_M = 0.01;
const FLAKE_DEPTH_M = 0.02;

/** A ripple of the surface itself, or of its edge. */
function isFlake(box: Box, corners: readonly Point2[], level: Level): boolean {
  return (
    boxTop(box) < level.z + FLAKE_M &&
    boxBottom(box) > level.z - FLAKE_DEPTH_M &&
    distanceToOutline(box, corners, level) < BESIDE_M
  );
}

/** A table top with its apron is this thick. */
const APRON_M = 0.12;
/** Strips of a rim are narrow, unlike what is pushed under a table. */
const RIM_WIDTH_M = 0.06;
const LEVEL_SLACK_M = 0.01;

/** A narrow strip right below the surface, at its edge. */
function isRim(box: Box, corners: readonly Point2[], level: Level): boolean {
  return (
    boxTop(box) < level.z + LEVEL_SLACK_M &&
    boxBottom(box) > level.z - APRON_M &&
    Math.min(box.size[0], box.size[1]) < RIM_WIDTH_M &&
    distanceToOutline(box, corners, level) < BESIDE_M
  );
}

/** Legs are at most this thick and reach up to this far under the surface, as far as that lets them be seen, metres. */
const LEG_WIDTH_M = 0.12;
const LEG_GAP_M = 0.2;

/** A post under the surface that stands on nothing but the floor. */
function isLeg(box: Box, corners: readonly Point2[], level: Level): boolean {
  const width = Math.max(box.size[0], box.size[1]);
  return (
    width < LEG_WIDTH_M &&
    box.size[2] > 1.5 * width &&
    boxTop(box) < level.z + LEVEL_SLACK_M &&
    boxTop(box) > level.z - LEG_GAP_M &&
    distanceToOutline(box, corners, level) < BESIDE_M
  );
}

/** Boards that sides hold lie at least this far apart, metres. */
const BOARD_GAP_M = 0.15;
const SIDE_WIDTH_M = 0.1;
/** A board is this thick at most: a side seen between two of them ends this far below the upper one. */
const BOARD_M = 0.06;

/** An upright board at the edge of two surfaces above each other, reaching from one to the other. */
function isSide(box: Box, corners: readonly Point2[], upper: Level, levels: readonly Level[]): boolean {
  if (Math.min(box.size[0], box.size[1]) > SIDE_WIDTH_M) return false;
  if (boxTop(box) < upper.z - BOARD_M || distanceToOutline(box, corners, upper) > BESIDE_M) return false;
  const [x, y] = box.center;
  if (isInside(upper.hull, x, y, BESIDE_M / 2)) return false;
  return levels.some(
    (lower) =>
      lower.z < upper.z - BOARD_GAP_M &&
      boxBottom(box) < lower.z + BOARD_M &&
      distanceToOutline(box, corners, lower) < BESIDE_M &&
      !isInside(lower.hull, x, y, BESIDE_M / 2),
  );
}

/** The point lies in a convex outline, farther than `margin` from its edge. */
function isInside(hull: readonly Point2[], x: number, y: number, margin: number): boolean {
  let [fx, fy] = hull[hull.length - 1];
  for (const [tx, ty] of hull) {
    const ex = tx - fx;
    const ey = ty - fy;
    const left = ex * (y - fy) - ey * (x - fx);
    if (left < margin * Math.hypot(ex, ey)) return false;
    [fx, fy] = [tx, ty];
  }
  return true;
}

/** Things stand on a surface when their bottom is this near it, metres; as much of the footprint lies over it. */
const STANDS_M = 0.04;
const STANDS_SHARE = 0.5;

function standsOn(box: Box, corners: readonly Point2[], level: Level): boolean {
  if (Math.abs(boxBottom(box) - level.z) > STANDS_M) return false;
  const over = polygonArea(intersectConvex(corners, level.hull));
  return over > STANDS_SHARE * Math.max(footprintArea(box), 1e-6);
}

function distanceToOutline(box: Box, corners: readonly Point2[], level: Level): number {
  return isInside(level.hull, box.center[0], box.center[1], 0) ? 0 : convexDistance(corners, level.hull);
}
