/** Events that end a stretch of knowledge: a reset by the user, a jump of the clock, a restart of the process. */
import { List, Map as ImmutableMap } from 'immutable';
import { momentIn } from './moments.js';
import { nextRevision } from './nextRevision.js';
import type { GraphState, Tombstone } from './types.js';

/**
 * Removes entities, tentatives and relations; the removed refs leave tombstones, so that who still uses one
 * is told why. Ref counters and the execution ledger stay.
 */
export function applyReset(state: GraphState): GraphState {
  const at = momentIn(state);
  const buried = state.entities.map(({ ref, label }): Tombstone => ({ ref, label, reason: 'reset', at }));
  const nothing =
    state.entities.isEmpty() &&
    state.tracks.isEmpty() &&
    state.relations.isEmpty() &&
    state.robot.holding.isEmpty();
  if (nothing) {
    return state;
  }
  return {
    ...state,
    entities: ImmutableMap(),
    tracks: ImmutableMap(),
    relations: ImmutableMap(),
    mergeEvidence: ImmutableMap(),
    tombstones: state.tombstones.merge(buried),
    robot: { ...state.robot, holding: List() },
  };
}

/**
 * The clock jumped back (a looping recording): a new epoch. Graph time is unknown until data comes, so all
 * entities are at best `last_seen`; tentatives are dropped, held things stay in the hand.
 */
export function applyClockJump(state: GraphState): GraphState {
  return { ...state, epoch: state.epoch + 1, graphTime: undefined, tracks: ImmutableMap() };
}

/** A stored graph in a process that has just begun: its clock need not be the old one's, nor the robot where it was. */
export function afterRestart(stored: GraphState): GraphState {
  const next = applyClockJump(stored);
  return { ...next, revision: nextRevision(stored, next) };
}
