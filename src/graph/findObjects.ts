/** Looks through the entities of the latest Brief; every part of the filter narrows. */
import { boxGap } from '../math/box.js';
import type { Box } from '../math/types.js';
import {
  ROBOT_REF,
  checkRecord,
  compareRefs,
  findFilterSchema,
  parseRef,
  quoteInput,
  refuse,
  type FindAnswer,
  type FindFilter,
} from '../protocol/index.js';
import { acceptRef } from './acceptRef.js';
import { freshnessOf } from './freshnessOf.js';
import { projectObject } from './projectBrief.js';
import { relationKey } from './relationKey.js';
import { labelsFoundBy, normalizeLabel } from './synonyms.js';
import type { Entity, GraphState } from './types.js';

interface Found {
  readonly entity: Entity;
  /** Metres from the place asked about; 0 when none was. */
  readonly distanceM: number;
}

/** Ordered by distance when a place is named (unless `orderBy` says ref), else by ref. */
export function findObjects(
  state: GraphState,
  latestRefs: ReadonlySet<string>,
  filter: FindFilter,
): FindAnswer {
  const checked = checkRecord(findFilterSchema, filter);
  if (!checked.ok) {
    return refuse('invalid_tool_arguments', `${quoteInput(checked.path)}: ${checked.reason}`);
  }
  const asked = checked.value;
  const place = placeOf(state, latestRefs, asked);
  const related = asked.relatedRef === undefined ? undefined : acceptRef(state, latestRefs, asked.relatedRef);
  if (place !== undefined && 'success' in place) {
    return place;
  }
  if (related?.ok === false) {
    return related.refusal;
  }
  const labels = asked.label === undefined ? undefined : labelsFoundBy(asked.label);
  const matches = ({ entity, distanceM }: Found): boolean =>
    (labels === undefined ||
      labels.has(normalizeLabel(entity.label || (parseRef(entity.ref)?.stem ?? '')))) &&
    (asked.freshness === undefined || freshnessOf(entity, state) === asked.freshness) &&
    (asked.withinM === undefined || distanceM <= asked.withinM) &&
    (place?.ref === undefined || entity.ref !== place.ref) &&
    (related === undefined ||
      asked.relation === undefined ||
      state.relations.has(relationKey(entity.ref, asked.relation, related.ref)));
  const found = [...state.entities.values()]
    .filter(({ ref }) => latestRefs.has(ref))
    .map((entity): Found => ({ entity, distanceM: place === undefined ? 0 : boxGap(entity.box, place.box) }))
    .filter(matches);
  const byDistance = place !== undefined && asked.orderBy !== 'ref';
  found.sort(
    (a, b) => (byDistance ? a.distanceM - b.distanceM : 0) || compareRefs(a.entity.ref, b.entity.ref),
  );
  return {
    success: true,
    objects: found.slice(0, asked.limit).map(({ entity }) => projectObject(entity, state)),
  };
}

type Place = { readonly ref?: string; readonly box: Box };

/** The box to measure from: an entity's, or a point's (of no size). */
function placeOf(
  state: GraphState,
  latestRefs: ReadonlySet<string>,
  { nearRef, nearPoint }: Pick<FindFilter, 'nearRef' | 'nearPoint'>,
): Place | (FindAnswer & { readonly success: false }) | undefined {
  if (nearPoint !== undefined) {
    const [x = 0, y = 0, z = 0] = nearPoint;
    return { box: { center: [x, y, z], size: [0, 0, 0], yaw: 0 } };
  }
  if (nearRef === undefined) {
    return undefined;
  }
  const accepted = acceptRef(state, latestRefs, nearRef, { allowRobot: true });
  if (!accepted.ok) {
    return accepted.refusal;
  }
  if (accepted.ref === ROBOT_REF) {
    const base = state.robot.map_T_base;
    return base === undefined
      ? refuse('scene_graph_ref_not_found', "The robot's pose is not known.")
      : { box: { center: base.translation, size: [0, 0, 0], yaw: 0 } };
  }
  const entity = state.entities.get(accepted.ref);
  return entity === undefined ? undefined : { ref: entity.ref, box: entity.box };
}
