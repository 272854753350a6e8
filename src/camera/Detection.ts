/** A silhouette: one byte a pixel over its own rectangle of the colour picture, row by row, not 0 inside. */
export interface DetectionMask {
  readonly u0: number;
  readonly v0: number;
  readonly width: number;
  readonly height: number;
  readonly data: Uint8Array;
}

/** One thing that a detector sees in a colour picture; not lifted to anything yet. */
export interface Detection {
  /** Absent: told apart from others, but not named. */
  readonly label?: string;
  /** Certainty in [0,1]. */
  readonly score: number;
  /** Left, top, right, bottom in pixels of the colour picture, inside it. */
  readonly box: readonly [number, number, number, number];
  readonly mask?: DetectionMask;
  /** Unit length; comparable by dot product with those of the same model. */
  readonly embedding?: Float32Array;
}
