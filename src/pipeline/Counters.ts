/** What was refused and why: the figures behind diagnostics and a replay's summary. */
export interface Report {
  /** The input it came in by (`depth`, `front/color`, `tf`), or `frame` for a pair on its way to a frame. */
  readonly stream: string;
  /** A stable snake_case word. */
  readonly cause: string;
  /** The sentence of the first occurrence, with figures. */
  readonly detail: string;
  /** `refused`: something was not used. `warning`: it was used, but somebody should know. */
  readonly kind: 'refused' | 'warning';
}

export interface StreamCounts {
  readonly received: number;
  /** Messages that found their frame, where some may not. */
  readonly used?: number;
  readonly refused: Readonly<Record<string, number>>;
}

/** Frames: one for each depth picture. What is neither used nor dropped is still on its way. */
export interface FrameTotals {
  readonly in: number;
  readonly used: number;
  readonly dropped: Readonly<Record<string, number>>;
}

/**
 * Counts by stream and cause. The first time that a stream meets a cause is reported, so that a log gets one
 * line instead of thirty a second; the counts go on.
 */
export class Counters {
  readonly #onFirst: (report: Report) => void;
  readonly #told = new Set<string>();
  readonly #received = new Map<string, number>();
  readonly #used = new Map<string, number>();
  readonly #refused = new Map<string, Map<string, number>>();
  readonly #dropped = new Map<string, number>();
  readonly #last = new Map<string, Report>();
  #framesIn = 0;
  #framesUsed = 0;

  /** @param onFirst called once per stream and cause; must not throw. */
  constructor(onFirst: (report: Report) => void = () => undefined) {
    this.#onFirst = onFirst;
  }

  receive(stream: string): void {
    increment(this.#received, stream);
  }

  /** A message that found the frame it belongs to. */
  use(stream: string): void {
    increment(this.#used, stream);
  }

  /** A message, or a part of one, that is not used. */
  refuse(stream: string, cause: string, detail: string): void {
    const causes = this.#refused.get(stream) ?? new Map<string, number>();
    this.#refused.set(stream, causes);
    increment(causes, cause);
    this.#tell({ stream, cause, detail, kind: 'refused' });
  }

  warn(stream: string, cause: string, detail: string): void {
    this.#tell({ stream, cause, detail, kind: 'warning' });
  }

  frameIn(): void {
    this.#framesIn++;
  }

  /** A depth picture that has become an observation in the graph. */
  frameUsed(): void {
    this.#framesUsed++;
  }

  /**
   * A depth picture that came in and does not become an observation.
   * @param isTold the same was already refused on its stream and needs no second report.
   */
  dropFrame(cause: string, detail: string, isTold = false): void {
    increment(this.#dropped, cause);
    if (!isTold) this.#tell({ stream: 'frame', cause, detail, kind: 'refused' });
  }

  get frames(): FrameTotals {
    return { in: this.#framesIn, used: this.#framesUsed, dropped: Object.fromEntries(this.#dropped) };
  }

  /** By stream, in order of appearance. */
  get streams(): Readonly<Record<string, StreamCounts>> {
    const names = new Set([...this.#received.keys(), ...this.#refused.keys()]);
    const counts = [...names].map((name): [string, StreamCounts] => {
      const refused = Object.fromEntries(this.#refused.get(name) ?? []);
      const used = this.#used.get(name);
      return [
        name,
        { received: this.#received.get(name) ?? 0, refused, ...(used !== undefined && { used }) },
      ];
    });
    return Object.fromEntries(counts);
  }

  /** The newest report of a stream, for diagnostics: "last drop cause". */
  lastReport(stream: string): Report | undefined {
    return this.#last.get(stream);
  }

  #tell(report: Report): void {
    this.#last.set(report.stream, report);
    const key = `${report.stream} ${report.cause}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.#onFirst(report);
  }
}

function increment(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
