import type { GraphEntity, ReplayResult } from '../../src/evaluate/replayResult.js';
import type { Truth, TruthObject } from '../../src/evaluate/truth.js';
import type { Vec3 } from '../../src/math/types.js';

/** A moment at which everything of these truths is there. */
export const END_S = 1_700_000_010;

/** A cube of 10 cm with a tolerance of 8 cm that stands still for the whole recording. */
export function makeObject(id: string, center: Vec3, changes: Partial<TruthObject> = {}): TruthObject {
  const size = changes.size ?? [0.1, 0.1, 0.1];
  return {
    id,
    label: id,
    heightM: 0.1,
    positionToleranceM: 0.08,
    coarse: false,
    thin: false,
    intervals: [{ from: END_S - 10, to: END_S, center, size }],
    ...changes,
    center,
    size,
  };
}

/** One table top from (−1, −1) to (1, 1) at 0.7 m is the scored region, up to 1.2 m. */
export function makeTruth(objects: readonly TruthObject[], changes: Partial<Truth> = {}): Truth {
  return {
    schema: 1,
    recording: 'made_up.mcap',
    frame: 'map',
    scoredRegion: [{ center: [0, 0, 0.95], size: [2, 2, 0.5] }],
    ignore: [],
    supports: [{ id: 'table', kind: 'table', z: 0.7, center: [0, 0, 0.7], size: [2, 2, 0.02] }],
    objects,
    relations: objects.map(({ id }) => ({
      subject: id,
      relation: 'on',
      object: 'table',
      from: END_S - 10,
      to: END_S,
    })),
    changes: [],
    ...changes,
  };
}

export function makeEntity(ref: string, center: Vec3, changes: Partial<GraphEntity> = {}): GraphEntity {
  return {
    ref,
    kind: 'object',
    label: 'object',
    box: { center, size: [0.1, 0.1, 0.1], yaw: 0 },
    confidence: 0.9,
    freshness: 'current',
    ...changes,
  };
}

export const TABLE_TOP = makeEntity('support_1', [0, 0, 0.69], {
  kind: 'support',
  box: { center: [0, 0, 0.69], size: [2, 2, 0.02], yaw: 0 },
});

export function makeResult(
  entities: readonly GraphEntity[],
  relations: readonly { ref: string; relation: string; otherRef: string }[] = [],
  history: ReplayResult['history'] = [],
): ReplayResult {
  return { graph: { entities, relations }, endS: END_S, history };
}
