/**
 * Moves things that are known to move without being seen to: held things with their carrier, contents with
 * their container. What was measured at the old place (shapes, cells) is given up, so that it can
 * neither drag the thing back nor be tested for absence there.
 */
import type { Map as ImmutableMap } from 'immutable';
import { quatFromYaw, yawOf } from '../math/quaternion.js';
import { composeTransforms, invertTransform } from '../math/rigidTransform.js';
import type { Box, RigidTransform } from '../math/types.js';
import { NO_CELLS } from './cells.js';
import type { Entity, GraphState, Holding, RobotState } from './types.js';

const NO_SAMPLES = new Float32Array(0);
/** Below this a move is rounding, not motion (m and rad). */
const STILL = 1e-9;

/** Pose of an entity's box in the map. */
export function map_T_entity(entity: Pick<Entity, 'box'>): RigidTransform {
  return { translation: entity.box.center, rotation: quatFromYaw(entity.box.yaw) };
}

/** The state with one entity at a new box, and what it contains moved along rigidly. */
export function relocate(state: GraphState, ref: string, box: Box): GraphState {
  const entity = state.entities.get(ref);
  if (entity === undefined || isSamePlace(entity.box, box)) {
    return state;
  }
  const from = map_T_entity(entity);
  const to = map_T_entity({ box });
  const moved = composeTransforms(to, invertTransform(from));
  const entities = state.entities.set(ref, withBox(entity, box));
  return { ...state, entities: carryContents(entities, entity.contents, moved, new Set([ref])) };
}

/**
 * Called with every observation: takes in the robot's poses and moves held things with their grippers, else
 * with the base. Poses that this frame does not know stay as they were.
 */
export function moveHeld(
  state: GraphState,
  map_T_grippers: ReadonlyMap<string, RigidTransform> | ImmutableMap<string, RigidTransform>,
  map_T_base: RigidTransform | undefined,
): GraphState {
  const before = state.robot;
  const robot: RobotState = {
    ...before,
    ...(map_T_base === undefined ? {} : { map_T_base }),
    map_T_grippers: mergedPoses(before.map_T_grippers, map_T_grippers),
  };
  if (before.holding.isEmpty()) {
    return isSameRobot(before, robot) ? state : { ...state, robot };
  }
  let next = state;
  const holding = before.holding.map((held) => {
    const anchored = anchor(next, held, before, robot);
    next = followCarrier(next, anchored, robot);
    return anchored;
  });
  return { ...next, robot: { ...robot, holding } };
}

/** The pose a held thing follows: its gripper's, else the base's; undefined while neither is known. */
export function carrierPose(robot: RobotState, gripper: string): RigidTransform | undefined {
  return robot.map_T_grippers.get(gripper) ?? robot.map_T_base;
}

/** Where the thing is in its carrier's frame; undefined while either is unknown. */
export function poseInCarrier(
  state: GraphState,
  ref: string,
  carrier: RigidTransform | undefined,
): RigidTransform | undefined {
  const entity = state.entities.get(ref);
  return entity && carrier && composeTransforms(invertTransform(carrier), map_T_entity(entity));
}

/** Fixes the thing to its carrier the first time that carrier is known (a gripper's frame may turn up later). */
function anchor(state: GraphState, held: Holding, before: RobotState, now: RobotState): Holding {
  const isNewCarrier = now.map_T_grippers.has(held.gripper) && !before.map_T_grippers.has(held.gripper);
  if (held.carrier_T_object !== undefined && !isNewCarrier) {
    return held;
  }
  const carrier_T_object = poseInCarrier(state, held.ref, carrierPose(now, held.gripper));
  return carrier_T_object === undefined ? held : { ...held, carrier_T_object };
}

function followCarrier(state: GraphState, held: Holding, robot: RobotState): GraphState {
  const map_T_carrier = carrierPose(robot, held.gripper);
  const entity = state.entities.get(held.ref);
  if (map_T_carrier === undefined || held.carrier_T_object === undefined || entity === undefined) {
    return state;
  }
  const { translation, rotation } = composeTransforms(map_T_carrier, held.carrier_T_object);
  return relocate(state, held.ref, { ...entity.box, center: translation, yaw: yawOf(rotation) });
}

function carryContents(
  entities: GraphState['entities'],
  contents: readonly string[],
  moved: RigidTransform,
  done: Set<string>,
): GraphState['entities'] {
  let next = entities;
  for (const ref of contents) {
    const entity = next.get(ref);
    if (entity === undefined || done.has(ref)) {
      continue;
    }
    done.add(ref);
    const pose = composeTransforms(moved, map_T_entity(entity));
    const box = { ...entity.box, center: pose.translation, yaw: yawOf(pose.rotation) };
    next = carryContents(next.set(ref, withBox(entity, box)), entity.contents, moved, done);
  }
  return next;
}

function withBox(entity: Entity, box: Box): Entity {
  return {
    ...entity,
    box,
    shapes: [],
    cells: NO_CELLS,
    samples: NO_SAMPLES,
    misses: 0,
    firstMiss: undefined,
  };
}

function isSamePlace(a: Box, b: Box): boolean {
  return (
    a.center.every((value, axis) => Math.abs(value - (b.center[axis] ?? 0)) < STILL) &&
    Math.abs(a.yaw - b.yaw) < STILL
  );
}

function mergedPoses(
  before: ImmutableMap<string, RigidTransform>,
  now: ReadonlyMap<string, RigidTransform> | ImmutableMap<string, RigidTransform>,
): ImmutableMap<string, RigidTransform> {
  return before.withMutations((poses) => {
    for (const [name, pose] of now) {
      poses.set(name, pose);
    }
  });
}

function isSameRobot(a: RobotState, b: RobotState): boolean {
  return a.map_T_base === b.map_T_base && a.map_T_grippers === b.map_T_grippers;
}
