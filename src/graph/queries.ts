/** Answers read from one snapshot. They change nothing; hysteresis and measuring happen in the reducer. */
import { boxGap } from '../math/box.js';
import type { Vec3 } from '../math/types.js';
import {
  compareRefs,
  quoteInput,
  refuse,
  RELATION_KINDS,
  ROBOT_REF,
  type ObjectAnswer,
  type ObjectDetail,
  type Relation,
  type RelationKind,
  type RelationsAnswer,
} from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';
import { acceptRef } from './acceptRef.js';
import { edgesOf } from './EdgeTable.js';
import { confidenceOf } from './confidenceOf.js';
import { freshnessOf, freshnessOfMoment } from './freshnessOf.js';
import type { Entity, GraphState } from './types.js';

/**
 * Edges of a ref, outgoing and (with `inverse`) arriving; `near` once, nearest first. `relation` '' means
 * all four. Refs a consumer cannot know yet are left out.
 */
export function getObjectRelations(
  state: GraphState,
  latestRefs: ReadonlySet<string>,
  refInput: string,
  relationInput = '',
): RelationsAnswer {
  const relation = relationInput.trim();
  if (relation !== '' && !isRelationKind(relation)) {
    return refuse(
      'invalid_tool_arguments',
      `${quoteInput(relation)} is not one of ${RELATION_KINDS.join(', ')}.`,
    );
  }
  const accepted = acceptRef(state, latestRefs, refInput, { allowRobot: true });
  if (!accepted.ok) {
    return accepted.refusal;
  }
  const relations = relationsOf(state, accepted.ref)
    .filter((edge) => relation === '' || edge.relation === relation)
    .filter((edge) => edge.otherRef === ROBOT_REF || latestRefs.has(edge.otherRef))
    .sort(compareRelations);
  return { success: true, objectRef: accepted.ref, relations };
}

/** Everything known of one entity. */
export function getObject(
  state: GraphState,
  latestRefs: ReadonlySet<string>,
  refInput: string,
): ObjectAnswer {
  const accepted = acceptRef(state, latestRefs, refInput);
  if (!accepted.ok) {
    return accepted.refusal;
  }
  const entity = state.entities.get(accepted.ref);
  return entity === undefined
    ? refuse('scene_graph_ref_not_found', `${quoteInput(refInput)} is not in the latest Brief.`)
    : { success: true, object: detailOf(entity, state) };
}

/** An entity's whole record, whoever asks. */
export function detailOf(entity: Entity, state: GraphState): ObjectDetail {
  const support = edgesOf(state, entity.ref).find(
    ({ ref, relation }) => ref === entity.ref && relation === 'on',
  )?.otherRef;
  const aliases = [...state.aliases.filter((survivor) => survivor === entity.ref).keys()].sort(compareRefs);
  return {
    ref: entity.ref,
    label: entity.label,
    labelShare: entity.labelShare,
    box: entity.box,
    positionSigmaM: entity.positionSigmaM,
    confidence: confidenceOf(entity),
    freshness: freshnessOf(entity, state),
    fieldFreshness: fieldFreshness(entity, state),
    firstSeen: isoFromStamp(entity.firstSeen.stamp),
    lastSeen: isoFromStamp(entity.lastSeen.stamp),
    observations: entity.observations,
    ...(support === undefined ? {} : { support }),
    ...(entity.containerState === '' ? {} : { containerState: entity.containerState }),
    ...(entity.contents.length === 0 ? {} : { contents: [...entity.contents].sort(compareRefs) }),
    ...(aliases.length === 0 ? {} : { aliases }),
  };
}

/** Position and label come from looking; container state and contents may be as new as an execution. */
function fieldFreshness(entity: Entity, state: GraphState): ObjectDetail['fieldFreshness'] {
  const told = entity.setByExecutionAt;
  const seen = freshnessOfMoment(entity.lastSeen, state);
  const container = told === undefined ? seen : freshnessOfMoment(told, state);
  return {
    position: freshnessOf(entity, state),
    ...(entity.labelVotes.isEmpty() ? {} : { label: seen }),
    ...(entity.containerState === '' ? {} : { containerState: container }),
    ...(entity.contents.length === 0 ? {} : { contents: container }),
  };
}

function relationsOf(state: GraphState, ref: string): Relation[] {
  if (ref === ROBOT_REF) {
    return state.robot.holding.map((held) => holdingRelation(state, held.ref, held.ref, false)).toArray();
  }
  const held = state.robot.holding.some((holding) => holding.ref === ref);
  const relations = held ? [holdingRelation(state, ref, ROBOT_REF, true)] : [];
  for (const edge of edgesOf(state, ref)) {
    if (edge.ref === ref) {
      relations.push(withDistance(state, ref, edge.otherRef, edge.relation, false));
    } else if (edge.otherRef === ref) {
      relations.push(withDistance(state, ref, edge.ref, edge.relation, edge.relation !== 'near'));
    }
  }
  return relations;
}

function holdingRelation(state: GraphState, heldRef: string, otherRef: string, inverse: boolean): Relation {
  const robot = state.robot.map_T_base?.translation;
  const held = state.entities.get(heldRef)?.box.center;
  return makeRelation('holding', otherRef, robot && held && distance(robot, held), inverse);
}

/** Measured on the boxes as they are now, so that it holds for what moved since the edge was made. */
function withDistance(
  state: GraphState,
  ref: string,
  otherRef: string,
  relation: RelationKind,
  inverse: boolean,
): Relation {
  const a = state.entities.get(ref)?.box;
  const b = state.entities.get(otherRef)?.box;
  const gap = a && b && (relation === 'near' ? boxGap(a, b) : distance(a.center, b.center));
  return makeRelation(relation, otherRef, gap, inverse);
}

function makeRelation(
  relation: RelationKind,
  otherRef: string,
  distanceM: number | undefined,
  inverse: boolean,
): Relation {
  return {
    relation,
    otherRef,
    ...(distanceM === undefined ? {} : { distanceM }),
    ...(inverse ? { inverse } : {}),
  };
}

function compareRelations(a: Relation, b: Relation): number {
  const byKind = RELATION_KINDS.indexOf(a.relation) - RELATION_KINDS.indexOf(b.relation);
  const byDirection = Number(a.inverse ?? false) - Number(b.inverse ?? false);
  const byDistance = a.relation === 'near' ? (a.distanceM ?? Infinity) - (b.distanceM ?? Infinity) : 0;
  return byKind || byDirection || byDistance || compareRefs(a.otherRef, b.otherRef);
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function isRelationKind(word: string): word is RelationKind {
  return (RELATION_KINDS as readonly string[]).includes(word);
}
