/**
 * Standard deviation of one simulated reading at `z` metres, in metres (Nguyen, Izadi and Lovell 2012, axial part).
 * Kept apart from perception's own copy on purpose: a wrong number there must not make the world agree with it.
 */
export function depthSigma(z: number): number {
  const beyond = z - 0.4;
  return 0.0012 + 0.0019 * beyond * beyond;
}
