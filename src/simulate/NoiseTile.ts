import type { SeededRandom } from './SeededRandom.js';

const SIZE = 512;

/**
 * A square of standard normal deviates that repeats. Drawn once; each picture looks at it through a window of its own,
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

  /** A view from a random corner and in a random orientation: deviate of pixel (u, v). */
  window(random: SeededRandom): (u: number, v: number) => number {
    const offsetU = random.below(SIZE);
    const offsetV = random.below(SIZE);
    const sign = random.uniform() < 0.5 ? -1 : 1;
    const isTurned = random.uniform() < 0.5;
    const values = this.#values;
    return (u, v) => {
      const a = wrap((isTurned ? v : u) + offsetU);
      const b = wrap((isTurned ? u : v) + offsetV);
      return sign * values[b * SIZE + a]!;
    };
  }
}

function wrap(index: number): number {
  return index & (SIZE - 1);
}
