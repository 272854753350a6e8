/** Samples kept per stage for the percentiles: the newest ones, so that a node running for days stays bounded. */
const MAX_SAMPLES = 8192;

/** Milliseconds of one stage over a run; percentiles over the newest 8192 samples, the rest over all. */
export interface StageSummary {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** How long each stage of the pipeline took. Reads no clock except in `time`, so tests can add what they like. */
export class StageTimings {
  readonly #stages = new Map<string, { count: number; sum: number; max: number; newest: number[] }>();

  add(stage: string, ms: number): void {
    let samples = this.#stages.get(stage);
    if (samples === undefined) {
      samples = { count: 0, sum: 0, max: 0, newest: [] };
      this.#stages.set(stage, samples);
    }
    samples.newest[samples.count % MAX_SAMPLES] = ms;
    samples.count += 1;
    samples.sum += ms;
    samples.max = Math.max(samples.max, ms);
  }

  /** Runs a synchronous step and adds its duration, also when it throws. */
  time<T>(stage: string, step: () => T): T {
    const start = performance.now();
    try {
      return step();
    } finally {
      this.add(stage, performance.now() - start);
    }
  }

  /** The same for a step that waits; the waiting counts. */
  async timeAsync<T>(stage: string, step: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await step();
    } finally {
      this.add(stage, performance.now() - start);
    }
  }

  /** Stages in the order of their first sample. */
  summary(): Record<string, StageSummary> {
    const entries = [...this.#stages].map(([stage, { count, sum, max, newest }]) => {
      const sorted = [...newest].sort((a, b) => a - b);
      return [
        stage,
        { count, mean: sum / count, p50: rank(sorted, 0.5), p95: rank(sorted, 0.95), max },
      ] as const;
    });
    return Object.fromEntries(entries);
  }
}

/** Nearest rank: the smallest sample that at least this share of them does not exceed. */
function rank(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
