/** Cells in a row that are looked at, or passed over, together. */
export const RUN_CELLS = 16;

/**
 * Bounds of the points of each run of `RUN_CELLS` cells of a cloud: most runs lie far from most planes, and one
 * comparison tells. A run without points has its bounds the wrong way round, at infinity.
 */
export interface CellRuns {
  readonly minX: Float32Array;
  readonly maxX: Float32Array;
  readonly minY: Float32Array;
  readonly maxY: Float32Array;
  readonly minZ: Float32Array;
  readonly maxZ: Float32Array;
  readonly maxSigma: Float32Array;
}
