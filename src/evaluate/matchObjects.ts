import { solveAssignment } from '../math/solveAssignment.js';
import { footprint } from '../math/box.js';
import type { Box, Vec3 } from '../math/types.js';
import type { GraphEntity } from './replayResult.js';
import type { Truth, TruthInterval, TruthObject } from './truth.js';

/** A stamp this far outside an interval still counts as inside: the last frame may have been dropped. */
const INTERVAL_SLACK_S = 0.1;

/** Allowed ratio of extents for a strict match. */
const SIZE_RATIO: readonly [number, number] = [0.4, 2.5];

/** A true object at one moment: its interval's box. */
export interface PresentObject {
  readonly object: TruthObject;
  readonly center: Vec3;
  readonly size: Vec3;
}

/** How near an entity has to be: at the object's own tolerance with like size, at it, or at half a metre. */
export type MatchRule = 'strict' | 'tolerance' | 'half_metre';

export interface Match {
  readonly present: PresentObject;
  readonly entity: GraphEntity;
  readonly distanceM: number;
}

/** The objects that stand or lie somewhere at `timeS` and were seen by then. */
export function presentObjects(truth: Truth, timeS: number): PresentObject[] {
  return truth.objects.flatMap((object) => {
    const interval = intervalAt(object, timeS);
    const unseen = typeof object.firstSeen === 'number' && object.firstSeen > timeS + INTERVAL_SLACK_S;
    if (interval === undefined || unseen) return [];
    return [{ object, center: interval.center, size: interval.size }];
  });
}

/** The interval that holds at `timeS`, else the nearest one within the slack. */
export function intervalAt(object: TruthObject, timeS: number): TruthInterval | undefined {
  const gap = ({ from, to }: TruthInterval): number => Math.max(from - timeS, timeS - to, 0);
  const nearest = [...object.intervals].sort((a, b) => gap(a) - gap(b))[0];
  return nearest !== undefined && gap(nearest) <= INTERVAL_SLACK_S ? nearest : undefined;
}

/** One-to-one: as many pairs as possible, then the smallest sum of distances. */
export function matchObjects(
  objects: readonly PresentObject[],
  entities: readonly GraphEntity[],
  rule: MatchRule,
): Match[] {
  const costs = objects.map((present) => entities.map((entity) => matchCost(present, entity, rule)));
  return solveAssignment(costs).flatMap((column, row) => {
    const present = objects[row];
    const entity = column === undefined ? undefined : entities[column];
    if (present === undefined || entity === undefined) return [];
    return [{ present, entity, distanceM: distance(present.center, entity.box.center) }];
  });
}

function matchCost(present: PresentObject, entity: GraphEntity, rule: MatchRule): number {
  const limit = rule === 'half_metre' ? 0.5 : present.object.positionToleranceM;
  const d = distance(present.center, entity.box.center);
  if (d > limit) return Infinity;
  if (rule === 'strict' && !hasLikeSize(present.size, entity.box)) return Infinity;
  return d;
}

/**
 * Like size: of the hulls' extents sorted by length, the longest and the second longest each have a ratio in
 * 0.4–2.5. The shortest is left out: for a thing lying flat or a book's back it is within the noise of depth.
 */
export function hasLikeSize(truthSize: Vec3, box: Box): boolean {
  return sizeRatios(truthSize, box).every((ratio) => ratio >= SIZE_RATIO[0] && ratio <= SIZE_RATIO[1]);
}

/** Estimated over true length of the longest and the second longest extent of the axis-aligned hulls. */
export function sizeRatios(truthSize: Vec3, box: Box): [number, number] {
  const descending = (size: Vec3): number[] => [...size].sort((a, b) => b - a);
  const truth = descending(truthSize);
  const found = descending(hullSize(box));
  return [found[0] / truth[0], found[1] / truth[1]];
}

/** Axis-aligned extents of a turned box: the truth's boxes are such hulls too. */
export function hullSize(box: Box): Vec3 {
  const corners = footprint(box);
  const extent = (axis: 0 | 1): number =>
    Math.max(...corners.map((c) => c[axis])) - Math.min(...corners.map((c) => c[axis]));
  return [extent(0), extent(1), box.size[2]];
}

/** Is the point in one of the axis-aligned boxes? */
export function isInside(
  point: Vec3,
  boxes: readonly { readonly center: Vec3; readonly size: Vec3 }[],
): boolean {
  return boxes.some(({ center, size }) =>
    [0, 1, 2].every((axis) => Math.abs(point[axis] - center[axis]) <= size[axis] / 2 + 1e-9),
  );
}

/** Does one of the boxes that are neither right nor wrong hold here and now? */
export function isIgnored(truth: Truth, point: Vec3, timeS: number): boolean {
  const valid = truth.ignore.filter(
    ({ from, to }) => timeS >= (from ?? -Infinity) && timeS <= (to ?? Infinity),
  );
  return isInside(point, valid);
}

export function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
