/**
 * How alike two normalised histograms are, in [0,1]: the Bhattacharyya coefficient. Undefined when one is unknown.
 */
export function likeness(a: Float32Array | undefined, b: Float32Array | undefined): number | undefined {
  if (a === undefined || b === undefined || a.length !== b.length) return undefined;
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += Math.sqrt(a[k] * b[k]);
  return Math.min(1, sum);
}

/** From here on two pieces of one place look like one thing; below `UNLIKE` like two. */
export const ALIKE = 0.6;
export const UNLIKE = 0.4;
