import { isDistorted, projectPoint, type PinholeCamera } from '../camera/PinholeCamera.js';
import { rotationMatrix } from '../math/quaternion.js';
import { invertTransform } from '../math/rigidTransform.js';
import type { RigidTransform } from '../math/types.js';
import type { CloudGrid } from './CloudGrid.js';
import { depthSigma } from './depthNoise.js';
import type { Visibility } from './observations.js';

/**
 * Looks where known things were: is a surface there, is the view through it clear, or is something in front?
 * A hole says nothing (nothing was measured behind it), nor does what lies outside the picture.
 */

/** A thing to look for: where its surface was seen, xyz triples in the map, and its height in metres. */
export interface Probe {
  readonly key: string;
  readonly samples: Float32Array;
  readonly height: number;
}

/** Slack in depth: this share of the thing's height within limits, metres, and this many σ. */
const HEIGHT_SHARE = 0.3;
const MIN_MARGIN_M = 0.015;
const MAX_MARGIN_M = 0.1;
const MARGIN_SIGMAS = 2;
/** Cells at the picture's edge where readings are not to be trusted. */
const EDGE_CELLS = 2;
/** A pixel outside every picture. */
const NOWHERE = [-Infinity, -Infinity] as const;

/** What the frame says of each probe that it shows at all. */
export function probeVisibility(
  grid: CloudGrid,
  camera: PinholeCamera,
  map_T_depth: RigidTransform,
  probes: readonly Probe[],
): Map<string, Visibility> {
  const depth_T_map = invertTransform(map_T_depth);
  const r = rotationMatrix(depth_T_map.rotation);
  const [tx, ty, tz] = depth_T_map.translation;
  const seen = new Map<string, Visibility>();
  const middle = (grid.stride - 1) / 2;
  const isDistorting = isDistorted(camera);
  const readings = new Float32Array(9);
  let pixelU = 0;
  let pixelV = 0;
  for (const { key, samples, height } of probes) {
    const margin = Math.min(MAX_MARGIN_M, Math.max(MIN_MARGIN_M, HEIGHT_SHARE * height));
    const counts = { samples: samples.length / 3, present: 0, clear: 0, occluded: 0 };
    for (let k = 0; k < samples.length; k += 3) {
      const x = samples[k];
      const y = samples[k + 1];
      const z = samples[k + 2];
      const predicted = r[6] * x + r[7] * y + r[8] * z + tz;
      if (predicted < 0.1) continue;
      const across = r[0] * x + r[1] * y + r[2] * z + tx;
      const down = r[3] * x + r[4] * y + r[5] * z + ty;
      if (isDistorting) [pixelU, pixelV] = projectPoint(camera, [across, down, predicted]) ?? NOWHERE;
      else {
        pixelU = camera.fx * (across / predicted) + camera.cx;
        pixelV = camera.fy * (down / predicted) + camera.cy;
      }
      const u = Math.round((pixelU - middle) / grid.stride);
      const v = Math.round((pixelV - middle) / grid.stride);
      const measured = measuredAt(grid, u, v, readings);
      if (measured === 0) continue;
      const slack = margin + MARGIN_SIGMAS * depthSigma(predicted);
      if (measured < predicted - slack) counts.occluded++;
      else if (measured > predicted + slack) counts.clear++;
      else counts.present++;
    }
    if (counts.present + counts.clear + counts.occluded > 0) seen.set(key, counts);
  }
  return seen;
}

/**
 * Median of the 3×3 readings around a cell; 0 when most are missing or the cell is at or beyond the edge.
 * @param readings room for nine
 */
function measuredAt(grid: CloudGrid, u: number, v: number, readings: Float32Array): number {
  const { width, height, depth } = grid;
  if (!(u >= EDGE_CELLS && v >= EDGE_CELLS && u < width - EDGE_CELLS && v < height - EDGE_CELLS)) return 0;
  let count = 0;
  for (let row = v - 1; row <= v + 1; row++) {
    for (let i = row * width + u - 1; i <= row * width + u + 1; i++) {
      if (depth[i] === 0) continue;
      // Into its place among those before it.
      let k = count++;
      for (; k > 0 && readings[k - 1] > depth[i]; k--) readings[k] = readings[k - 1];
      readings[k] = depth[i];
    }
  }
  return count < 5 ? 0 : readings[count >> 1];
}
