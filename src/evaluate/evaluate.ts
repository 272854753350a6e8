import { findUnexplained } from './findUnexplained.js';
import type { UnexplainedEntity } from './findUnexplained.js';
import { presentObjects } from './matchObjects.js';
import { isStructure } from './replayResult.js';
import type { GraphEntity, ReplayResult } from './replayResult.js';
import { liveEntities, matchEntities, scoreDetection, shareOf } from './scoreDetection.js';
import type { DetectionScore, Share } from './scoreDetection.js';
import { duplicatedObjects, positionError, scoreObjects } from './scoreObjects.js';
import type { ObjectScore, PositionError } from './scoreObjects.js';
import { scoreLabels } from './scoreLabels.js';
import type { LabelScore } from './scoreLabels.js';
import { scoreOverTime } from './scoreOverTime.js';
import type { TimeScore } from './scoreOverTime.js';
import { scoreRelations } from './scoreRelations.js';
import type { RelationScore } from './scoreRelations.js';
import { scoreSupports } from './scoreSupports.js';
import type { SupportScore } from './scoreSupports.js';
import { EvaluationError } from './truth.js';
import type { Truth } from './truth.js';

/** An entity that matches no object. */
export interface SpuriousEntity {
  readonly ref: string;
  readonly label: string;
  readonly center: readonly [number, number, number];
  readonly size: readonly [number, number, number];
  readonly confidence: number;
  readonly observations?: number;
}

export interface Evaluation {
  readonly recording: string;
  readonly timeS: number;
  readonly entities: { readonly live: number; readonly missing: number; readonly structures: number };
  /** Match within the object's tolerance and of like size. */
  readonly strict: DetectionScore;
  /** Match within the object's tolerance, whatever the size. */
  readonly tolerance: DetectionScore;
  readonly halfMetre: DetectionScore;
  readonly positionError: PositionError;
  /** Over objects with a tolerance of at most 0.10 m. */
  readonly positionErrorExact: PositionError;
  /** Ids of true objects with more than one live ref. */
  readonly duplicates: readonly { readonly id: string; readonly refs: readonly string[] }[];
  readonly relations: RelationScore;
  readonly labels: LabelScore;
  /** Horizontal supports found at their height. */
  readonly supportsFound: Share;
  readonly supports: readonly SupportScore[];
  readonly overTime: TimeScore;
  readonly objects: readonly ObjectScore[];
  /** Wrong under the match at tolerance: inside the scored region these cost precision. */
  readonly spuriousInside: readonly SpuriousEntity[];
  readonly spuriousOutside: readonly SpuriousEntity[];
  readonly ignored: readonly string[];
  /** The whole graph's live entities, structure included, that the truth has no word for. */
  readonly unexplained: readonly UnexplainedEntity[];
}

/**
 * Scores what a replay left against the truth, at the moment of its final Brief.
 * @throws EvaluationError when the replay saw nothing, so that there is no moment to compare at.
 */
export function evaluate(result: ReplayResult, truth: Truth): Evaluation {
  const timeS = result.endS;
  if (timeS === undefined)
    throw new EvaluationError('brief.json has no updated_at: the replay used no frame');
  refuseOtherTimes(truth, timeS);
  const { entities } = result.graph;
  const present = presentObjects(truth, timeS);
  const strict = matchEntities(truth, present, entities, timeS, 'strict');
  const tolerance = matchEntities(truth, present, entities, timeS, 'tolerance');
  const halfMetre = matchEntities(truth, present, entities, timeS, 'half_metre');
  const live = liveEntities(entities);
  const things = live.filter((entity) => !isStructure(entity));
  const objects = scoreObjects(present, tolerance, things);
  const supports = scoreSupports(truth, entities);
  const found = [...tolerance.matches, ...tolerance.coarseMatches];
  const horizontal = supports.filter(({ kind }) => kind !== 'wall');
  return {
    recording: truth.recording,
    timeS,
    entities: {
      live: things.length,
      missing: entities.length - live.length,
      structures: live.length - things.length,
    },
    strict: scoreDetection(truth, 'strict', strict),
    tolerance: scoreDetection(truth, 'tolerance', tolerance),
    halfMetre: scoreDetection(truth, 'half_metre', halfMetre),
    positionError: positionError(objects),
    positionErrorExact: positionError(objects, 0.1),
    duplicates: duplicatedObjects(objects).map(({ id, ref, extraRefs }) => ({
      id,
      refs: [...(ref === undefined ? [] : [ref]), ...extraRefs],
    })),
    relations: scoreRelations(truth, result.graph, found, timeS),
    labels: scoreLabels(found),
    supportsFound: shareOf(horizontal.filter(({ found }) => found).length, horizontal.length),
    supports,
    overTime: scoreOverTime(truth, result),
    objects,
    spuriousInside: tolerance.spuriousInside.map(describeSpurious),
    spuriousOutside: tolerance.spuriousOutside.map(describeSpurious),
    ignored: tolerance.ignored.map(({ ref }) => ref),
    unexplained: findUnexplained(truth, present, entities, tolerance),
  };
}

function describeSpurious({ ref, label, box, confidence, observations }: GraphEntity): SpuriousEntity {
  return {
    ref,
    label,
    center: box.center,
    size: box.size,
    confidence,
    ...(observations !== undefined && { observations }),
  };
}

/** A truth that knows nothing of this time is another recording's. */
const OTHER_TIME_S = 60;

function refuseOtherTimes(truth: Truth, timeS: number): void {
  const times = truth.objects.flatMap(({ intervals }) => intervals.flatMap(({ from, to }) => [from, to]));
  const off = Math.min(...times.map((time) => Math.abs(time - timeS)));
  if (times.length > 0 && off > OTHER_TIME_S && (timeS < Math.min(...times) || timeS > Math.max(...times))) {
    throw new EvaluationError(
      `truth: it is of ${truth.recording}, ${Math.round(off)} s away from the end of this replay`,
    );
  }
}
