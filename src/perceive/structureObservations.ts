import type { CloudGrid } from './CloudGrid.js';
import { convexHull } from './convexHull.js';
import { smallestRectangle } from './fitBox.js';
import type { LevelPlane } from './horizontalPlanes.js';
import type { StructureObservation } from './observations.js';
import { rectOf } from './rectOf.js';
import { alongWall, type UprightPlane } from './uprightPlanes.js';

/** Thickness given to a plane's box, metres: planes are surfaces, boxes need a height. */
const PLANE_THICKNESS = 0.02;
const TRIM = 0.01;
/** Points that outline and extent are taken from. */
const SAMPLES = 600;

/** A level plane as an observation: box around its outline, top face at its height. */
export function levelObservation(
  grid: CloudGrid,
  plane: LevelPlane,
  kind: 'floor' | 'support',
): StructureObservation {
  const xy: number[] = [];
  const step = Math.max(1, Math.floor(plane.indices.length / SAMPLES));
  for (let k = 0; k < plane.indices.length; k += step)
    xy.push(grid.x[plane.indices[k]], grid.y[plane.indices[k]]);
  const hull = convexHull(xy);
  const rectangle = smallestRectangle(hull);
  return {
    kind,
    box: {
      center: [rectangle.cx, rectangle.cy, plane.z - PLANE_THICKNESS / 2],
      size: [rectangle.length, rectangle.width, PLANE_THICKNESS],
      yaw: rectangle.yaw,
    },
    hull,
    normal: [0, 0, 1],
    d: -plane.z,
    areaM2: plane.area,
    rect: rectOf(grid, plane.indices),
    pixelCount: plane.indices.length * grid.stride * grid.stride,
  };
}

/** An upright plane as an observation: a thin box along the wall. */
export function uprightObservation(grid: CloudGrid, plane: UprightPlane): StructureObservation {
  const along: number[] = [];
  const heights: number[] = [];
  const step = Math.max(1, Math.floor(plane.indices.length / SAMPLES));
  for (let k = 0; k < plane.indices.length; k += step) {
    const i = plane.indices[k];
    along.push(alongWall(plane.normalX, plane.normalY, grid.x[i], grid.y[i]));
    heights.push(grid.z[i]);
  }
  const [a0, a1] = trimmedRange(along);
  const [z0, z1] = trimmedRange(heights);
  const middle = (a0 + a1) / 2;
  const cx = -plane.d * plane.normalX - plane.normalY * middle;
  const cy = -plane.d * plane.normalY + plane.normalX * middle;
  const ends = [a0, a1].flatMap((a) => [
    -plane.d * plane.normalX - plane.normalY * a,
    -plane.d * plane.normalY + plane.normalX * a,
  ]);
  return {
    kind: 'wall',
    box: {
      center: [cx, cy, (z0 + z1) / 2],
      size: [Math.max(a1 - a0, 1e-3), PLANE_THICKNESS, Math.max(z1 - z0, 1e-3)],
      yaw: Math.atan2(plane.normalX, -plane.normalY),
    },
    hull: ends,
    normal: [plane.normalX, plane.normalY, 0],
    d: plane.d,
    areaM2: plane.area,
    rect: rectOf(grid, plane.indices),
    pixelCount: plane.indices.length * grid.stride * grid.stride,
  };
}

function trimmedRange(values: readonly number[]): [number, number] {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length - 1;
  return [sorted[Math.floor(TRIM * n)], sorted[Math.ceil((1 - TRIM) * n)]];
}
