import { boxTop } from '../math/box.js';
import { hullSize } from './matchObjects.js';
import { isStructure } from './replayResult.js';
import type { GraphEntity } from './replayResult.js';
import { liveEntities } from './scoreDetection.js';
import type { Truth, TruthSupport } from './truth.js';

/** How far a support's height, or a wall's distance, may be off. */
const HEIGHT_TOLERANCE_M = 0.04;
const WALL_TOLERANCE_M = 0.1;

export interface SupportScore {
  readonly id: string;
  readonly kind: string;
  readonly found: boolean;
  readonly ref?: string;
  /** Estimated minus true height; for a wall the centre's signed distance from the true plane. */
  readonly offM?: number;
}

/** For each true support the structure entity that is nearest in height and lies over or under it. */
export function scoreSupports(truth: Truth, entities: readonly GraphEntity[]): SupportScore[] {
  const structures = liveEntities(entities).filter(isStructure);
  return truth.supports.map((support) => {
    const candidates = structures
      .flatMap((entity) => {
        const offM = supportOffset(support, entity);
        return offM === undefined ? [] : [{ ref: entity.ref, offM }];
      })
      .sort((a, b) => Math.abs(a.offM) - Math.abs(b.offM));
    const best = candidates[0];
    const limit = support.kind === 'wall' ? WALL_TOLERANCE_M : HEIGHT_TOLERANCE_M;
    const found = best !== undefined && Math.abs(best.offM) <= limit;
    return { id: support.id, kind: support.kind, found, ...best };
  });
}

/** Is this entity that support: structure (or any entity with that top), at its height and place? */
export function isSupport(support: TruthSupport, entity: GraphEntity): boolean {
  const offM = supportOffset(support, entity);
  return offM !== undefined && Math.abs(offM) <= HEIGHT_TOLERANCE_M;
}

/** Undefined: another kind of plane, or another place. */
function supportOffset(support: TruthSupport, entity: GraphEntity): number | undefined {
  const isWall = entity.kind === 'wall' || (entity.kind === undefined && entity.ref.startsWith('wall_'));
  if (isWall !== (support.kind === 'wall')) return undefined;
  const [x, y, z] = entity.box.center;
  if (support.plane !== undefined && isWall) {
    const [nx, ny, nz, d] = support.plane;
    return nx * x + ny * y + nz * z + d;
  }
  if (support.z === undefined || !overlapsOnGround(support, entity)) return undefined;
  return boxTop(entity.box) - support.z;
}

function overlapsOnGround({ center, size }: TruthSupport, { box }: GraphEntity): boolean {
  if (center === undefined || size === undefined) return true;
  const hull = hullSize(box);
  return ([0, 1] as const).every(
    (axis) => Math.abs(center[axis] - box.center[axis]) <= (size[axis] + hull[axis]) / 2,
  );
}
