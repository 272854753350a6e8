import type { Freshness } from '../protocol/index.js';
import { durationFromSeconds } from '../time/Stamp.js';
import { isUnseenSinceExecution } from './moments.js';
import type { Entity, GraphState, Moment } from './types.js';

/** Seen so little before graph time that the thing is before the camera now: one slow frame interval. */
const CURRENT_NS = durationFromSeconds(1.5);
/** Long enough to look away and back while doing one thing. */
const RECENT_NS = durationFromSeconds(30);

/** How new the evidence for an entity is, in the contract's words. Reads the state's graph time, no clock. */
export function freshnessOf(entity: Entity, state: Pick<GraphState, 'epoch' | 'graphTime'>): Freshness {
  if (entity.missing) {
    return 'missing';
  }
  if (entity.positionEstimated === true && isUnseenSinceExecution(entity)) {
    return 'last_seen';
  }
  return freshnessOfMoment(entity.lastSeen, state);
}

/** The same for any moment something was known. */
export function freshnessOfMoment(
  moment: Moment,
  state: Pick<GraphState, 'epoch' | 'graphTime'>,
): Exclude<Freshness, 'missing'> {
  if (state.graphTime === undefined || moment.epoch !== state.epoch) {
    return 'last_seen';
  }
  const age = state.graphTime - moment.stamp;
  if (age <= CURRENT_NS) {
    return 'current';
  }
  return age <= RECENT_NS ? 'recent' : 'last_seen';
}
