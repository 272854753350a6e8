/** The Brief of one state: every entity by its fields, none pruned; no relations, images or paths. */
import { yawOf } from '../math/quaternion.js';
import {
  BRIEF_PROVENANCE,
  compareRefs,
  parseRef,
  type Brief,
  type ObjectBrief,
  type Perception,
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
  const entities = [...state.entities.values()].sort((a, b) => compareRefs(a.ref, b.ref));
  return {
    objects: entities.map((entity) => projectObject(entity, state)),
    robot: projectRobot(state),
    freshness: stale ? 'stale' : 'current',
    provenance: BRIEF_PROVENANCE,
    coordinateFrame: state.mapFrame,
    ...(state.graphTime === undefined ? {} : { updatedAt: isoFromStamp(state.graphTime) }),
    revision: state.revision,
    perception,
  };
}

/** One entity's fields; what is empty is left out. */
export function projectObject(entity: Entity, state: GraphState): ObjectBrief {
  return {
    ref: entity.ref,
    coarsePosition: [...entity.box.center],
    confidence: confidenceOf(entity),
    freshness: freshnessOf(entity, state),
    ...(entity.label === '' || entity.label === parseRef(entity.ref)?.stem ? {} : { label: entity.label }),
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
