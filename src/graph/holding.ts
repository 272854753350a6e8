/** Which gripper a call means, which held thing, and what travels in the robot's hands. */
import { boxGap } from '../math/box.js';
import type { Box } from '../math/types.js';
import { quoteInput, refuse, type Refusal } from '../protocol/index.js';
import { pickOptionalEntity, pickWord } from './effectArguments.js';
import type { Effect } from './effectsTable.js';
import { nameProblem } from './nameProblem.js';
import type { ExecutionEvent, GraphState, Holding } from './types.js';

/**
 * The gripper that takes a thing: the one the call names, else the robot's only one, else '' (the robot itself).
 * @param ref the thing to take; its own gripper counts as free
 * @param known the robot's grippers; empty: it has told of none, and any name will do
 * @returns a refusal for a name the robot does not have, and for a gripper that holds another thing
 */
export function takingGripper(
  state: GraphState,
  event: ExecutionEvent,
  effect: Extract<Effect, { effect: 'hold' }>,
  ref: string,
  known: readonly string[],
): { readonly gripper: string } | Refusal {
  const told = pickWord(event, effect.gripper);
  const problem = told === undefined ? undefined : gripperProblem(told, known);
  if (problem !== undefined) return refuse('effect_impossible', problem);
  const gripper = told ?? onlyGripper(state, known);
  const other = state.robot.holding.find((held) => held.gripper === gripper && held.ref !== ref);
  if (gripper === '' || other === undefined) return { gripper };
  const reason = `The gripper ${quoteInput(gripper)} holds ${quoteInput(other.ref)}, which has to be released first.`;
  return refuse('effect_impossible', reason);
}

function gripperProblem(name: string, known: readonly string[]): string | undefined {
  const problem = nameProblem('gripper', name);
  if (problem !== undefined || known.length === 0 || known.includes(name)) return problem;
  return `There is no gripper ${quoteInput(name)}, only ${known.map(quoteInput).join(', ')}.`;
}

function onlyGripper({ robot }: GraphState, known: readonly string[]): string {
  const names = known.length > 0 ? known : [...robot.map_T_grippers.keys()];
  return names.length === 1 ? (names[0] ?? '') : '';
}

/** The held thing that a call lets go of: by ref, by gripper, by both if both are told, or the only one. */
export function findHeld(
  state: GraphState,
  event: ExecutionEvent,
  effect: Extract<Effect, { effect: 'release' }>,
): Holding | Refusal {
  const entity = pickOptionalEntity(state, event, effect.ref);
  if (entity !== undefined && 'success' in entity) return entity;
  const gripper = pickWord(event, effect.gripper);
  const { holding } = state.robot;
  const byRef = entity === undefined ? holding : holding.filter((held) => held.ref === entity.ref);
  // What was taken without a word of the gripper may be in any.
  const candidates = byRef.filter(
    (held) =>
      gripper === undefined || held.gripper === gripper || (entity !== undefined && held.gripper === ''),
  );
  const held = candidates.first();
  if (held === undefined) {
    const what = entity === undefined ? 'Nothing is held' : `${quoteInput(entity.ref)} is not held`;
    const where = gripper === undefined || byRef.isEmpty() ? '' : ` by ${quoteInput(gripper)}`;
    return refuse('effect_impossible', `${what}${where}, so it cannot be released.`);
  }
  if (candidates.size === 1) return held;
  const reason = `${candidates.size} things are held; the call does not say which is released.`;
  return refuse('effect_impossible', reason);
}

/** Refs of what the robot carries: what it holds, what that contains, and so on. */
export function carriedRefs({ robot, entities }: GraphState): ReadonlySet<string> {
  const carried = new Set<string>();
  const pending = robot.holding.map(({ ref }) => ref).toArray();
  for (let ref = pending.pop(); ref !== undefined; ref = pending.pop()) {
    if (carried.has(ref)) continue;
    carried.add(ref);
    pending.push(...(entities.get(ref)?.contents ?? []));
  }
  return carried;
}

/** A thing seen this close to a carried one is that one, off by its grasp and the camera, metres. */
const IN_GRIPPER_M = 0.03;

/** Tells of a box whether it lies where a gripper carries something; false where no gripper's pose is known. */
export function gripperPlaces(state: GraphState): (box: Box) => boolean {
  const { holding, map_T_grippers } = state.robot;
  const boxes = holding
    .filter(({ gripper }) => map_T_grippers.has(gripper))
    .toArray()
    .flatMap(({ ref }) => state.entities.get(ref)?.box ?? []);
  return (box) => boxes.some((carried) => boxGap(carried, box) <= IN_GRIPPER_M);
}
