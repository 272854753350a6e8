import type { InputMessage } from '../input/messages.js';

/** Which frames of a camera are left out, counted from 0: 1, 3, 5 …; 0, 2, 4 …; 3, 7, 11 …. */
export type DropPattern = 'odd' | 'even' | 'fourth';

export const DROP_PATTERNS: readonly DropPattern[] = ['odd', 'even', 'fourth'];

/**
 * Leaves frames out by their number, as if the camera had never taken them: a figure that holds only on exactly these
 * frames is luck. A frame is its depth picture; colour without depth never becomes one.
 */
export class FrameDrop {
  readonly #pattern: DropPattern | undefined;
  readonly #next = new Map<string, number>();

  constructor(pattern: DropPattern | undefined) {
    this.#pattern = pattern;
  }

  /** To be asked once for each message, in order. */
  leavesOut(message: InputMessage): boolean {
    if (this.#pattern === undefined || message.kind !== 'depth') return false;
    const index = this.#next.get(message.camera) ?? 0;
    this.#next.set(message.camera, index + 1);
    switch (this.#pattern) {
      case 'odd':
        return index % 2 === 1;
      case 'even':
        return index % 2 === 0;
      case 'fourth':
        return index % 4 === 3;
    }
  }
}
