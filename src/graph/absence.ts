import type { Visibility } from '../perceive/observations.js';
import { secondsFromDuration } from '../time/Stamp.js';
import type { GraphParameters } from './parameters.js';
import { MAX_LOG_ODDS, MIN_LOG_ODDS } from './thing.js';
import type { Entity, Moment, Thing, Track } from './types.js';

/**
 * What it means that a known thing was not observed in a frame. Only a clear view through its place counts against it;
 * its surface being there, though perception parted or joined it otherwise, counts weakly for it; everything else says
 * nothing. Time alone never makes a thing missing.
 */

export type Verdict = 'present' | 'clear' | 'unknown';

/** Samples that must be seen through, and their share of those that say anything. */
const LEAST_CLEAR = 3;
const CLEAR_SHARE = 0.6;
/** Share of all samples that must say something. */
const DECIDED_SHARE = 0.4;
const PRESENT_SHARE = 0.6;

export function verdictOf({ samples, present, clear }: Visibility): Verdict {
  const decided = present + clear;
  if (decided < DECIDED_SHARE * samples) return 'unknown';
  if (clear >= LEAST_CLEAR && clear >= CLEAR_SHARE * decided) return 'clear';
  return present >= PRESENT_SHARE * decided ? 'present' : 'unknown';
}

const MISS_WEIGHT = 1.6;
const WEAK_HIT = 0.2;

/** A track that this frame did not match. */
export function trackUnmatched(track: Track, visibility: Visibility): Track {
  const verdict = verdictOf(visibility);
  if (verdict === 'unknown') return track;
  return { ...track, opportunities: track.opportunities + 1 };
}

/** An entity that this frame did not match. */
export function entityUnmatched(
  entity: Entity,
  visibility: Visibility,
  now: Moment,
  parameters: GraphParameters,
): Entity {
  const verdict = verdictOf(visibility);
  if (verdict === 'unknown') return entity;
  if (verdict === 'present') return stillThere(entity, now);
  const share = visibility.clear / (visibility.clear + visibility.present);
  const existsLogOdds = Math.max(MIN_LOG_ODDS, entity.existsLogOdds - MISS_WEIGHT * share);
  const misses = entity.misses + 1;
  const firstMiss = entity.firstMiss ?? now;
  return {
    ...entity,
    existsLogOdds,
    misses,
    firstMiss,
    opportunities: entity.opportunities + 1,
    missing: entity.missing || isMissing(existsLogOdds, misses, firstMiss, now, parameters),
  };
}

function isMissing(
  existsLogOdds: number,
  misses: number,
  firstMiss: Moment,
  now: Moment,
  { absence }: GraphParameters,
): boolean {
  if (firstMiss.epoch !== now.epoch || misses < absence.misses) return false;
  const span = secondsFromDuration(now.stamp - firstMiss.stamp);
  return span >= absence.spanS && 1 / (1 + Math.exp(-existsLogOdds)) < absence.existsBelow;
}

function stillThere(entity: Entity, now: Moment): Entity {
  // A surface in its place does not bring back what was seen to be gone, nor end a run of misses: that takes
  // an observation.
  if (entity.missing) return { ...entity, opportunities: entity.opportunities + 1 };
  return {
    ...entity,
    lastSeen: now,
    existsLogOdds: Math.min(MAX_LOG_ODDS, entity.existsLogOdds + WEAK_HIT),
    opportunities: entity.opportunities + 1,
  };
}

/** The run of misses ends. */
export function noLongerMissed<T extends Pick<Entity, 'misses' | 'firstMiss'>>(entity: T): T {
  return entity.misses === 0 ? entity : { ...entity, misses: 0, firstMiss: undefined };
}

/** Share of the frames that showed a thing's place in which it was observed as a thing. */
export function observedShare({ hits, opportunities }: Pick<Thing, 'hits' | 'opportunities'>): number {
  return opportunities === 0 ? 0 : hits / opportunities;
}
