import type { Vec3 } from '../math/types.js';
import { distance, isInside } from './matchObjects.js';
import type { PresentObject } from './matchObjects.js';
import { isStructure } from './replayResult.js';
import type { GraphEntity } from './replayResult.js';
import { liveEntities } from './scoreDetection.js';
import type { Matching } from './scoreDetection.js';
import { isTrueStructure } from './scoreSupports.js';
import type { Truth } from './truth.js';

/** How far outside a true object's box the middle of a piece of it may lie. */
const PIECE_MARGIN_M = 0.05;

/** A live entity that the truth has no word for, and what is next to it. */
export interface UnexplainedEntity {
  readonly ref: string;
  readonly kind: 'thing' | 'structure';
  readonly label: string;
  readonly center: Vec3;
  readonly size: Vec3;
  readonly confidence: number;
  readonly observations?: number;
  /** The true object whose centre is nearest. */
  readonly nearest?: { readonly id: string; readonly distanceM: number };
  /** The true object in whose box it lies: a piece of it, or a second one. */
  readonly pieceOf?: string;
}

/**
 * Live entities anywhere in the graph that are no true object, no true support or wall, and in no ignore box. Inside
 * the scored region each is a mistake; outside it the truth is not complete, and each is a candidate to look at.
 */
export function findUnexplained(
  truth: Truth,
  present: readonly PresentObject[],
  entities: readonly GraphEntity[],
  matching: Matching,
): UnexplainedEntity[] {
  const things = [...matching.spuriousInside, ...matching.spuriousOutside];
  const structures = liveEntities(entities)
    .filter(isStructure)
    .filter((entity) => !truth.supports.some((support) => isTrueStructure(support, entity)));
  return [
    ...things.map((entity) => describe(entity, 'thing', present)),
    ...structures.map((entity) => describe(entity, 'structure', present)),
  ];
}

function describe(
  { ref, label, box, confidence, observations }: GraphEntity,
  kind: UnexplainedEntity['kind'],
  present: readonly PresentObject[],
): UnexplainedEntity {
  const [nearest] = present
    .map(({ object, center }) => ({ id: object.id, distanceM: distance(center, box.center) }))
    .sort((a, b) => a.distanceM - b.distanceM);
  const owner = present.find(({ center, size }) => {
    const grown = size.map((extent) => extent + 2 * PIECE_MARGIN_M) as [number, number, number];
    return isInside(box.center, [{ center, size: grown }]);
  });
  return {
    ref,
    kind,
    label,
    center: box.center,
    size: box.size,
    confidence,
    ...(observations !== undefined && { observations }),
    ...(nearest !== undefined && { nearest }),
    ...(owner !== undefined && { pieceOf: owner.object.id }),
  };
}
