import type { SeededRandom } from './SeededRandom.js';

const SIZE = 512;

/**
 * A square of standard normal deviates that repeats. Drawn once; each picture looks at another part of it,
 * which is some fifty times cheaper than drawing a deviate per pixel.
 */
export class NoiseTile {
  readonly #values = new Float32Array(SIZE * SIZE);

  /** `smoothingPx` 0: white; 1: neighbours partly agree, as block matching makes them. */
  constructor(random: SeededRandom, smoothingPx: 0 | 1) {
    const white = Float32Array.from({ length: SIZE * SIZE }, () => random.normal());
    if (smoothingPx === 0) {
      this.#values.set(white);
      return;
    }
    // Weights 1 2 1 both ways: their squares sum to 36, so a sixth of the sum has variance one again.
    for (let v = 0; v < SIZE; v++)
      for (let u = 0; u < SIZE; u++) {
        let sum = 0;
        for (let dv = -1; dv <= 1; dv++)
          for (let du = -1; du <= 1; du++)
            sum += (2 - Math.abs(du)) * (2 - Math.abs(dv)) * white[wrap(v + dv) * SIZE + wrap(u + du)]!;
        this.#values[v * SIZE + u] = sum / 6;
      }
  }

  /** Deviates for a picture, row-major: the tile repeated from a random corner on, perhaps with its sign turned. */
  picture(width: number, height: number, random: SeededRandom): Float32Array {
    const firstU = random.below(SIZE);
    const firstV = random.below(SIZE);
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const result = new Float32Array(width * height);
    for (let v = 0; v < height; v++) {
      const row = wrap(v + firstV) * SIZE;
      for (let u = 0; u < width; u++) result[v * width + u] = sign * this.#values[row + wrap(u + firstU)]!;
    }
    return result;
  }
}

function wrap(index: number): number {
  return index & (SIZE - 1);
}
