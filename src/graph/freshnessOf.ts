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
  return freshnessAt(state)(entity);
}

/** The same for many entities of one state: what they are compared with is worked out once. */
export function freshnessAt(state: Pick<GraphState, 'epoch' | 'graphTime'>): (entity: Entity) => Freshness {
  const ofMoment = momentsAt(state);
  return (entity) => {
    if (entity.missing) {
      return 'missing';
    }
    if (entity.positionEstimated === true && isUnseenSinceExecution(entity)) {
      return 'last_seen';
    }
    return ofMoment(entity.lastSeen);
  };
}

/** The same for any moment something was known. */
export function freshnessOfMoment(
  moment: Moment,
  state: Pick<GraphState, 'epoch' | 'graphTime'>,
): Exclude<Freshness, 'missing'> {
  return momentsAt(state)(moment);
}

function momentsAt({
  epoch,
  graphTime,
}: Pick<GraphState, 'epoch' | 'graphTime'>): (moment: Moment) => Exclude<Freshness, 'missing'> {
  if (graphTime === undefined) return () => 'last_seen';
  const currentFrom = graphTime - CURRENT_NS;
  const recentFrom = graphTime - RECENT_NS;
  return (moment) => {
    if (moment.epoch !== epoch) return 'last_seen';
    if (moment.stamp >= currentFrom) return 'current';
    return moment.stamp >= recentFrom ? 'recent' : 'last_seen';
  };
}
