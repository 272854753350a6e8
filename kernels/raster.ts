import * as at from './layout';
import { bareRoom, byteOf, room, setByte, setNumber, setWhole, whole } from './layout';

/**
 * Square cells over a plane, as in CellRaster.ts: the raster that is built here is the current one, of which there is
 * one at a time.
 */
let cellSize: f64 = 0;
let minA: f64 = 0;
let minB: f64 = 0;
let columns: i32 = 0;
let rows: i32 = 0;
let occupied: usize = 0;

/**
 * Begins a raster that covers some points, with a rim of one cell, and occupies the cells that hold one.
 * @param cells indices into a and b; 0: the first `n` of a and b
 */
export function rasterize(a: usize, b: usize, cells: usize, n: i32, size: f64): void {
  let lowA = Infinity;
  let highA = -Infinity;
  let lowB = Infinity;
  let highB = -Infinity;
  for (let k = 0; k < n; k++) {
    const i = cells ? whole(cells, k) : k;
    const atA = at.real(a, i);
    const atB = at.real(b, i);
    if (atA < lowA) lowA = atA;
    if (atA > highA) highA = atA;
    if (atB < lowB) lowB = atB;
    if (atB > highB) highB = atB;
  }
  // Snapped to the cell size, so that the same place falls into the same cell in every frame.
  cellSize = size;
  minA = Math.floor(lowA / size) * size;
  minB = Math.floor(lowB / size) * size;
  columns = <i32>Math.floor((highA - minA) / size) + 3;
  rows = <i32>Math.floor((highB - minB) / size) + 3;
  occupied = room(<usize>columns * <usize>rows);
  for (let k = 0; k < n; k++) {
    const i = cells ? whole(cells, k) : k;
    setByte(occupied, rasterCell(at.real(a, i), at.real(b, i)), 1);
  }
}

/** Index of the cell that holds a point that the raster covers. */
export function rasterCell(a: f64, b: f64): i32 {
  const column = <i32>Math.floor((a - minA) / cellSize) + 1;
  const row = <i32>Math.floor((b - minB) / cellSize) + 1;
  return row * columns + column;
}

/** Writes where the current raster is: least a and b, columns and rows. */
export function describeRaster(): void {
  setNumber(0, minA);
  setNumber(1, minB);
  setNumber(2, <f64>columns);
  setNumber(3, <f64>rows);
}

let parts: i32 = 0;

/**
 * Parts the occupied cells into those connected by sides or corners.
 * @returns the part's number, from 1, per cell, 0 where empty; `partCount` tells how many there are
 */
export function partRaster(): usize {
  const n = columns * rows;
  const partAt = room((<usize>n) << 2);
  const stack = bareRoom((<usize>n) << 2);
  parts = 0;
  for (let start = 0; start < n; start++) {
    if (byteOf(occupied, start) === 0 || whole(partAt, start) !== 0) continue;
    parts++;
    setWhole(partAt, start, parts);
    setWhole(stack, 0, start);
    for (let depth = 1; depth > 0;) {
      const cell = whole(stack, --depth);
      const row = cell / columns;
      const column = cell - row * columns;
      for (let r = max(0, row - 1); r <= min(rows - 1, row + 1); r++) {
        const left = r * columns + max(0, column - 1);
        const right = r * columns + min(columns - 1, column + 1);
        for (let next = left; next <= right; next++) {
          if (byteOf(occupied, next) === 0 || whole(partAt, next) !== 0) continue;
          setWhole(partAt, next, parts);
          setWhole(stack, depth++, next);
        }
      }
    }
  }
  return partAt;
}

export function partCount(): i32 {
  return parts;
}

/**
 * Grows the occupied cells by one to every side.
 * @returns the grown cells, as bytes
 */
export function dilatedRaster(): usize {
  const n = columns * rows;
  const grown = room(n);
  for (let row = 0, cell = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, cell++) {
      if (byteOf(occupied, cell) === 0) continue;
      const left = max(0, column - 1);
      const length = <usize>(min(columns - 1, column + 1) - left + 1);
      for (let r = max(0, row - 1); r <= min(rows - 1, row + 1); r++)
        memory.fill(grown + <usize>(r * columns + left), 1, length);
    }
  }
  return grown;
}
