import { CellRaster } from './CellRaster.js';
import type { KnownLevel } from './horizontalPlanes.js';

/** A known outline as cells, which are asked for many points of the frame. */
export interface LevelOutline {
  readonly level: KnownLevel;
  readonly z: number;
  readonly raster: CellRaster;
}

const OUTLINE_CELL = 0.05;

export function outlineOf(level: KnownLevel): LevelOutline[] {
  if (level.hull === undefined) return [];
  const { minX, minY, maxX, maxY } = level;
  const raster = CellRaster.covering(
    Math.max(OUTLINE_CELL, Math.max(maxX - minX, maxY - minY) / 100),
    minX,
    minY,
    maxX,
    maxY,
  );
  raster.fill((x, y) => isWithinLevel(level, x, y));
  return [{ level, z: level.z, raster }];
}

/** Whether a point is inside the outline that is known of a level, or no farther than `margin` metres outside. */
export function isWithinLevel(
  { minX, maxX, minY, maxY, hull }: KnownLevel,
  x: number,
  y: number,
  margin = 0,
): boolean {
  if (x < minX - margin || x > maxX + margin || y < minY - margin || y > maxY + margin) return false;
  if (hull === undefined) return true;
  for (let k = 0, j = hull.length - 2; k < hull.length; j = k, k += 2) {
    const edgeX = hull[k] - hull[j];
    const edgeY = hull[k + 1] - hull[j + 1];
    const left = edgeX * (y - hull[j + 1]) - edgeY * (x - hull[j]);
    if (left < (margin === 0 ? 0 : -margin * Math.hypot(edgeX, edgeY))) return false;
  }
  return true;
}
