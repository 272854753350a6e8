import { ALIKE, likeness } from '../perceive/likeness.js';
import { secondsFromDuration } from '../time/Stamp.js';
import { isSameName, settledLabel, withSightingsOf } from './labelVotes.js';
import type { Entity, GraphState, Moment, Thing } from './types.js';

/**
 * A named thing that turns up while one of its name, size and looks was just seen to be gone: it was moved, and keeps
 * its ref. Without the clear view of the old place, without a name, or with two that fit, it is another thing.
 */

/** A thing that was carried off is looked for this long, seconds. */
const WITHIN_S = 60;
const LEAST_RATIO = 0.7;
const MOST_RATIO = 1.4;

/** The missing entity that a confirmed track is; undefined when none or more than one may be it. */
export function refoundEntity(
  entities: GraphState['entities'],
  track: Thing,
  now: Moment,
): Entity | undefined {
  const label = settledLabel(track);
  if (label === undefined || track.kind !== 'object') return undefined;
  const fitting = [...entities.values()].filter(
    (entity) => wasJustLost(entity, now) && isSameName(entity.label, label) && isAlike(entity, track),
  );
  return fitting.length === 1 ? fitting[0] : undefined;
}

function wasJustLost({ kind, missing, firstMiss }: Entity, now: Moment): boolean {
  if (kind !== 'object' || !missing || firstMiss?.epoch !== now.epoch) return false;
  return secondsFromDuration(now.stamp - firstMiss.stamp) <= WITHIN_S;
}

function isAlike(entity: Entity, track: Thing): boolean {
  const ratio = Math.cbrt(volume(track) / volume(entity));
  if (!(ratio >= LEAST_RATIO && ratio <= MOST_RATIO)) return false;
  return (likeness(entity.appearance, track.appearance) ?? 1) >= ALIKE;
}

function volume({ box: { size } }: Thing): number {
  return size[0] * size[1] * size[2];
}

/** The entity where the track is: its name and history, the track's measurements. */
export function movedTo(entity: Entity, track: Thing): Entity {
  return {
    ...entity,
    ...track,
    firstSeen: entity.firstSeen,
    observations: entity.observations + track.observations,
    labelVotes: entity.labelVotes.mergeWith((a, b) => a + b, track.labelVotes),
    ...withSightingsOf(track, entity),
    missing: false,
    misses: 0,
    firstMiss: undefined,
  };
}
