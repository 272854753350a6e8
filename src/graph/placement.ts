/** Where a thing comes to rest: told, at the gripper, or worked out from its target. */
import { boxBottom, boxGap, boxTop, footprintArea } from '../math/box.js';
import type { Box, Vec3 } from '../math/types.js';
import type { AppliedEffect } from '../protocol/index.js';
import type { ToldPlace } from './effectArguments.js';
import { relocate } from './relocate.js';
import { addEdge } from './removeEntity.js';
import type { Entity, GraphState, Moment } from './types.js';

export interface Placement {
  readonly told?: ToldPlace;
  readonly target?: string;
  readonly relation?: 'on' | 'inside' | 'near';
  /** Where the gripper lets go; used when no pose is told. */
  readonly fallback?: ToldPlace;
}

/** One standard deviation of a position that was told, read off the gripper, or worked out (m). */
const TOLD_SIGMA_M = 0.02;
const GRIPPER_SIGMA_M = 0.05;
const TARGET_SIGMA_M = 0.2;
/** Gap left when a thing is put beside another (m). */
const BESIDE_GAP_M = 0.05;
/** A surface must be this share of the thing's footprint to carry it. */
const CARRYING_SHARE = 0.5;

export interface Placed {
  readonly state: GraphState;
  readonly applied: Omit<AppliedEffect, 'effect' | 'ref'>;
}

/** The state with the thing at rest and its relation to the target set. The thing must be in no container. */
export function placeAt(state: GraphState, ref: string, placement: Placement, at: Moment): Placed {
  const entity = state.entities.get(ref);
  if (entity === undefined) {
    return { state, applied: {} };
  }
  const target = placement.target === undefined ? undefined : state.entities.get(placement.target);
  const relation = target && (placement.relation ?? fittingRelation(entity, target));
  const place =
    placement.told ??
    placement.fallback ??
    (target && relation && placeAtTarget(state, entity, target, relation));
  const box: Box = place
    ? { ...entity.box, center: place.position, yaw: place.yaw ?? entity.box.yaw }
    : entity.box;
  const estimated = placement.told === undefined;
  const moved = relocate(state, ref, box);
  const placed = mark(moved, ref, at, estimated, sigmaOf(placement, place !== undefined, entity));
  const related = target && relation ? relate(placed, ref, target.ref, relation) : placed;
  return {
    state: related,
    applied: {
      ...(target && relation ? { targetRef: target.ref, relation } : {}),
      position: [...box.center],
      ...(estimated ? { estimated } : {}),
    },
  };
}

/** Whether `ref` lies in `container`, directly or in something that does. */
export function isInsideOf(state: GraphState, ref: string, container: string, depth = 0): boolean {
  const contents = state.entities.get(container)?.contents ?? [];
  return depth < 32 && contents.some((item) => item === ref || isInsideOf(state, ref, item, depth + 1));
}

function fittingRelation(entity: Entity, target: Entity): 'on' | 'inside' | 'near' {
  if (target.containerState !== '') {
    return 'inside';
  }
  const carries =
    target.kind !== 'wall' && footprintArea(target.box) >= CARRYING_SHARE * footprintArea(entity.box);
  return carries ? 'on' : 'near';
}

function placeAtTarget(
  state: GraphState,
  entity: Entity,
  target: Entity,
  relation: 'on' | 'inside' | 'near',
): ToldPlace {
  const half = entity.box.size[2] / 2;
  const [x, y] = target.box.center;
  if (relation === 'near') {
    return { position: besideOf(state, entity, target) };
  }
  const z = relation === 'on' ? boxTop(target.box) + half : boxBottom(target.box) + half;
  return { position: [x, y, z] };
}

/** On the robot's side of the target, at its foot. */
function besideOf(state: GraphState, entity: Entity, target: Entity): Vec3 {
  const robot = state.robot.map_T_base?.translation;
  const [x, y] = target.box.center;
  const dx = robot === undefined ? 1 : robot[0] - x;
  const dy = robot === undefined ? 0 : robot[1] - y;
  const norm = Math.hypot(dx, dy);
  const [ux, uy] = norm < 1e-6 ? [1, 0] : [dx / norm, dy / norm];
  const reach =
    (Math.hypot(target.box.size[0], target.box.size[1]) +
      Math.hypot(entity.box.size[0], entity.box.size[1])) /
    2;
  const away = reach + BESIDE_GAP_M;
  return [x + ux * away, y + uy * away, boxBottom(target.box) + entity.box.size[2] / 2];
}

function relate(
  state: GraphState,
  ref: string,
  otherRef: string,
  relation: 'on' | 'inside' | 'near',
): GraphState {
  const a = state.entities.get(ref);
  const b = state.entities.get(otherRef);
  const distance = a && b && relation === 'near' ? { distanceM: boxGap(a.box, b.box) } : {};
  const related = addEdge(state, { ref, relation, otherRef, ...distance, setByExecution: true });
  if (relation !== 'inside' || b === undefined || b.contents.includes(ref)) {
    return related;
  }
  // Being put into shows that a thing is a container; open or closed stays what was known.
  const container: Entity = {
    ...b,
    contents: [...b.contents, ref],
    containerState: b.containerState === '' ? 'unknown' : b.containerState,
  };
  return { ...related, entities: related.entities.set(otherRef, container) };
}

function mark(
  state: GraphState,
  ref: string,
  at: Moment,
  estimated: boolean,
  positionSigmaM: number,
): GraphState {
  const entity = state.entities.get(ref);
  if (entity === undefined) {
    return state;
  }
  const { positionEstimated: _before, ...rest } = entity;
  const marked: Entity = {
    ...rest,
    positionSigmaM,
    setByExecutionAt: at,
    missing: false,
    ...(estimated ? { positionEstimated: true } : {}),
  };
  return { ...state, entities: state.entities.set(ref, marked) };
}

function sigmaOf(placement: Placement, isPlaced: boolean, entity: Entity): number {
  if (placement.told !== undefined) {
    return TOLD_SIGMA_M;
  }
  if (placement.fallback !== undefined) {
    return GRIPPER_SIGMA_M;
  }
  return isPlaced ? TARGET_SIGMA_M : Math.max(entity.positionSigmaM, GRIPPER_SIGMA_M);
}
