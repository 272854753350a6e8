/** What the compiled module hands out; kernels.ts in src/perceive/kernels/ says the same to TypeScript. */
export {
  layout,
  picture,
  words,
  rayX,
  rayY,
  depth,
  x,
  y,
  z,
  nx,
  ny,
  nz,
  sigma,
  area,
  minX,
  maxX,
  minY,
  maxY,
  minZ,
  maxZ,
  maxSigma,
  owner,
  found,
  patches,
  table,
  numbers,
} from './layout';
export { metresFromWords, thinDepth, fillPoints, fillNormals } from './cloud';
export {
  findUpward,
  heightHistogram,
  findPatches,
  sparseArea,
  meanPlace,
  setSurface,
  surfaceSums,
  surfaceInliers,
  takeFound,
} from './levels';
export { beginRasters, addRaster, claimLevel } from './claims';
export {
  findUpright,
  directionHistogram,
  findFacing,
  strongestDistance,
  wallSums,
  wallInliers,
  largePatches,
  ownFound,
  isOnWall,
} from './walls';
export { findPieces } from './pieces';
