/**
 * What has arrived and not yet been worked off, in order of arrival. When work falls behind, the newest wins: of
 * each picture stream only the last few wait. Every stream of a camera is cut to the same length, so that of the
 * newest moment colour and depth both stay and can still be paired. What is small and cumulative (transforms,
 * odometry, camera info) is never dropped.
 */
export class IntakeQueue<Item> {
  readonly #waiting: { readonly item: Item; readonly stream: string | undefined }[] = [];

  constructor(
    /** Waiting pictures per stream. Doubled, a picture may be one more period old when its turn comes. */
    private readonly perStream: number,
    private readonly onDrop: (item: Item) => void,
  ) {}

  get length(): number {
    return this.#waiting.length;
  }

  /** @param stream name of a picture stream; undefined for what must not be dropped. */
  add(item: Item, stream: string | undefined): void {
    this.#waiting.push({ item, stream });
    if (stream === undefined) return;
    if (this.waitingOf(stream) <= this.perStream) return;
    const oldest = this.#waiting.findIndex((entry) => entry.stream === stream);
    for (const { item: dropped } of this.#waiting.splice(oldest, 1)) this.onDrop(dropped);
  }

  /** How many of this stream wait. */
  waitingOf(stream: string): number {
    return this.#waiting.filter((entry) => entry.stream === stream).length;
  }

  /** The oldest that waits, removed; undefined when nothing does. */
  take(): Item | undefined {
    return this.#waiting.shift()?.item;
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}
