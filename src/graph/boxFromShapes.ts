import type { Box } from '../math/types.js';
import type { FlatHull } from '../perceive/convexHull.js';
import { rectangleAt } from '../perceive/fitBox.js';
import type { SeenShape } from './types.js';

/**
 * One box from the shapes of many frames: each face where the frames agree (a weighted quantile), not their union, since
 * flying pixels and neighbours swell single frames. Partial shapes only count while nothing better is known, and then no
 * otherwise: cut off by the picture's edge, things are run together as often. The yaw is the one that makes the smallest
 * rectangle.
 */

/** Shapes kept per thing. */
export const SHAPES_KEPT = 24;
const YAW_STEPS = 18;
/** Faces lie where this share of the frames (by weight) reaches out to. */
const FACE_QUANTILE = 0.35;

export function boxFromShapes(shapes: readonly SeenShape[]): Box {
  const whole = shapes.filter((shape) => !shape.partial);
  const used = whole.length > 0 ? whole : shapes;
  if (used.length === 0) throw new Error('boxFromShapes needs at least one shape');
  const quantile = new LowQuantile(
    used.map((shape) => shape.weight),
    FACE_QUANTILE,
  );
  const zMin = quantile.of((k) => used[k].zMin);
  const zMax = -quantile.of((k) => -used[k].zMax);
  let best: Rectangle | undefined;
  for (let step = 0; step < YAW_STEPS; step++) {
    const rectangle = rectangleAtStep(used, quantile, step);
    if (best === undefined || areaOf(rectangle) < areaOf(best) - 1e-9) best = rectangle;
  }
  if (best === undefined) throw new Error('no yaw to make a box of');
  const { yaw, a0, a1, b0, b1 } = best;
  const c = Math.cos(yaw);
  const s = Math.sin(yaw);
  const a = (a0 + a1) / 2;
  const b = (b0 + b1) / 2;
  return {
    center: [a * c - b * s, a * s + b * c, (zMin + zMax) / 2],
    size: [Math.max(a1 - a0, 1e-3), Math.max(b1 - b0, 1e-3), Math.max(zMax - zMin, 1e-3)],
    yaw,
  };
}

/** A turned rectangle: its ends along its own two directions. */
interface Rectangle {
  readonly yaw: number;
  readonly a0: number;
  readonly a1: number;
  readonly b0: number;
  readonly b1: number;
}

function areaOf({ a0, a1, b0, b1 }: Rectangle): number {
  return Math.max(a1 - a0, 1e-3) * Math.max(b1 - b0, 1e-3);
}

function rectangleAtStep(shapes: readonly SeenShape[], quantile: LowQuantile, step: number): Rectangle {
  const at = 4 * step;
  return {
    yaw: yawOfStep(step),
    a0: quantile.of((k) => shapes[k].faces[at]),
    a1: -quantile.of((k) => shapes[k].faces[at + 1]),
    b0: quantile.of((k) => shapes[k].faces[at + 2]),
    b1: -quantile.of((k) => shapes[k].faces[at + 3]),
  };
}

function yawOfStep(step: number): number {
  return (step / YAW_STEPS) * (Math.PI / 2);
}

/**
 * For each yaw the four faces of an outline's rectangle, each as the low end along its own direction. Kept with a shape
 * in place of its outline: it is looked at with every later shape of its thing.
 */
export function facesOf(hull: FlatHull): Float64Array {
  const faces = new Float64Array(4 * YAW_STEPS);
  for (let step = 0; step < YAW_STEPS; step++) {
    const yaw = yawOfStep(step);
    const c = Math.cos(yaw);
    const s = Math.sin(yaw);
    const r = rectangleAt(hull, yaw);
    const a = r.cx * c + r.cy * s;
    const b = r.cy * c - r.cx * s;
    faces[4 * step] = a - r.length / 2;
    faces[4 * step + 1] = -(a + r.length / 2);
    faces[4 * step + 2] = b - r.width / 2;
    faces[4 * step + 3] = -(b + r.width / 2);
  }
  return faces;
}

/** Weighted quantiles from the low end of many lists with the same weights: no memory per list, and no comparator. */
export class LowQuantile {
  readonly #weights: readonly number[];
  readonly #values: Float64Array;
  readonly #order: Uint32Array;
  readonly #wanted: number;

  constructor(weights: readonly number[], share: number) {
    this.#weights = weights;
    this.#values = new Float64Array(weights.length);
    this.#order = new Uint32Array(weights.length);
    let total = 0;
    for (const weight of weights) total += weight;
    this.#wanted = share * total;
  }

  /** The value at or below which the wanted share of the weight lies. */
  of(valueAt: (k: number) => number): number {
    const weights = this.#weights;
    const values = this.#values;
    const order = this.#order;
    const n = values.length;
    for (let k = 0; k < n; k++) {
      const value = valueAt(k);
      let at = k;
      for (; at > 0 && values[at - 1] > value; at--) {
        values[at] = values[at - 1];
        order[at] = order[at - 1];
      }
      values[at] = value;
      order[at] = k;
    }
    let sum = 0;
    for (let k = 0; k < n; k++) {
      sum += weights[order[k]];
      if (sum >= this.#wanted) return values[k];
    }
    return values[n - 1];
  }
}

/** Adds a shape and drops what says least: the oldest partial one, else the oldest. */
export function withShape(shapes: readonly SeenShape[], shape: SeenShape): readonly SeenShape[] {
  const all = [...shapes, shape];
  if (all.length <= SHAPES_KEPT) return all;
  const oldestPartial = all.findIndex((other) => other.partial);
  all.splice(oldestPartial >= 0 && oldestPartial < all.length - 1 ? oldestPartial : 0, 1);
  return all;
}
