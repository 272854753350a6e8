/**
 * Occupancy of a plane by square cells: where a surface was really seen. Keeps a plane from reaching beyond its
 * edge, and tells two tables of one height apart. Dense, since a frame covers a few metres and is asked per pixel.
 */
export class CellRaster {
  constructor(
    readonly cellSize: number,
    readonly minA: number,
    readonly minB: number,
    readonly columns: number,
    readonly rows: number,
    readonly occupied = new Uint8Array(columns * rows),
  ) {}

  /** An empty raster over [minA, maxA] × [minB, maxB] in metres, with a rim of one cell. */
  static covering(cellSize: number, minA: number, minB: number, maxA: number, maxB: number): CellRaster {
    const columns = Math.floor((maxA - minA) / cellSize) + 3;
    const rows = Math.floor((maxB - minB) / cellSize) + 3;
    return new CellRaster(cellSize, minA, minB, columns, rows);
  }

  /** Index of the cell that holds (a, b), or −1 outside. */
  cellAt(a: number, b: number): number {
    const column = Math.floor((a - this.minA) / this.cellSize) + 1;
    const row = Math.floor((b - this.minB) / this.cellSize) + 1;
    return column < 0 || row < 0 || column >= this.columns || row >= this.rows
      ? -1
      : row * this.columns + column;
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
}
