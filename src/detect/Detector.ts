import type { Detection } from '../camera/Detection.js';
import type { RgbdFrame } from '../camera/RgbdFrame.js';

/** Names the things in a frame's colour picture. Which picture to look at, and when, is the caller's business. */
export interface Detector {
  /** What a person should know of how it runs: a provider that fell back to the CPU, say. One sentence each. */
  readonly notes: readonly string[];

  /**
   * What is in the colour picture, surest first; nothing where the frame has no colour. Calls are worked on one
   * at a time in their order, none on the event loop.
   * @throws Error (as a rejection) when the model fails or the detector was closed: then nobody looked, which is
   * not the same as nothing there.
   */
  detect(frame: RgbdFrame): Promise<readonly Detection[]>;

  /** Frees the model; calls that wait are rejected. */
  close(): Promise<void>;
}
