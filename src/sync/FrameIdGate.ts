import { durationFromSeconds, type Stamp } from '../time/Stamp.js';

/** After this long without a picture in the old frame, a new one has taken its place. */
const TAKEOVER_AFTER = durationFromSeconds(2);

/**
 * One stream, one optical frame. Two cameras on one topic would otherwise be mixed by their stamps: depth of
 * one with colour of the other. The first frame holds the stream until it falls silent.
 */
export class FrameIdGate {
  #holder: { readonly frameId: string; readonly stamp: Stamp } | undefined;

  /** The frame that holds the stream when `frameId` is another one; undefined when the picture may pass. */
  refuse(frameId: string, stamp: Stamp): string | undefined {
    const holder = this.#holder;
    if (holder && holder.frameId !== frameId && stamp - holder.stamp < TAKEOVER_AFTER) return holder.frameId;
    this.#holder = { frameId, stamp };
    return undefined;
  }

  reset(): void {
    this.#holder = undefined;
  }
}
