import type { ObjectObservation, Visibility } from '../perceive/observations.js';
import { labelAfter, settledLabel, shareOf } from './labelVotes.js';
import { MIN_LOG_ODDS } from './thing.js';
import type { Entity, Thing } from './types.js';

/** What a detector's names, and its silence, mean for a thing. */

/** Log-odds that a detector's silence on a thing it has named costs, although its surface is there. */
const SILENCE = 0.1;

/** An entity with the votes it has just got: its name and that name's share follow them. */
export function withNewVotes(entity: Entity, { label }: ObjectObservation, detectorLooked: boolean): Entity {
  if (label === undefined) {
    if (!detectorLooked) return entity;
    const silences = (entity.silences ?? 0) + 1;
    if (entity.labelVotes.isEmpty()) return { ...entity, silences };
    return { ...entity, silences, existsLogOdds: Math.max(MIN_LOG_ODDS, entity.existsLogOdds - SILENCE) };
  }
  const isGeometric = !entity.labelVotes.has(entity.label);
  const name = labelAfter(entity, entity.label, isGeometric);
  return {
    ...entity,
    label: name,
    labelShare: isGeometric && name === entity.label ? entity.labelShare : shareOf(entity, name),
  };
}

/** Mean certainty from which a name is sure. */
const SURE_MEAN = 0.5;

/** Every observation of it had one name, and surely. */
export function isSurelyNamed(thing: Thing): boolean {
  const label = settledLabel(thing);
  if (label === undefined || thing.labelSightings?.get(label) !== thing.observations) return false;
  return (thing.labelVotes.get(label) ?? 0) >= SURE_MEAN * thing.observations;
}

/** Samples of its old place that must be seen through, and their share of those found there or seen through. */
const LEAST_CLEAR = 3;
const CLEAR_SHARE = 0.5;

/**
 * A thing of one name outside the place where it was, while that place, as far as it is not hidden by who carries it,
 * is seen to be empty: the new view is not to be averaged with the old ones.
 */
export function wasCarried(
  { box, labelVotes }: Thing,
  { label, box: seen, depthSigmaM }: ObjectObservation,
  place: Visibility | undefined,
): boolean {
  if (label === undefined || !labelVotes.has(label) || place === undefined) return false;
  const { clear, present } = place;
  if (clear < LEAST_CLEAR || clear < CLEAR_SHARE * (clear + present)) return false;
  const off = Math.hypot(...box.center.map((value, axis) => value - seen.center[axis]));
  return off > Math.min(...box.size) / 2 + 3 * depthSigmaM;
}
