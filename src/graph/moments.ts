import type { Stamp } from '../time/Stamp.js';
import type { Entity, GraphState, Moment } from './types.js';

/** Negative when `a` is before `b`: by epoch first, then by stamp. */
export function compareMoments(a: Moment, b: Moment): number {
  if (a.epoch !== b.epoch) {
    return a.epoch - b.epoch;
  }
  return a.stamp < b.stamp ? -1 : a.stamp > b.stamp ? 1 : 0;
}

export function earlierMoment(a: Moment, b: Moment): Moment {
  return compareMoments(a, b) <= 0 ? a : b;
}

export function laterMoment(a: Moment, b: Moment): Moment {
  return compareMoments(a, b) >= 0 ? a : b;
}

/** The moment of an event in this epoch: its own stamp, else graph time, else the epoch's beginning. */
export function momentIn(state: GraphState, stamp?: Stamp): Moment {
  return { epoch: state.epoch, stamp: stamp ?? state.graphTime ?? 0n };
}

/**
 * Whether an execution set the entity's position and nothing has been seen of it since. An execution without
 * a time of its own bears the stamp of the newest frame, which it came after.
 */
export function isUnseenSinceExecution(entity: Entity): boolean {
  return (
    entity.setByExecutionAt !== undefined && compareMoments(entity.lastSeen, entity.setByExecutionAt) <= 0
  );
}
