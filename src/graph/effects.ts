/** Each effect as a pure function on the state; several are combined by `executions.ts`, all or none. */
import { yawOf } from '../math/quaternion.js';
import { composeTransforms } from '../math/rigidTransform.js';
import {
  KNOWN_CONTAINER_STATES,
  quoteInput,
  refuse,
  safeInput,
  type AppliedEffect,
  type KnownContainerState,
  type Refusal,
} from '../protocol/index.js';
import { relabel as relabelEntity } from './corrections.js';
import { pickEntity, pickOptionalEntity, pickPlace, pickWord } from './effectArguments.js';
import type { Effect, EffectKind } from './effectsTable.js';
import { findHeld, takingGripper } from './holding.js';
import { momentIn } from './moments.js';
import { isInsideOf, placeAt, type Placement } from './placement.js';
import { carrierPose, poseInCarrier } from './relocate.js';
import { letGo, removeEdges, removeEntity, takeOutOfContainers, touches } from './removeEntity.js';
import type { Entity, ExecutionEvent, GraphState, Holding } from './types.js';

export interface EffectDone {
  readonly state: GraphState;
  readonly applied: AppliedEffect;
}

/** Characters of the reason that a removal leaves on the tombstone. */
const MAX_REASON = 120;

type Of<Kind extends EffectKind> = Extract<Effect, { effect: Kind }>;

/** @param grippers names of the robot's grippers; empty: it has told of none */
export function applyEffect(
  state: GraphState,
  event: ExecutionEvent,
  effect: Effect,
  grippers: readonly string[],
): EffectDone | Refusal {
  switch (effect.effect) {
    case 'hold':
      return hold(state, event, effect, grippers);
    case 'release':
      return release(state, event, effect);
    case 'set_container_state':
      return setContainerState(state, event, effect);
    case 'put_inside':
      return putInside(state, event, effect);
    case 'take_out':
      return takeOut(state, event, effect);
    case 'remove':
      return remove(state, event, effect);
    case 'move_to':
      return moveTo(state, event, effect);
    case 'relabel':
      return relabel(state, event, effect);
  }
}

/** The thing leaves its place and hangs on a gripper (or, without one, on the robot's base). */
function hold(
  state: GraphState,
  event: ExecutionEvent,
  effect: Of<'hold'>,
  grippers: readonly string[],
): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  if (entity.kind !== 'object') {
    return refuse('effect_impossible', `A ${entity.kind} cannot be held: ${quoteInput(entity.ref)}.`);
  }
  const taking = takingGripper(state, event, effect, entity.ref, grippers);
  if ('success' in taking) {
    return taking;
  }
  const { gripper } = taking;
  const since = momentIn(state, event.finishedAt);
  const carrier_T_object = poseInCarrier(state, entity.ref, carrierPose(state.robot, gripper));
  const held: Holding = { ref: entity.ref, gripper, since, ...(carrier_T_object && { carrier_T_object }) };
  const free = letGo(leavePlace(state, entity.ref), entity.ref);
  const marked = update(free, entity.ref, {
    setByExecutionAt: since,
    missing: false,
    positionEstimated: undefined,
  });
  return {
    state: { ...marked, robot: { ...marked.robot, holding: marked.robot.holding.push(held) } },
    applied: { effect: 'hold', ref: entity.ref, ...(gripper === '' ? {} : { gripper }) },
  };
}

/** What is held comes to rest: at a told pose, else where the gripper is, else at the target. */
function release(state: GraphState, event: ExecutionEvent, effect: Of<'release'>): EffectDone | Refusal {
  const held = findHeld(state, event, effect);
  if ('success' in held) {
    return held;
  }
  const placement = readPlacement(state, event, effect, held.ref);
  if ('success' in placement) {
    return placement;
  }
  const gripper = state.robot.map_T_grippers.get(held.gripper);
  const atGripper =
    gripper && (held.carrier_T_object ? composeTransforms(gripper, held.carrier_T_object) : gripper);
  const fallback = atGripper && { position: atGripper.translation, yaw: yawOf(atGripper.rotation) };
  const done = placeAt(
    letGo(state, held.ref),
    held.ref,
    { ...placement, fallback },
    momentIn(state, event.finishedAt),
  );
  const named = held.gripper === '' ? {} : { gripper: held.gripper };
  return { state: done.state, applied: { effect: 'release', ref: held.ref, ...named, ...done.applied } };
}

function moveTo(state: GraphState, event: ExecutionEvent, effect: Of<'move_to'>): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  if (entity.kind !== 'object') {
    return refuse('effect_impossible', `A ${entity.kind} cannot be moved: ${quoteInput(entity.ref)}.`);
  }
  const placement = readPlacement(state, event, effect, entity.ref);
  if ('success' in placement) {
    return placement;
  }
  if (placement.told === undefined && placement.target === undefined) {
    return refuse(
      'effect_impossible',
      `${quoteInput(event.toolName)} tells no place for ${quoteInput(entity.ref)}.`,
    );
  }
  const free = letGo(leavePlace(state, entity.ref), entity.ref);
  const done = placeAt(free, entity.ref, placement, momentIn(state, event.finishedAt));
  return { state: done.state, applied: { effect: 'move_to', ref: entity.ref, ...done.applied } };
}

function putInside(state: GraphState, event: ExecutionEvent, effect: Of<'put_inside'>): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  const container = pickEntity(state, event, effect.container);
  if ('success' in container) {
    return container;
  }
  const impossible = cannotPlace(state, entity, container);
  if (impossible !== undefined || container.kind !== 'object') {
    return impossible ?? refuse('effect_impossible', `Nothing can be put inside a ${container.kind}.`);
  }
  const free = letGo(leavePlace(state, entity.ref), entity.ref);
  const placement: Placement = { target: container.ref, relation: 'inside' };
  const done = placeAt(free, entity.ref, placement, momentIn(state, event.finishedAt));
  return { state: done.state, applied: { effect: 'put_inside', ref: entity.ref, ...done.applied } };
}

/** The thing is in no container any more; where it is now, another effect or a look has to tell. */
function takeOut(state: GraphState, event: ExecutionEvent, effect: Of<'take_out'>): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  const inside = (edge: { ref: string; relation: string }): boolean =>
    edge.ref === entity.ref && edge.relation === 'inside';
  const free = takeOutOfContainers(removeEdges(state, inside), entity.ref);
  const at = momentIn(state, event.finishedAt);
  return {
    state: free === state ? state : update(free, entity.ref, { setByExecutionAt: at }),
    applied: { effect: 'take_out', ref: entity.ref },
  };
}

function setContainerState(
  state: GraphState,
  event: ExecutionEvent,
  effect: Of<'set_container_state'>,
): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  const told = pickWord(event, effect.state);
  if (told === undefined || !isContainerState(told) || entity.kind !== 'object') {
    return refuse(
      'effect_impossible',
      `${quoteInput(entity.ref)} cannot be ${quoteInput(told ?? '')} as a container.`,
    );
  }
  return {
    state: update(state, entity.ref, { containerState: told }),
    applied: { effect: 'set_container_state', ref: entity.ref, containerState: told },
  };
}

function remove(state: GraphState, event: ExecutionEvent, effect: Of<'remove'>): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  const reason = safeInput(pickWord(event, effect.reason) ?? `removed by ${event.toolName}`, MAX_REASON);
  return {
    state: removeEntity(state, entity.ref, reason, momentIn(state, event.finishedAt)),
    applied: { effect: 'remove', ref: entity.ref },
  };
}

function relabel(state: GraphState, event: ExecutionEvent, effect: Of<'relabel'>): EffectDone | Refusal {
  const entity = pickEntity(state, event, effect.ref);
  if ('success' in entity) {
    return entity;
  }
  const label = pickWord(event, effect.label) ?? '';
  const after = relabelEntity(state, entity, label);
  return 'success' in after
    ? refuse('effect_impossible', after.reason)
    : { state: after, applied: { effect: 'relabel', ref: entity.ref, label } };
}

function readPlacement(
  state: GraphState,
  event: ExecutionEvent,
  effect: Of<'release'> | Of<'move_to'>,
  ref: string,
): Placement | Refusal {
  const told = pickPlace(state, event, effect);
  if (told !== undefined && 'success' in told) {
    return told;
  }
  const target = pickOptionalEntity(state, event, effect.target);
  if (target !== undefined && 'success' in target) {
    return target;
  }
  const entity = state.entities.get(ref);
  const impossible = entity && target && cannotPlace(state, entity, target);
  if (impossible !== undefined) {
    return impossible;
  }
  const relation = pickWord(event, effect.relation);
  if (relation !== undefined && relation !== 'on' && relation !== 'inside' && relation !== 'near') {
    return refuse(
      'effect_impossible',
      `A thing cannot be put ${quoteInput(relation)} another: on, inside or near.`,
    );
  }
  return { ...(told && { told }), ...(target && { target: target.ref }), ...(relation && { relation }) };
}

function cannotPlace(state: GraphState, entity: Entity, target: Entity): Refusal | undefined {
  if (entity.kind !== 'object') {
    return refuse('effect_impossible', `A ${entity.kind} cannot be moved: ${quoteInput(entity.ref)}.`);
  }
  if (entity.ref === target.ref || isInsideOf(state, target.ref, entity.ref)) {
    return refuse('effect_impossible', `${quoteInput(entity.ref)} cannot be put onto or into itself.`);
  }
  return undefined;
}

/** Out of its container, off its support, no longer near anything; what it contains stays in it. */
function leavePlace(state: GraphState, ref: string): GraphState {
  const apart = removeEdges(
    state,
    (edge) => touches(edge, ref) && !(edge.otherRef === ref && edge.relation === 'inside'),
  );
  return takeOutOfContainers(apart, ref);
}

function update(state: GraphState, ref: string, change: Partial<Entity>): GraphState {
  const entity = state.entities.get(ref);
  return entity === undefined
    ? state
    : { ...state, entities: state.entities.set(ref, { ...entity, ...change }) };
}

function isContainerState(word: string): word is KnownContainerState {
  return (KNOWN_CONTAINER_STATES as readonly string[]).includes(word);
}
