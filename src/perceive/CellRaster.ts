/**
 * Occupancy of a plane by square cells: where a surface was really seen. Keeps a plane from reaching beyond its
 * edge, and tells two tables of one height apart. Dense, since a frame covers a few metres and is asked per pixel.
 */
export class CellRaster {
  readonly columns: number;
  readonly rows: number;
  readonly occupied: Uint8Array;

  /** Covers [minA, maxA] × [minB, maxB] in metres with a rim of one cell. */
  constructor(
    readonly cellSize: number,
    readonly minA: number,
    readonly minB: number,
    maxA: number,
    maxB: number,
  ) {
    this.columns = Math.floor((maxA - minA) / cellSize) + 3;
    this.rows = Math.floor((maxB - minB) / cellSize) + 3;
    this.occupied = new Uint8Array(this.columns * this.rows);
  }

  /** Index of the cell that holds (a, b), or −1 outside. */
  cellAt(a: number, b: number): number {
    const column = Math.floor((a - this.minA) / this.cellSize) + 1;
    const row = Math.floor((b - this.minB) / this.cellSize) + 1;
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows
      ? -1
      : row * this.columns + column;
  }

  add(a: number, b: number): void {
    const cell = this.cellAt(a, b);
    if (cell >= 0) this.occupied[cell] = 1;
  }

  has(a: number, b: number): boolean {
    const cell = this.cellAt(a, b);
    return cell >= 0 && this.occupied[cell] === 1;
  }

  /** Whether the centre of some occupied cell satisfies a test. */
  some(test: (a: number, b: number) => boolean): boolean {
    for (let cell = 0; cell < this.occupied.length; cell++) {
      if (this.occupied[cell] === 0) continue;
      const column = cell % this.columns;
      const row = (cell - column) / this.columns;
      if (test(this.minA + (column - 0.5) * this.cellSize, this.minB + (row - 0.5) * this.cellSize))
        return true;
    }
    return false;
  }

  /** Occupies the cells whose centre satisfies a test. */
  fill(test: (a: number, b: number) => boolean): void {
    for (let row = 0, cell = 0; row < this.rows; row++) {
      const b = this.minB + (row - 0.5) * this.cellSize;
      for (let column = 0; column < this.columns; column++, cell++)
        if (test(this.minA + (column - 0.5) * this.cellSize, b)) this.occupied[cell] = 1;
    }
  }

  /** Occupied cells connected by sides or corners: component number per cell, −1 where empty. */
  components(): { readonly count: number; readonly of: Int32Array } {
    const of = new Int32Array(this.occupied.length).fill(-1);
    const stack: number[] = [];
    let count = 0;
    for (let start = 0; start < of.length; start++) {
      if (this.occupied[start] === 0 || of[start] >= 0) continue;
      of[start] = count;
      stack.push(start);
      for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
        this.forNeighbours(cell, (next) => {
          if (this.occupied[next] === 1 && of[next] < 0) {
            of[next] = count;
            stack.push(next);
          }
        });
      }
      count++;
    }
    return { count, of };
  }

  /** Grows the occupied cells by one to every side. */
  dilate(): void {
    const before = this.occupied.slice();
    for (let cell = 0; cell < before.length; cell++) {
      if (before[cell] === 1) this.forNeighbours(cell, (next) => (this.occupied[next] = 1));
    }
  }

  private forNeighbours(cell: number, visit: (next: number) => void): void {
    const column = cell % this.columns;
    for (let dr = -1; dr <= 1; dr++) {
      for (let dc = -1; dc <= 1; dc++) {
        const next = cell + dr * this.columns + dc;
        if ((dr === 0 && dc === 0) || next < 0 || next >= this.occupied.length) continue;
        if (column + dc < 0 || column + dc >= this.columns) continue;
        visit(next);
      }
    }
  }
}

/** A raster that covers some points, empty. */
export function rasterAround(
  a: Float32Array,
  b: Float32Array,
  indices: ArrayLike<number>,
  cellSize: number,
): CellRaster {
  let minA = Infinity;
  let maxA = -Infinity;
  let minB = Infinity;
  let maxB = -Infinity;
  for (let k = 0; k < indices.length; k++) {
    const i = indices[k];
    if (a[i] < minA) minA = a[i];
    if (a[i] > maxA) maxA = a[i];
    if (b[i] < minB) minB = b[i];
    if (b[i] > maxB) maxB = b[i];
  }
  // Snapped to the cell size, so that the same place falls into the same cell in every frame.
  return new CellRaster(
    cellSize,
    Math.floor(minA / cellSize) * cellSize,
    Math.floor(minB / cellSize) * cellSize,
    maxA,
    maxB,
  );
}
