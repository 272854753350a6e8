import type { FrameCache, PlacementResult, Sample } from './TimeCache.js';

/** A frame that does not move: its one placement answers for every moment. A later message replaces it. */
export class StaticCache implements FrameCache {
  readonly isStatic = true;
  #sample: Sample | undefined;

  insert(sample: Sample): 'inserted' {
    this.#sample = sample;
    return 'inserted';
  }

  find(): PlacementResult {
    return this.#sample ? { ok: true, placement: this.#sample } : { ok: false };
  }

  newest(): Sample | undefined {
    return this.#sample;
  }
}
