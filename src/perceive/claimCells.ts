import type { CellRaster } from './CellRaster.js';
import { RUN_CELLS } from './CellRuns.js';
import type { CloudGrid } from './CloudGrid.js';
import type { HeightSurface } from './HeightSurface.js';
import type { LevelOutline } from './levelOutline.js';

/** A level plane and where it may reach beyond what is seen of it now. */
export interface LevelClaim {
  readonly plane: { readonly surface: HeightSurface; readonly extent: CellRaster; readonly z: number };
  readonly outlines: readonly LevelOutline[];
}

/** A level surface stays within this of its mean height, metres. */
const BAND_M = 0.08;
/** So far below a surface a reading may lie, metres and standard deviations; above it the inlier distance counts. */
const BELOW_M = 0.03;
const BELOW_SIGMAS = 5;
const ABOVE_SIGMAS = 3;

/**
 * Gives every free cell on a surface to the first plane that it lies on, also those without a good normal: within the
 * extent seen now by the fitted surface, within the outlines known from before by their height.
 * @param owner gets `firstId` + number of the plane
 * @returns the cells of each plane in picture order
 */
export function claimCells(
  grid: CloudGrid,
  owner: Int16Array,
  claims: readonly LevelClaim[],
  firstId: number,
  inlierM: number,
): Int32Array[] {
  const room = new Int32Array(owner.length);
  return claims.map((claim, k) => claimFor(grid, owner, claim, firstId + k, inlierM, room));
}

/** The height is compared first, which decides most; where in the plane a cell lies takes longer. */
function claimFor(
  grid: CloudGrid,
  owner: Int16Array,
  { plane: { surface, extent, z: middle }, outlines }: LevelClaim,
  id: number,
  inlierM: number,
  room: Int32Array,
): Int32Array {
  const { x, y, z, depth, sigma, runs } = grid;
  const { originX, originY } = surface;
  const [c0, c1, c2, c3, c4, c5] = surface.coefficients;
  const lowestOutline = outlines.reduce((low, outline) => Math.min(low, outline.z), Infinity);
  const highestOutline = outlines.reduce((high, outline) => Math.max(high, outline.z), -Infinity);
  let count = 0;
  for (let start = 0, run = 0; start < owner.length; start += RUN_CELLS, run++) {
    if (runs.minZ[run] - middle > BAND_M || runs.maxZ[run] - middle < -BAND_M) continue;
    const end = Math.min(start + RUN_CELLS, owner.length);
    for (let i = start; i < end; i++) {
      if (depth[i] === 0 || owner[i] !== 0) continue;
      const height = z[i];
      if (height - middle > BAND_M || height - middle < -BAND_M) continue;
      const noise = sigma[i];
      const a = x[i] - originX;
      const b = y[i] - originY;
      // HeightSurface.heightAt, with its numbers at hand.
      const above = height - (c0 + c1 * a + c2 * b + c3 * a * a + c4 * a * b + c5 * b * b);
      const isOnSurface = isLevelWith(above, inlierM, noise);
      const isNearOutline =
        isBelowLimit(height - highestOutline, 2 * inlierM, noise) &&
        isAboveLimit(height - lowestOutline, noise);
      if (!isOnSurface && !isNearOutline) continue;
      const isHere = extent.has(x[i], y[i])
        ? isOnSurface
        : isNearOutline && isOnOutline(outlines, x[i], y[i], height, 2 * inlierM, noise);
      if (!isHere) continue;
      owner[i] = id;
      room[count++] = i;
    }
  }
  return room.slice(0, count);
}

/** Whether a point is level with the first outline that holds it. */
function isOnOutline(
  outlines: readonly LevelOutline[],
  x: number,
  y: number,
  z: number,
  inlierM: number,
  sigma: number,
): boolean {
  for (const outline of outlines)
    if (outline.raster.has(x, y)) return isLevelWith(z - outline.z, inlierM, sigma);
  return false;
}

/** @param above height over the surface, metres */
function isLevelWith(above: number, inlierM: number, sigma: number): boolean {
  return isBelowLimit(above, inlierM, sigma) && isAboveLimit(above, sigma);
}

function isBelowLimit(above: number, inlierM: number, sigma: number): boolean {
  return above < inlierM || above < ABOVE_SIGMAS * sigma;
}

function isAboveLimit(above: number, sigma: number): boolean {
  return above > -BELOW_M || above > -BELOW_SIGMAS * sigma;
}
