import { SingleBar } from 'cli-progress';

/** A bar on stderr, shown only on a terminal: logs and pipes stay clean. */
export class ProgressBar {
  readonly #bar: SingleBar | undefined;

  constructor(label: string, stream: NodeJS.WriteStream = process.stderr) {
    if (!stream.isTTY) return;
    this.#bar = new SingleBar({
      format: `${label} {bar} {percentage}% | {eta_formatted}`,
      stream,
      hideCursor: true,
      clearOnComplete: true,
      fps: 8,
    });
    this.#bar.start(1000, 0);
  }

  /** @param share 0…1. */
  show(share: number): void {
    this.#bar?.update(Math.round(share * 1000));
  }

  stop(): void {
    this.#bar?.stop();
  }
}
