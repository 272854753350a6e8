import { boxTop } from '../math/box.js';
import { solveAssignment } from '../math/solveAssignment.js';
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

/**
 * One-to-one: a structure entity that lies over or under a true support and is off by at most its limit. Two true
 * planes that the graph holds for one are one found and one not. What is not found shows the nearest candidate.
 */
export function scoreSupports(truth: Truth, entities: readonly GraphEntity[]): SupportScore[] {
  const structures = liveEntities(entities).filter(isStructure);
  const offsets = truth.supports.map((support) => structures.map((entity) => supportOffset(support, entity)));
  const costs = truth.supports.map(({ kind }, row) =>
    structures.map((_, column) => {
      const off = Math.abs(offsets[row]?.[column] ?? Infinity);
      return off <= (kind === 'wall' ? WALL_TOLERANCE_M : HEIGHT_TOLERANCE_M) ? off : Infinity;
    }),
  );
  return solveAssignment(costs).map((column, row) => {
    const { id, kind } = truth.supports[row];
    const shown = column ?? smallest(offsets[row] ?? []);
    const ref = shown === undefined ? undefined : structures[shown].ref;
    const offM = shown === undefined ? undefined : offsets[row]?.[shown];
    return {
      id,
      kind,
      found: column !== undefined,
      ...(ref !== undefined && offM !== undefined && { ref, offM }),
    };
  });
}

/** Index of the offset nearest to zero. */
function smallest(offsets: readonly (number | undefined)[]): number | undefined {
  return offsets
    .flatMap((off, index) => (off === undefined ? [] : [{ index, size: Math.abs(off) }]))
    .sort((a, b) => a.size - b.size)[0]?.index;
}

/** Is this entity that support: structure (or any entity with that top), at its height and place? */
export function isSupport(support: TruthSupport, entity: GraphEntity): boolean {
  const offM = supportOffset(support, entity);
  return offM !== undefined && Math.abs(offM) <= HEIGHT_TOLERANCE_M;
}

/** The same for walls too, each within its own limit. */
export function isTrueStructure(support: TruthSupport, entity: GraphEntity): boolean {
  const off = Math.abs(supportOffset(support, entity) ?? Infinity);
  return off <= (support.kind === 'wall' ? WALL_TOLERANCE_M : HEIGHT_TOLERANCE_M);
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
