/** Where an array begins, in bytes. */
interface Address {
  readonly value: number;
}

/** Places of the arrays of a cloud: see layout.ts in kernels/. */
export type KernelArray =
  | (
      | 'picture'
      | 'words'
      | 'rayX'
      | 'rayY'
      | 'depth'
      | 'x'
      | 'y'
      | 'z'
      | 'nx'
      | 'ny'
      | 'nz'
      | 'sigma'
      | 'area'
    )
  | ('minX' | 'maxX' | 'minY' | 'maxY' | 'minZ' | 'maxZ' | 'maxSigma')
  | ('owner' | 'found' | 'patches' | 'table' | 'numbers');

/**
 * The loops over a cloud's cells, compiled from the AssemblyScript in kernels/, where each says what it does. They work
 * on the memory that the cloud lies in; lists of cells are given by their place there, in bytes. What they hand back
 * is in arrays of that memory until the next call.
 */
export interface Kernels extends Readonly<Record<KernelArray, Address>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  layout(columns: number, rows: number, pixels: number): void;

  metresFromWords(pixels: number): void;
  thinDepth(rowLength: number, stride: number, minRange: number, maxRange: number): void;
  fillPoints(...rotationByRowsThenTranslation: number[]): void;
  fillNormals(cellAngle: number, originX: number, originY: number, originZ: number): void;

  findUpward(): number;
  heightHistogram(bin: number): number;
  findPatches(height: number, leastCells: number): number;
  sparseArea(cells: number, n: number): number;
  meanPlace(cells: number, n: number, step: number): number;
  setSurface(originX: number, originY: number, ...coefficients: number[]): void;
  surfaceSums(
    cells: number,
    n: number,
    step: number,
    terms: number,
    onSurface: boolean,
    inlierM: number,
  ): void;
  surfaceInliers(cells: number, n: number, inlierM: number, leastCells: number): number;
  takeFound(n: number): void;

  beginRasters(count: number): void;
  addRaster(
    k: number,
    cellSize: number,
    minA: number,
    minB: number,
    z: number,
    columns: number,
    rows: number,
  ): number;
  claimLevel(id: number, middle: number, inlierM: number, outlines: number): number;

  findUpright(): void;
  directionHistogram(): void;
  findFacing(direction: number): number;
  strongestDistance(n: number, normalX: number, normalY: number, originX: number, originY: number): number;
  wallSums(normalX: number, normalY: number, d: number, tolerance: number): number;
  wallInliers(
    normalX: number,
    normalY: number,
    d: number,
    alongX: number,
    alongY: number,
    minAlong: number,
    maxAlong: number,
    bottom: number,
    top: number,
  ): number;
  largePatches(n: number, normalX: number, normalY: number, wallArea: number, sideArea: number): number;
  ownFound(n: number, id: number): number;
  isOnWall(
    cells: number,
    n: number,
    share: number,
    normalX: number,
    normalY: number,
    d: number,
    minAlong: number,
    maxAlong: number,
    bottom: number,
    top: number,
  ): number;

  findPieces(
    cellAngle: number,
    joinM: number,
    joinSigmas: number,
    splitWidthM: number,
    minCells: number,
  ): number;
}
