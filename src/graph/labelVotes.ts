import { Map as ImmutableMap } from 'immutable';
import type { ObjectObservation } from '../perceive/observations.js';
import { labelsFoundBy, normalizeLabel } from './synonyms.js';
import type { Thing } from './types.js';

/**
 * What a thing is called: detectors vote with their certainty, and the votes of many frames decide. A name settles
 * when enough frames gave it and it stands out against the next best; a settled one gives way only to a clearly
 * better one. Refs are never renamed.
 */

type Votes = Pick<Thing, 'labelVotes' | 'labelSightings' | 'silences'>;

/** Frames that must have given a name before it counts. */
const LEAST_SIGHTINGS = 3;
/** Its share of the votes for it and for the next best name. */
const WINNING_SHARE = 0.65;
/** A name is given up for one whose share of all votes is larger by this. */
const CHANGE_MARGIN = 0.2;

/** The votes with one more observation's. */
export function withVote(
  { labelVotes, labelSightings = ImmutableMap() }: Votes,
  seen: ObjectObservation,
): Votes {
  const { label, labelScore = 0 } = seen;
  if (label === undefined) return { labelVotes, ...(labelSightings.isEmpty() ? {} : { labelSightings }) };
  return {
    labelVotes: labelVotes.update(label, 0, (sum) => sum + labelScore),
    labelSightings: labelSightings.update(label, 0, (count) => count + 1),
  };
}

/** The name that the votes settle on; undefined while they settle on none. */
export function settledLabel({ labelVotes, labelSightings }: Votes): string | undefined {
  let [best, most, next] = ['', 0, 0];
  for (const [label, sum] of labelVotes) {
    if (sum > most) [best, most, next] = [label, sum, most];
    else if (sum > next) next = sum;
  }
  const isSeenEnough = (labelSightings?.get(best) ?? 0) >= LEAST_SIGHTINGS;
  return isSeenEnough && most >= WINNING_SHARE * (most + next) ? best : undefined;
}

/** The name after new votes, for a thing that has one; '' and a geometry's word give way to any settled name. */
export function labelAfter(thing: Votes, current: string, isGeometric: boolean): string {
  const settled = settledLabel(thing);
  if (settled === undefined || settled === current || isGeometric) return settled ?? current;
  return shareOf(thing, settled) - shareOf(thing, current) >= CHANGE_MARGIN ? settled : current;
}

/** The sightings of two things that turned out to be one. */
export function withSightingsOf(a: Votes, b: Votes): Pick<Votes, 'labelSightings'> {
  if (a.labelSightings === undefined || b.labelSightings === undefined) {
    const known = a.labelSightings ?? b.labelSightings;
    return known === undefined ? {} : { labelSightings: known };
  }
  return { labelSightings: a.labelSightings.mergeWith((x, y) => x + y, b.labelSightings) };
}

/** Share of all votes that a name has, in [0,1]; 0 when nobody voted. */
export function shareOf({ labelVotes }: Votes, label: string): number {
  let total = 0;
  for (const votes of labelVotes.values()) total += votes;
  return total === 0 ? 0 : (labelVotes.get(label) ?? 0) / total;
}

/** Names that detectors of everyday things give for one another. */
const CONFUSABLE: readonly (readonly string[])[] = [
  ['cup', 'bowl', 'vase', 'wine glass', 'bottle'],
  ['book', 'laptop', 'magazine', 'box', 'suitcase'],
  ['tv', 'monitor', 'laptop'],
  ['cell phone', 'remote', 'mouse'],
  ['chair', 'bench', 'couch'],
  ['bottle', 'can', 'jar'],
  ['apple', 'orange', 'sports ball', 'donut', 'cup'],
  ['sink', 'bowl', 'toilet'],
  ['oven', 'microwave', 'refrigerator', 'toaster'],
  ['knife', 'fork', 'spoon', 'scissors'],
  ['backpack', 'handbag', 'suitcase'],
];

const SAME = 1;
const UNKNOWN = 0.6;
const MIXED_UP = 0.3;
/** A thing that a detector saw this often and never named is hardly one that it suddenly names. */
const TOLD_SILENCES = 8;
const NAMELESS = 0.2;
/** A name with this share of a thing's votes was given for it often enough to be one that it is mixed up with. */
const MIXED_UP_SHARE = 0.15;
/** Certainty from which a name counts fully for and against. */
const SURE = 0.6;

/** How well an observation's name fits a thing's votes: 1 the same … 0 another; 0.6 when either has none. */
export function labelAgreement({ label, labelScore = 0 }: ObjectObservation, thing: Votes): number {
  if (label === undefined) return UNKNOWN;
  if (thing.labelVotes.size === 0) return (thing.silences ?? 0) < TOLD_SILENCES ? UNKNOWN : NAMELESS;
  let [best, most] = ['', -1];
  for (const [name, sum] of thing.labelVotes) if (sum > most) [best, most] = [name, sum];
  const agreement = isSameName(label, best)
    ? SAME
    : shareOf(thing, label) >= MIXED_UP_SHARE || areConfusable(label, best)
      ? MIXED_UP
      : 0;
  return UNKNOWN + (agreement - UNKNOWN) * Math.min(1, labelScore / SURE);
}

export function isSameName(a: string, b: string): boolean {
  return a === b || labelsFoundBy(a).has(normalizeLabel(b));
}

/** Whether both have names, and names that no detector gives for one another. */
export function areNamedApart(a: Votes, b: Votes): boolean {
  const [one, other] = [settledLabel(a), settledLabel(b)];
  if (one === undefined || other === undefined) return false;
  return !isSameName(one, other) && !isSameName(other, one) && !areConfusable(one, other);
}

function areConfusable(a: string, b: string): boolean {
  const [x, y] = [normalizeLabel(a), normalizeLabel(b)];
  return CONFUSABLE.some((row) => row.includes(x) && row.includes(y));
}
