import type { Vec3 } from '../math/types.js';
import { isIgnored, isInside, matchObjects } from './matchObjects.js';
import type { Match, MatchRule, PresentObject } from './matchObjects.js';
import { isStructure } from './replayResult.js';
import type { GraphEntity } from './replayResult.js';
import type { Truth } from './truth.js';

/** Right, missed and wrong under one rule. Coarse objects are matched last and count neither way. */
export interface DetectionScore {
  readonly rule: MatchRule;
  /** Over all non-coarse objects that were to be seen, wherever they are. */
  readonly recall: Share;
  /** The same for those taller than 2 cm. */
  readonly recallTall: Share;
  /** The three below: inside the scored region only. */
  readonly regionRecall: Share;
  readonly precision: Share;
  readonly f1: number | undefined;
}

/** `count` of `of`; `share` is undefined when there was nothing to count. */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly share: number | undefined;
}

/** What the matching left: the basis of every other score. */
export interface Matching {
  readonly matches: readonly Match[];
  readonly coarseMatches: readonly Match[];
  readonly missed: readonly PresentObject[];
  /** Live entities that are no structure and match nothing, by what that means. */
  readonly spuriousInside: readonly GraphEntity[];
  readonly spuriousOutside: readonly GraphEntity[];
  readonly ignored: readonly GraphEntity[];
}

/** Entities that claim to be there now: everything but `missing` ones. */
export function liveEntities(entities: readonly GraphEntity[]): GraphEntity[] {
  return entities.filter(({ freshness }) => freshness !== 'missing');
}

/**
 * Matches first; of the rest drops structure, what lies outside the scored region and what lies in an ignore
 * box; what is left is wrong. A coarse object takes an entity of like size that no other object wanted.
 */
export function matchEntities(
  truth: Truth,
  present: readonly PresentObject[],
  entities: readonly GraphEntity[],
  timeS: number,
  rule: MatchRule,
): Matching {
  const things = liveEntities(entities).filter((entity) => !isStructure(entity));
  const fine = present.filter(({ object }) => !object.coarse);
  const coarse = present.filter(({ object }) => object.coarse);
  const matches = matchObjects(fine, things, rule);
  const left = without(things, matches);
  const coarseMatches = matchObjects(coarse, left, 'strict');
  const rest = without(left, coarseMatches);
  const found = new Set(matches.map((match) => match.present));
  const ignored = rest.filter(({ box }) => isIgnored(truth, box.center, timeS));
  const spurious = rest.filter((entity) => !ignored.includes(entity));
  const inRegion = ({ box }: GraphEntity): boolean => isScored(truth, box.center);
  return {
    matches,
    coarseMatches,
    missed: fine.filter((object) => !found.has(object)),
    spuriousInside: spurious.filter(inRegion),
    spuriousOutside: spurious.filter((entity) => !inRegion(entity)),
    ignored,
  };
}

export function scoreDetection(truth: Truth, rule: MatchRule, matching: Matching): DetectionScore {
  const { matches, missed, spuriousInside } = matching;
  const found = matches.map((match) => match.present);
  const recallOf = (keep: (object: PresentObject) => boolean): Share =>
    shareOf(found.filter(keep).length, found.filter(keep).length + missed.filter(keep).length);
  const regionRecall = recallOf(({ center }) => isScored(truth, center));
  const precision = shareOf(regionRecall.count, regionRecall.count + spuriousInside.length);
  return {
    rule,
    recall: recallOf(() => true),
    recallTall: recallOf(({ object }) => !object.thin),
    regionRecall,
    precision,
    f1: harmonicMean(regionRecall, precision),
  };
}

export function shareOf(count: number, of: number): Share {
  return { count, of, share: of === 0 ? undefined : count / of };
}

/** 2·TP / (2·TP + missed + wrong); undefined when there was neither anything to find nor anything found. */
function harmonicMean(recall: Share, precision: Share): number | undefined {
  const total = recall.of + precision.of;
  return total === 0 ? undefined : (2 * recall.count) / total;
}

function isScored(truth: Truth, point: Vec3): boolean {
  return isInside(point, truth.scoredRegion);
}

function without(entities: readonly GraphEntity[], matches: readonly Match[]): GraphEntity[] {
  const taken = new Set(matches.map((match) => match.entity));
  return entities.filter((entity) => !taken.has(entity));
}
