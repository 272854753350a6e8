/** The Brief of one state: every entity by its fields, none pruned; no relations, images or paths. */
import { yawOf } from '../math/quaternion.js';
import {
  BRIEF_PROVENANCE,
  compareRefs,
  parseRef,
  type Brief,
  type ObjectBrief,
  type Perception,
  type RefParts,
  type RobotBrief,
} from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';
import { confidenceOf } from './confidenceOf.js';
import { freshnessOf } from './freshnessOf.js';
import type { Entity, GraphState } from './types.js';

export interface BriefConditions {
  readonly perception: Perception;
  /** No usable frame for too long, nothing known, or restored and not yet fed. */
  readonly stale: boolean;
}

export function projectBrief(state: GraphState, { perception, stale }: BriefConditions): Brief {
  return {
    objects: inRefOrder(state).map(({ entity, parts }) => projectNamed(entity, state, parts?.stem)),
    robot: projectRobot(state),
    freshness: stale ? 'stale' : 'current',
    provenance: BRIEF_PROVENANCE,
    coordinateFrame: state.mapFrame,
    ...(state.graphTime === undefined ? {} : { updatedAt: isoFromStamp(state.graphTime) }),
    revision: state.revision,
    perception,
  };
}

/** All entities in the contract's order. Each ref is taken apart once, not at every comparison. */
function inRefOrder(state: GraphState): NamedEntity[] {
  const refs = [...state.entities.values()].map((entity) => ({ entity, parts: parseRef(entity.ref) }));
  refs.sort(({ entity: a, parts: left }, { entity: b, parts: right }) =>
    left !== undefined && left.stem === right?.stem && left.n !== right.n
      ? left.n - right.n
      : compareRefs(a.ref, b.ref),
  );
  return refs;
}

interface NamedEntity {
  readonly entity: Entity;
  readonly parts: RefParts | undefined;
}

/** One entity's fields; what is empty is left out. */
export function projectObject(entity: Entity, state: GraphState): ObjectBrief {
  return projectNamed(entity, state, parseRef(entity.ref)?.stem);
}

function projectNamed(entity: Entity, state: GraphState, stem: string | undefined): ObjectBrief {
  return {
    ref: entity.ref,
    coarsePosition: [...entity.box.center],
    confidence: confidenceOf(entity),
    freshness: freshnessOf(entity, state),
    ...(entity.label === '' || entity.label === stem ? {} : { label: entity.label }),
    lastSeen: isoFromStamp(entity.lastSeen.stamp),
    ...(entity.containerState === '' ? {} : { containerState: entity.containerState }),
    ...(entity.contents.length === 0 ? {} : { contents: [...entity.contents].sort(compareRefs) }),
  };
}

function projectRobot({ robot }: GraphState): RobotBrief {
  const base = robot.map_T_base;
  const holding = robot.holding.map(({ ref }) => ref).toArray();
  return {
    ...(base === undefined ? {} : { pose: [...base.translation, yawOf(base.rotation)] }),
    ...(holding.length === 0 ? {} : { holding }),
  };
}
