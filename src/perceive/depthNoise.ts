/**
 * Standard deviation of one depth reading, in metres, at distance z (metres): the structured-light model of
 * Nguyen, Izadi and Lovell, "Modeling Kinect Sensor Noise for Improved 3D Reconstruction and Tracking" (3DIMPVT 2012),
 * axial part. Every geometric tolerance here scales with it.
 */
export function depthSigma(z: number): number {
  const beyond = z - 0.4;
  return 0.0012 + 0.0019 * beyond * beyond;
}
