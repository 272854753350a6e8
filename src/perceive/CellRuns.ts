/** Cells in a row that are looked at, or passed over, together. */
export const RUN_CELLS = 16;

/**
 * Bounds of the points of each run of `RUN_CELLS` cells of a cloud: most runs lie far from most planes, and one
 * comparison tells. They are up to a
 * millimetre wide of them. A run without points has its bounds the wrong way round, far beyond all else.
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

/** Runs for so many cells; nothing in them is set. */
export function newCellRuns(cells: number): CellRuns {
  const array = (): Float32Array => new Float32Array(Math.ceil(cells / RUN_CELLS));
  return {
    minX: array(),
    maxX: array(),
    minY: array(),
    maxY: array(),
    minZ: array(),
    maxZ: array(),
    maxSigma: array(),
  };
}
