import { distance, hasLikeSize, isInside, sizeRatios } from './matchObjects.js';
import type { PresentObject } from './matchObjects.js';
import type { Matching } from './scoreDetection.js';
import type { GraphEntity } from './replayResult.js';

/** An extra entity counts as a piece of an object when its centre lies in the object's box grown by this much. */
const SPLIT_MARGIN_M = 0.02;

export type ObjectVerdict = 'found' | 'found_off_size' | 'missed';

/** One true object and what the graph has of it. */
export interface ObjectScore {
  readonly id: string;
  readonly label: string;
  readonly coarse: boolean;
  readonly thin: boolean;
  readonly verdict: ObjectVerdict;
  readonly toleranceM: number;
  readonly ref?: string;
  readonly entityLabel?: string;
  readonly distanceM?: number;
  /** Estimated over true longest and second longest extent. */
  readonly sizeRatios?: readonly [number, number];
  /** Further live entities within its tolerance or in its box, matched to nothing else. */
  readonly extraRefs: readonly string[];
  /** The nearest live entity that is no structure, whatever it was matched to. */
  readonly nearest?: { readonly ref: string; readonly distanceM: number };
}

export interface PositionError {
  readonly count: number;
  readonly medianM: number | undefined;
  readonly p90M: number | undefined;
}

/**
 * The table of objects, by the match at tolerance: coarse ones are listed too but scored nowhere.
 * @param things live entities that are no structure.
 */
export function scoreObjects(
  present: readonly PresentObject[],
  matching: Matching,
  things: readonly GraphEntity[],
): ObjectScore[] {
  const unmatched = [...matching.spuriousInside, ...matching.spuriousOutside];
  const matches = [...matching.matches, ...matching.coarseMatches];
  return present.map((object) => {
    const match = matches.find((candidate) => candidate.present === object);
    return {
      ...describeObject(object),
      verdict: verdictOf(object, match?.entity),
      ...(match && {
        ref: match.entity.ref,
        entityLabel: match.entity.label,
        distanceM: match.distanceM,
        sizeRatios: sizeRatios(object.size, match.entity.box),
      }),
      extraRefs:
        match === undefined
          ? []
          : unmatched.filter((entity) => belongsTo(object, entity)).map(({ ref }) => ref),
      ...nearestOf(object, things),
    };
  });
}

/** Objects with more than one live ref: coarse ones aside, as things stand on and under them. */
export function duplicatedObjects(scores: readonly ObjectScore[]): ObjectScore[] {
  return scores.filter((score) => !score.coarse && score.extraRefs.length > 0);
}

/** Over matched non-coarse objects whose tolerance is at most `maxToleranceM`. */
export function positionError(scores: readonly ObjectScore[], maxToleranceM = Infinity): PositionError {
  const errors = scores
    .filter((score) => !score.coarse && score.toleranceM <= maxToleranceM)
    .flatMap((score) => score.distanceM ?? []);
  return { count: errors.length, medianM: quantile(errors, 0.5), p90M: quantile(errors, 0.9) };
}

/** Linear between neighbours; undefined without values. */
export function quantile(values: readonly number[], q: number): number | undefined {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (position - Math.floor(position));
}

function describeObject({
  object,
}: PresentObject): Pick<ObjectScore, 'id' | 'label' | 'coarse' | 'thin' | 'toleranceM'> {
  const { id, label, coarse, thin, positionToleranceM } = object;
  return { id, label, coarse, thin, toleranceM: positionToleranceM };
}

function verdictOf(object: PresentObject, entity: GraphEntity | undefined): ObjectVerdict {
  if (entity === undefined) return 'missed';
  return hasLikeSize(object.size, entity.box) ? 'found' : 'found_off_size';
}

function belongsTo({ object, center, size }: PresentObject, entity: GraphEntity): boolean {
  const grown = size.map((extent) => extent + 2 * SPLIT_MARGIN_M) as [number, number, number];
  const isPiece = isInside(entity.box.center, [{ center, size: grown }]);
  return isPiece || distance(entity.box.center, center) <= object.positionToleranceM;
}

function nearestOf(object: PresentObject, things: readonly GraphEntity[]): Pick<ObjectScore, 'nearest'> {
  const sorted = things
    .map(({ ref, box }) => ({ ref, distanceM: distance(object.center, box.center) }))
    .sort((a, b) => a.distanceM - b.distanceM);
  return sorted[0] === undefined ? {} : { nearest: sorted[0] };
}
