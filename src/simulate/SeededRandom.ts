/**
 * A small deterministic generator: xoshiro128** (Blackman and Vigna) seeded through splitmix32, so that
 * neighbouring seeds give unrelated streams. Not for secrets.
 */
export class SeededRandom {
  readonly #state = new Uint32Array(4);
  #spareNormal: number | undefined;

  constructor(seed: number) {
    let x = seed >>> 0;
    for (let i = 0; i < 4; i++) {
      x = (x + 0x9e3779b9) >>> 0;
      let z = x;
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
      this.#state[i] = (z ^ (z >>> 16)) >>> 0;
    }
  }

  /** Uniform 32-bit unsigned integer. */
  uint32(): number {
    const s = this.#state;
    const s1 = s[1];
    const product = Math.imul(s1, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    s[2] = s[2] ^ s[0];
    s[3] = s[3] ^ s1;
    s[1] = s1 ^ s[2];
    s[0] = s[0] ^ s[3];
    s[2] = s[2] ^ (s1 << 9);
    s[3] = (s[3] << 11) | (s[3] >>> 21);
    return result;
  }

  /** Uniform in [0, 1). */
  uniform(): number {
    return this.uint32() / 4294967296;
  }

  /** Uniform in [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** Uniform integer in [0, count). */
  below(count: number): number {
    return Math.floor(this.uniform() * count);
  }

  /** One of the given; throws on an empty list. */
  pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new RangeError('pick needs at least one choice');
    return choices[this.below(choices.length)];
  }

  /** A shuffled copy. */
  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items];
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j], result[i]];
    }
    return result;
  }

  /** Standard normal (polar method). */
  normal(): number {
    if (this.#spareNormal !== undefined) {
      const spare = this.#spareNormal;
      this.#spareNormal = undefined;
      return spare;
    }
    for (;;) {
      const x = 2 * this.uniform() - 1;
      const y = 2 * this.uniform() - 1;
      const r2 = x * x + y * y;
      if (r2 >= 1 || r2 === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(r2)) / r2);
      this.#spareNormal = y * scale;
      return x * scale;
    }
  }
}
