import { convexHull } from '../perceive/convexHull.js';
import { smallestRectangle } from '../perceive/fitBox.js';
import type { ObjectObservation } from '../perceive/observations.js';

/** Several pieces of one thing in one frame as one observation: what a depth picture parts, the graph knows to be whole. */
export function joinObservations(
  main: ObjectObservation,
  pieces: readonly ObjectObservation[],
): ObjectObservation {
  if (pieces.length === 0) return main;
  const all = [main, ...pieces];
  const hull = convexHull(all.flatMap((observation) => [...observation.hull]));
  const low = Math.min(...all.map(({ box }) => box.center[2] - box.size[2] / 2));
  const high = Math.max(...all.map(({ box }) => box.center[2] + box.size[2] / 2));
  const rectangle = smallestRectangle(hull);
  const pixelCount = all.reduce((sum, observation) => sum + observation.pixelCount, 0);
  return {
    ...main,
    box: {
      center: [rectangle.cx, rectangle.cy, (low + high) / 2],
      size: [rectangle.length, rectangle.width, Math.max(high - low, 1e-3)],
      yaw: rectangle.yaw,
    },
    hull,
    points: concatenated(all.map((observation) => observation.points)),
    pixelCount,
    truncated: all.some((observation) => observation.truncated),
    occludedShare:
      all.reduce((sum, observation) => sum + observation.occludedShare * observation.pixelCount, 0) /
      pixelCount,
    rect: {
      u0: Math.min(...all.map(({ rect }) => rect.u0)),
      v0: Math.min(...all.map(({ rect }) => rect.v0)),
      u1: Math.max(...all.map(({ rect }) => rect.u1)),
      v1: Math.max(...all.map(({ rect }) => rect.v1)),
    },
  };
}

function concatenated(parts: readonly Float32Array[]): Float32Array {
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
