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

/** Points to fit, indices into parallel arrays. */
export interface FitPoints {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  readonly sigma: Float32Array;
  readonly indices: Int32Array;
}

const FIT_SAMPLES = 1500;
const ROUNDS = 3;

/** Fits a surface; undefined when the points do not determine one. */
export function fitHeightSurface(
  points: FitPoints,
  quadratic: boolean,
  tolerance: (i: number) => number,
): HeightSurface | undefined {
  const { indices, x, y, z, sigma } = points;
  const step = Math.max(1, Math.floor(indices.length / FIT_SAMPLES));
  let originX = 0;
  let originY = 0;
  let n = 0;
  for (let k = 0; k < indices.length; k += step) {
    originX += x[indices[k]];
    originY += y[indices[k]];
    n++;
  }
  if (n < 6) return undefined;
  originX /= n;
  originY /= n;
  const terms = quadratic ? 6 : 3;
  let surface: HeightSurface | undefined;
  for (let round = 0; round < ROUNDS; round++) {
    const normal = new Float64Array(terms * terms);
    const right = new Float64Array(terms);
    const row = new Float64Array(6);
    for (let k = 0; k < indices.length; k += step) {
      const i = indices[k];
      if (surface !== undefined && Math.abs(z[i] - surface.heightAt(x[i], y[i])) > tolerance(i)) continue;
      const a = x[i] - originX;
      const b = y[i] - originY;
      row[0] = 1;
      row[1] = a;
      row[2] = b;
      row[3] = a * a;
      row[4] = a * b;
      row[5] = b * b;
      const weight = 1e-6 / (sigma[i] * sigma[i]);
      for (let r = 0; r < terms; r++) {
        right[r] += weight * row[r] * z[i];
        for (let c = 0; c < terms; c++) normal[r * terms + c] += weight * row[r] * row[c];
      }
    }
    const solution = solve(normal, right, terms);
    if (solution === undefined) return surface;
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
