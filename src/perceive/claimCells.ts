import type { CellRaster } from './CellRaster.js';
import type { CloudGrid } from './CloudGrid.js';
import { setSurface, type HeightSurface } from './HeightSurface.js';
import type { Kernels } from './kernels/Kernels.js';
import type { LevelOutline } from './levelOutline.js';

/** A level plane and where it may reach beyond what is seen of it now. */
export interface LevelClaim {
  readonly plane: { readonly surface: HeightSurface; readonly extent: CellRaster; readonly z: number };
  readonly outlines: readonly LevelOutline[];
}

/**
 * Gives every free cell on a surface to the first plane that it lies on, also those without a good normal: within the
 * extent seen now by the fitted surface, within the outlines known from before by their height.
 * @returns the cells of each plane, which `owner` has as `firstId` + number of the plane, in picture order
 */
export function claimCells(
  grid: CloudGrid,
  claims: readonly LevelClaim[],
  firstId: number,
  inlierM: number,
): Int32Array[] {
  return claims.map((claim, k) => claimFor(grid, claim, firstId + k, inlierM));
}

function claimFor(
  { kernels, lists }: CloudGrid,
  { plane: { surface, extent, z: middle }, outlines }: LevelClaim,
  id: number,
  inlierM: number,
): Int32Array {
  kernels.beginRasters(1 + outlines.length);
  addRaster(kernels, 0, extent, middle);
  outlines.forEach(({ raster, z }, k) => addRaster(kernels, k + 1, raster, z));
  setSurface(kernels, surface);
  return lists.found.slice(0, kernels.claimLevel(id, middle, inlierM, outlines.length));
}

function addRaster(kernels: Kernels, k: number, raster: CellRaster, z: number): void {
  const { cellSize, minA, minB, columns, rows, occupied } = raster;
  const place = kernels.addRaster(k, cellSize, minA, minB, z, columns, rows);
  new Uint8Array(kernels.memory.buffer, place, occupied.length).set(occupied);
}
