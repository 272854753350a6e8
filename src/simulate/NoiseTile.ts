import type { SeededRandom } from './SeededRandom.js';

const SIZE = 512;

/**
 * A square of standard normal deviates that repeats. Drawn once; each picture looks at another part of it,
 * which is some fifty times cheaper than drawing a deviate per pixel.
 */
export class NoiseTile {
  readonly #values = new Float32Array(SIZE * SIZE);

  /** `weights` of a smoothing in both directions, an odd number of them: [1] is white noise. */
  constructor(random: SeededRandom, weights: readonly number[]) {
    const white = Float32Array.from({ length: SIZE * SIZE }, () => random.normal());
    // A sum of independent deviates has the variance of its squared weights: dividing by their root makes it one again.
    const length = Math.hypot(...weights);
    const unit = weights.map((weight) => weight / length);
    this.#values.set(smoothed(smoothed(white, unit, 1), unit, SIZE));
  }

  /** Deviates for a picture, row-major: the tile repeated from a random corner on, perhaps with its sign turned. */
  picture(width: number, height: number, random: SeededRandom): Float32Array {
    const firstU = random.below(SIZE);
    const firstV = random.below(SIZE);
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const result = new Float32Array(width * height);
    for (let v = 0; v < height; v++) {
      const row = wrap(v + firstV) * SIZE;
      for (let u = 0; u < width; u++) result[v * width + u] = sign * this.#values[row + wrap(u + firstU)];
    }
    return result;
  }
}

function wrap(index: number): number {
  return index & (SIZE - 1);
}

/** Along rows (stride 1) or columns (stride SIZE), around the edges. */
function smoothed(values: Float32Array, weights: readonly number[], stride: 1 | typeof SIZE): Float32Array {
  const half = (weights.length - 1) / 2;
  return values.map((_, index) => {
    const u = wrap(index);
    const v = index >> 9;
    return weights.reduce((sum, weight, k) => {
      const at = stride === 1 ? v * SIZE + wrap(u + k - half) : wrap(v + k - half) * SIZE + u;
      return sum + weight * values[at];
    }, 0);
  });
}
