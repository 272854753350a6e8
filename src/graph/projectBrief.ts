/** The Brief of one state: every entity by its fields, none pruned; no relations, images or paths. */
import { yawOf } from '../math/quaternion.js';
import {
  BRIEF_PROVENANCE,
  compareRefs,
  parseRef,
  type Brief,
  type Freshness,
  type ObjectBrief,
  type Perception,
  type RobotBrief,
} from '../protocol/index.js';
import { isoFromStamp } from '../time/Stamp.js';
import { confidenceOf } from './confidenceOf.js';
import { freshnessAt, freshnessOf } from './freshnessOf.js';
import type { Entity, GraphState } from './types.js';

export interface BriefConditions {
  readonly perception: Perception;
  /** No usable frame for too long, nothing known, or restored and not yet fed. */
  readonly stale: boolean;
}

export function projectBrief(state: GraphState, conditions: BriefConditions): Brief {
  return new BriefProjector().project(state, conditions);
}

/**
 * Briefs of one graph, one after the other. Most things are as they were in the last one: what was said of them then is
 * said again without working it out.
 */
export class BriefProjector {
  /** What was said of each entity, in the contract's order, and at which place of it. */
  #said: Said[] = [];
  readonly #places = new Map<string, number>();

  project(state: GraphState, { perception, stale }: BriefConditions): Brief {
    return {
      objects: this.#objects(state),
      robot: projectRobot(state),
      freshness: stale ? 'stale' : 'current',
      provenance: BRIEF_PROVENANCE,
      coordinateFrame: state.mapFrame,
      ...(state.graphTime === undefined ? {} : { updatedAt: isoFromStamp(state.graphTime) }),
      revision: state.revision,
      perception,
    };
  }

  #objects(state: GraphState): ObjectBrief[] {
    if (!this.#takeEntities(state)) this.#reorder(state);
    const freshness = freshnessAt(state);
    return this.#said.map((said) => objectOf(said, freshness(said.entity)));
  }

  /** @returns false when there are other refs than before */
  #takeEntities({ entities }: GraphState): boolean {
    if (entities.size !== this.#said.length) return false;
    for (const entity of entities.values()) {
      const place = this.#places.get(entity.ref);
      if (place === undefined) return false;
      const said = this.#said[place];
      if (said.entity !== entity) this.#said[place] = { entity, stem: said.stem };
    }
    return true;
  }

  #reorder(state: GraphState): void {
    const known = new Map(this.#said.map((said) => [said.entity, said]));
    this.#said = inRefOrder(state).map((said) => known.get(said.entity) ?? said);
    this.#places.clear();
    for (const [place, { entity }] of this.#said.entries()) this.#places.set(entity.ref, place);
  }
}

/** An entity, and what was said of it last. */
interface Said {
  readonly entity: Entity;
  readonly stem: string | undefined;
  object?: ObjectBrief;
}

function objectOf(said: Said, freshness: Freshness): ObjectBrief {
  if (said.object?.freshness !== freshness) said.object = projectNamed(said.entity, freshness, said.stem);
  return said.object;
}

/** All entities in the contract's order. Each ref is taken apart once, not at every comparison. */
function inRefOrder(state: GraphState): Said[] {
  const refs = [...state.entities.values()].map((entity) => ({ entity, parts: parseRef(entity.ref) }));
  refs.sort(({ entity: a, parts: left }, { entity: b, parts: right }) =>
    left !== undefined && left.stem === right?.stem && left.n !== right.n
      ? left.n - right.n
      : compareRefs(a.ref, b.ref),
  );
  return refs.map(({ entity, parts }) => ({ entity, stem: parts?.stem }));
}

/** One entity's fields; what is empty is left out. */
export function projectObject(entity: Entity, state: GraphState): ObjectBrief {
  return projectNamed(entity, freshnessOf(entity, state), parseRef(entity.ref)?.stem);
}

function projectNamed(entity: Entity, freshness: Freshness, stem: string | undefined): ObjectBrief {
  return {
    ref: entity.ref,
    coarsePosition: [...entity.box.center],
    confidence: confidenceOf(entity),
    freshness,
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
