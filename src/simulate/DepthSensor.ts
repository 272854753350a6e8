/**
 * What a structured-light camera makes of exact depth: noise that grows with distance (`perception.md` names the
 * source: Nguyen, Izadi and Lovell 2012), steps of whole millimetres, and the three ways in which it lies: holes (grazing
 * surfaces, dark ones, random blobs), mixed readings at edges that float between near and far, and nothing beyond its range.
 */
import { depthSigma } from './depthSigma.js';
import { NoiseTile } from './NoiseTile.js';
import type { Rendering } from './SceneRenderer.js';
import { SeededRandom } from './SeededRandom.js';

export interface DepthSensorParameters {
  readonly minM: number;
  readonly maxM: number;
  /** 1 is the model's noise, 0 none. */
  readonly noiseScale: number;
  /** Below this |cos| of incidence readings begin to fail; at 0 all do. */
  readonly grazingCos: number;
  /** Share of edge pixels without a reading, and of those that float between both surfaces. */
  readonly edgeHoleShare: number;
  readonly edgeFlyingShare: number;
  /** Round holes per picture, on average. */
  readonly blobsPerFrame: number;
  /**
   * Focal length × baseline in pixel metres and steps per pixel of disparity: real sensors measure disparity in steps,
   * so far readings come in slices. Absent: whole millimetres only.
   */
  readonly disparity?: { readonly focalBaseline: number; readonly stepsPerPx: number };
}

export const DEFAULT_DEPTH_SENSOR: DepthSensorParameters = {
  minM: 0.3,
  maxM: 6,
  noiseScale: 1,
  grazingCos: 0.14,
  edgeHoleShare: 0.3,
  edgeFlyingShare: 0.3,
  blobsPerFrame: 2,
};

/** A sensor without any of it: for tests that need exact depth. */
export const PERFECT_DEPTH_SENSOR: DepthSensorParameters = {
  minM: 0,
  maxM: 60,
  noiseScale: 0,
  grazingCos: 0,
  edgeHoleShare: 0,
  edgeFlyingShare: 0,
  blobsPerFrame: 0,
};

/** Neighbouring readings partly agree, as the windows that such cameras match overlap. */
const MATCHING_WEIGHTS = [1, 4, 6, 4, 1];

/** Neighbours further apart than this share of their distance (plus a centimetre) make an edge. */
const EDGE_SHARE = 0.025;

export class DepthSensor {
  readonly #parameters: DepthSensorParameters;
  readonly #seed: number;
  readonly #tile: NoiseTile;

  constructor(parameters: DepthSensorParameters, seed: number) {
    this.#parameters = parameters;
    this.#seed = seed;
    this.#tile = new NoiseTile(new SeededRandom(seed), MATCHING_WEIGHTS);
  }

  /** One picture in millimetres, 0 = no reading. The same frame index gives the same picture. */
  measure(rendering: Rendering, frameIndex: number): Uint16Array {
    const random = new SeededRandom(
      Math.imul(this.#seed + 1, 0x9e3779b1) ^ Math.imul(frameIndex + 1, 0x85ebca6b),
    );
    const readings = this.#trueReadings(rendering, random);
    this.#addBlobs(readings, rendering.width, rendering.height, random);
    return this.#quantise(readings, this.#tile.picture(rendering.width, rendering.height, random));
  }

  /** Depth after holes and mixing, metres; 0 = none. */
  #trueReadings(rendering: Rendering, random: SeededRandom): Float32Array {
    const { width, height, depthM, incidence, depthReturn } = rendering;
    const p = this.#parameters;
    const readings = new Float32Array(width * height);
    for (let v = 0, i = 0; v < height; v++) {
      for (let u = 0; u < width; u++, i++) {
        let z = depthM[i];
        if (!(z > 0)) continue;
        const cos = incidence[i];
        if (cos < p.grazingCos && random.uniform() * p.grazingCos > cos) continue;
        if (depthReturn[i] < 255 && random.uniform() * 255 >= depthReturn[i]) continue;
        const other = edgeNeighbour(depthM, i, u, v, width, height, z);
        if (other > 0) {
          const fate = random.uniform();
          if (fate < p.edgeHoleShare) continue;
          if (fate < p.edgeHoleShare + p.edgeFlyingShare) z += (other - z) * random.uniform();
        }
        if (z >= p.minM && z <= p.maxM) readings[i] = z;
      }
    }
    return readings;
  }

  #addBlobs(readings: Float32Array, width: number, height: number, random: SeededRandom): void {
    const count = Math.floor(this.#parameters.blobsPerFrame * 2 * random.uniform() + 0.5);
    for (let blob = 0; blob < count; blob++) {
      const radius = (width / 640) * random.between(2, 7);
      const cu = random.between(0, width);
      const cv = random.between(0, height);
      for (let v = Math.max(0, Math.ceil(cv - radius)); v < Math.min(height, cv + radius); v++)
        for (let u = Math.max(0, Math.ceil(cu - radius)); u < Math.min(width, cu + radius); u++)
          if ((u - cu) ** 2 + (v - cv) ** 2 < radius * radius) readings[v * width + u] = 0;
    }
  }

  #quantise(readings: Float32Array, deviates: Float32Array): Uint16Array {
    const { noiseScale, disparity } = this.#parameters;
    const millimetres = new Uint16Array(readings.length);
    const stepsAtOneMetre = disparity === undefined ? 0 : disparity.focalBaseline * disparity.stepsPerPx;
    for (let i = 0; i < readings.length; i++) {
      const z = readings[i];
      if (z === 0) continue;
      let noisy = z + noiseScale * addedSigma(z, stepsAtOneMetre) * deviates[i];
      if (stepsAtOneMetre > 0) noisy = stepsAtOneMetre / Math.floor(stepsAtOneMetre / noisy + 0.5);
      // Storing cuts off the fraction. Math.round would cost five times as much as all the rest of this loop.
      millimetres[i] = noisy > 0 ? noisy * 1000 + 0.5 : 0;
    }
    return millimetres;
  }
}

/** The model's deviation is measured after quantisation: what the steps will add (step²/12) is left out before. */
function addedSigma(z: number, stepsAtOneMetre: number): number {
  const sigma = depthSigma(z);
  if (stepsAtOneMetre === 0) return sigma;
  const step = (z * z) / stepsAtOneMetre;
  return Math.sqrt(Math.max(0, sigma * sigma - (step * step) / 12));
}

/** Depth of a 4-neighbour on another surface, or 0. */
function edgeNeighbour(
  depth: Float32Array,
  i: number,
  u: number,
  v: number,
  width: number,
  height: number,
  z: number,
): number {
  const limit = 0.01 + EDGE_SHARE * z;
  if (u > 0 && Math.abs(depth[i - 1] - z) > limit) return depth[i - 1];
  if (u < width - 1 && Math.abs(depth[i + 1] - z) > limit) return depth[i + 1];
  if (v > 0 && Math.abs(depth[i - width] - z) > limit) return depth[i - width];
  if (v < height - 1 && Math.abs(depth[i + width] - z) > limit) return depth[i + width];
  return 0;
}
