import type { CloudGrid } from './CloudGrid.js';
import type { Kernels } from './kernels/Kernels.js';

/**
 * A nearly level surface z = c0 + c1·x + c2·y + c3·x² + c4·xy + c5·y² around its own middle, fitted by robust least
 * squares. The quadratic part takes up what depth cameras bend into flat tables (a centimetre over two metres
 * is common), so that a magazine of 1.5 cm still stands out. It is only fitted where the surface is large.
 */
export class HeightSurface {
  constructor(
    readonly originX: number,
    readonly originY: number,
    readonly coefficients: readonly number[],
  ) {}

  heightAt(x: number, y: number): number {
    const a = x - this.originX;
    const b = y - this.originY;
    const c = this.coefficients;
    return c[0] + c[1] * a + c[2] * b + c[3] * a * a + c[4] * a * b + c[5] * b * b;
  }

  /** Slope in the middle, as the tangent of the tilt. */
  get slope(): number {
    return Math.hypot(this.coefficients[1], this.coefficients[2]);
  }
}

/** The surface that the kernels work with from now on. */
export function setSurface(
  kernels: Kernels,
  { originX, originY, coefficients: [c0, c1, c2, c3, c4, c5] }: HeightSurface,
): void {
  kernels.setSurface(originX, originY, c0, c1, c2, c3, c4, c5);
}

/** Cells to fit a surface to: where their list is in the memory of the kernels, and how long it is. */
export interface CellList {
  readonly place: number;
  readonly length: number;
}

const FIT_SAMPLES = 1500;
const ROUNDS = 3;

/**
 * Fits a surface; undefined when the points do not determine one.
 * @param inlierM points farther from the surface than this, or 3σ, are left out, metres
 */
export function fitHeightSurface(
  { kernels, lists: { numbers } }: CloudGrid,
  { place, length }: CellList,
  quadratic: boolean,
  inlierM: number,
): HeightSurface | undefined {
  const step = Math.max(1, Math.floor(length / FIT_SAMPLES));
  const samples = kernels.meanPlace(place, length, step);
  if (samples < 6) return undefined;
  const [originX, originY] = numbers;
  const terms = quadratic ? 6 : 3;
  let surface = new HeightSurface(originX, originY, [0, 0, 0, 0, 0, 0]);
  for (let round = 0; round < ROUNDS; round++) {
    setSurface(kernels, surface);
    kernels.surfaceSums(place, length, step, terms, round > 0, inlierM);
    const normal = numbers.subarray(0, terms * terms);
    const right = numbers.subarray(terms * terms, terms * terms + terms);
    const solution = solve(normal, right, terms);
    if (solution === undefined) return round === 0 ? undefined : surface;
    while (solution.length < 6) solution.push(0);
    surface = new HeightSurface(originX, originY, solution);
  }
  return surface;
}

/** Gaussian elimination with partial pivoting; undefined when the system is singular. */
export function solve(matrix: Float64Array, right: Float64Array, n: number): number[] | undefined {
  const m = matrix.slice();
  const b = right.slice();
  for (let col = 0; col < n; col++) {
    let pivot = col;
    for (let r = col + 1; r < n; r++) if (Math.abs(m[r * n + col]) > Math.abs(m[pivot * n + col])) pivot = r;
    if (Math.abs(m[pivot * n + col]) < 1e-9) return undefined;
    if (pivot !== col) {
      for (let c = 0; c < n; c++) [m[pivot * n + c], m[col * n + c]] = [m[col * n + c], m[pivot * n + c]];
      [b[pivot], b[col]] = [b[col], b[pivot]];
    }
    for (let r = col + 1; r < n; r++) {
      const factor = m[r * n + col] / m[col * n + col];
      for (let c = col; c < n; c++) m[r * n + c] -= factor * m[col * n + c];
      b[r] -= factor * b[col];
    }
  }
  const out = new Array<number>(n);
  for (let r = n - 1; r >= 0; r--) {
    let sum = b[r];
    for (let c = r + 1; c < n; c++) sum -= m[r * n + c] * out[c];
    out[r] = sum / m[r * n + r];
  }
  return out;
}
