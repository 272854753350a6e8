import type { Box } from '../math/types.js';
import { rectangleAt } from '../perceive/fitBox.js';
import type { SeenShape } from './types.js';

/**
 * One box from the shapes of many frames: each face where the frames agree (a weighted quantile), not their union, since
 * flying pixels and neighbours swell single frames. Partial shapes only count while nothing better is known, and then
 * by their union. The yaw is the one that makes the smallest rectangle.
 */

/** Shapes kept per thing. */
export const SHAPES_KEPT = 24;
const YAW_STEPS = 18;
/** Faces lie where this share of the frames (by weight) reaches out to. */
const FACE_QUANTILE = 0.35;

export function boxFromShapes(shapes: readonly SeenShape[]): Box {
  const whole = shapes.filter((shape) => !shape.partial);
  const used = whole.length > 0 ? whole : shapes;
  const quantile = whole.length > 0 ? FACE_QUANTILE : 0;
  const weights = used.map((shape) => shape.weight);
  const zMin = lowQuantile(
    used.map((shape) => shape.zMin),
    weights,
    quantile,
  );
  const zMax = -lowQuantile(
    used.map((shape) => -shape.zMax),
    weights,
    quantile,
  );
  let best: Box | undefined;
  for (let step = 0; step < YAW_STEPS; step++) {
    const box = boxAtYaw(used, weights, quantile, step, zMin, zMax);
    if (best === undefined || box.size[0] * box.size[1] < best.size[0] * best.size[1] - 1e-9) best = box;
  }
  if (best === undefined) throw new Error('boxFromShapes needs at least one shape');
  return best;
}

function boxAtYaw(
  shapes: readonly SeenShape[],
  weights: readonly number[],
  quantile: number,
  step: number,
  zMin: number,
  zMax: number,
): Box {
  const yaw = yawOfStep(step);
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const faces: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const shape of shapes) {
    const at = facesOf(shape);
    for (let face = 0; face < 4; face++) faces[face].push(at[4 * step + face]);
  }
  const a0 = lowQuantile(faces[0], weights, quantile);
  const a1 = -lowQuantile(faces[1], weights, quantile);
  const b0 = lowQuantile(faces[2], weights, quantile);
  const b1 = -lowQuantile(faces[3], weights, quantile);
  const a = (a0 + a1) / 2;
  const b = (b0 + b1) / 2;
  return {
    center: [a * c - b * s, a * s + b * c, (zMin + zMax) / 2],
    size: [Math.max(a1 - a0, 1e-3), Math.max(b1 - b0, 1e-3), Math.max(zMax - zMin, 1e-3)],
    yaw,
  };
}

function yawOfStep(step: number): number {
  return (step / YAW_STEPS) * (Math.PI / 2);
}

/** Faces per shape, kept as long as the shape: it is looked at with every later shape of its thing. */
const facesByShape = new WeakMap<SeenShape, Float64Array>();

/** For each yaw the four faces of a shape's rectangle, each as the low end along its own direction. */
function facesOf(shape: SeenShape): Float64Array {
  const known = facesByShape.get(shape);
  if (known !== undefined) return known;
  const faces = new Float64Array(4 * YAW_STEPS);
  for (let step = 0; step < YAW_STEPS; step++) {
    const yaw = yawOfStep(step);
    const c = Math.cos(yaw);
    const s = Math.sin(yaw);
    const r = rectangleAt(shape.hull, yaw);
    const a = r.cx * c + r.cy * s;
    const b = r.cy * c - r.cx * s;
    faces.set([a - r.length / 2, -(a + r.length / 2), b - r.width / 2, -(b + r.width / 2)], 4 * step);
  }
  facesByShape.set(shape, faces);
  return faces;
}

/** Weighted quantile from the low end: the value below which `share` of the weight lies. */
export function lowQuantile(values: readonly number[], weights: readonly number[], share: number): number {
  const order = values.map((_, k) => k).sort((a, b) => values[a] - values[b]);
  let total = 0;
  for (const weight of weights) total += weight;
  let sum = 0;
  for (const k of order) {
    sum += weights[k];
    if (sum >= share * total) return values[k];
  }
  return values[order[order.length - 1]];
}

/** Adds a shape and drops what says least: the oldest partial one, else the oldest. */
export function withShape(shapes: readonly SeenShape[], shape: SeenShape): readonly SeenShape[] {
  const all = [...shapes, shape];
  if (all.length <= SHAPES_KEPT) return all;
  const oldestPartial = all.findIndex((other) => other.partial);
  all.splice(oldestPartial >= 0 && oldestPartial < all.length - 1 ? oldestPartial : 0, 1);
  return all;
}
