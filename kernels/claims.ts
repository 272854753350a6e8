import * as at from './layout';
import { RUN_CELLS, byteOf, freeCells, real, room, setOwner, setWhole, two } from './layout';
import { heightsAbove } from './levels';

/** What belongs to a level surface: claimCells.ts tells the rules. */

/** A raster as in CellRaster.ts, with the height of the outline that it holds. */
@unmanaged
class Raster {
  cellSize: f64;
  minA: f64;
  minB: f64;
  z: f64;
  columns: i32;
  rows: i32;
  occupied: usize;
}

/** A level surface stays within this of its mean height, metres. */
const BAND_M: f64 = 0.08;
/** So far below a surface a reading may lie, metres and standard deviations; above it the inlier distance counts. */
const BELOW_M: f64 = 0.03;
const BELOW_SIGMAS: f64 = 5;
const ABOVE_SIGMAS: f64 = 3;

let rasters: usize = 0;

/** Makes room for so many rasters. */
export function beginRasters(count: i32): void {
  at.clearArena();
  rasters = room(<usize>count * offsetof<Raster>());
}

/** Describes a raster. Returns where its cells go, a byte each. */
export function addRaster(
  k: i32,
  cellSize: f64,
  minA: f64,
  minB: f64,
  z: f64,
  columns: i32,
  rows: i32,
): usize {
  const raster = rasterAt(k);
  raster.cellSize = cellSize;
  raster.minA = minA;
  raster.minB = minB;
  raster.z = z;
  raster.columns = columns;
  raster.rows = rows;
  raster.occupied = room(<usize>columns * <usize>rows);
  return raster.occupied;
}

function rasterAt(k: i32): Raster {
  return changetype<Raster>(rasters + <usize>k * offsetof<Raster>());
}

function has(raster: Raster, a: f64, b: f64): bool {
  const column = Math.floor((a - raster.minA) / raster.cellSize) + 1;
  const row = Math.floor((b - raster.minB) / raster.cellSize) + 1;
  if (!(column >= 0 && row >= 0 && column < <f64>raster.columns && row < <f64>raster.rows)) return false;
  return byteOf(raster.occupied, <i32>row * raster.columns + <i32>column) === 1;
}

/**
 * Gives the free cells on the surface that is set to an owner: within the first raster, the extent seen now, by the
 * surface, within the others, the outlines known from before, by their height. The height is compared first, which
 * decides most; where in the plane a cell lies takes longer.
 * @returns how many are in `found`
 */
export function claimLevel(id: i32, middle: f64, inlierM: f64, outlines: i32): i32 {
  let lowest = Infinity;
  let highest = -Infinity;
  for (let k = 1; k <= outlines; k++) {
    lowest = Math.min(lowest, rasterAt(k).z);
    highest = Math.max(highest, rasterAt(k).z);
  }
  let claimed = 0;
  for (let start = 0, run = 0; start < at.count; start += RUN_CELLS, run++) {
    if (real(at.minZ, run) - middle > BAND_M || real(at.maxZ, run) - middle < -BAND_M) continue;
    for (let i = start; i < start + RUN_CELLS; i += 4) {
      const free = freeCells(i);
      if (free & 3) claimed = claimTwo(i, free & 3, id, middle, inlierM, outlines, lowest, highest, claimed);
      if (free >> 2)
        claimed = claimTwo(i + 2, free >> 2, id, middle, inlierM, outlines, lowest, highest, claimed);
    }
  }
  return claimed;
}

/** Claims of two cells, those that are free, what belongs to the surface. Returns how many are claimed by now. */
function claimTwo(
  i: i32,
  free: i32,
  id: i32,
  middle: f64,
  inlierM: f64,
  outlines: i32,
  lowest: f64,
  highest: f64,
  claimed: i32,
): i32 {
  const z = two(at.z, i);
  const noise = two(at.sigma, i);
  const height = f64x2.sub(z, f64x2.splat(middle));
  const isOff = v128.or(f64x2.gt(height, f64x2.splat(BAND_M)), f64x2.lt(height, f64x2.splat(-BAND_M)));
  const above = heightsAbove(i);
  const onSurface = i64x2.bitmask(v128.and(belowLimit(above, inlierM, noise), aboveLimit(above, noise)));
  const nearOutline = i64x2.bitmask(
    v128.and(
      belowLimit(f64x2.sub(z, f64x2.splat(highest)), 2 * inlierM, noise),
      aboveLimit(f64x2.sub(z, f64x2.splat(lowest)), noise),
    ),
  );
  let open = free & ~i64x2.bitmask(isOff) & (onSurface | nearOutline);
  if (open === 0) return claimed;
  const extent = rasterAt(0);
  const columns = places(two(at.x, i), extent.minA, extent.cellSize);
  const rows = places(two(at.y, i), extent.minB, extent.cellSize);
  for (; open !== 0; open &= open - 1) {
    const lane = ctz(open);
    const cell = i + lane;
    const column = lane === 0 ? i32x4.extract_lane(columns, 0) : i32x4.extract_lane(columns, 1);
    const row = lane === 0 ? i32x4.extract_lane(rows, 0) : i32x4.extract_lane(rows, 1);
    const isInExtent =
      <u32>column < <u32>extent.columns &&
      <u32>row < <u32>extent.rows &&
      byteOf(extent.occupied, row * extent.columns + column) === 1;
    const isHere = isInExtent
      ? (onSurface >> lane) & 1
      : (nearOutline >> lane) & 1 && isOnOutline(outlines, cell, 2 * inlierM);
    if (!isHere) continue;
    setOwner(cell, id);
    setWhole(at.found, claimed++, cell);
  }
  return claimed;
}

/** Columns (or rows) of a raster that hold two coordinates. */
function places(coordinates: v128, least: f64, cellSize: f64): v128 {
  const from = f64x2.sub(coordinates, f64x2.splat(least));
  const place = f64x2.floor(f64x2.div(from, f64x2.splat(cellSize)));
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.add(place, f64x2.splat(1)));
}

/** Whether a point is level with the first outline that holds it. */
function isOnOutline(outlines: i32, cell: i32, inlierM: f64): bool {
  const a = real(at.x, cell);
  const b = real(at.y, cell);
  const noise = real(at.sigma, cell);
  for (let k = 1; k <= outlines; k++) {
    const outline = rasterAt(k);
    if (!has(outline, a, b)) continue;
    const above = real(at.z, cell) - outline.z;
    return (
      (above < inlierM || above < ABOVE_SIGMAS * noise) && (above > -BELOW_M || above > -BELOW_SIGMAS * noise)
    );
  }
  return false;
}

/** Whether two heights over a surface are at most the inlier distance, or the noise. */
function belowLimit(above: v128, inlierM: f64, noise: v128): v128 {
  const limit = f64x2.mul(f64x2.splat(ABOVE_SIGMAS), noise);
  return v128.or(f64x2.lt(above, f64x2.splat(inlierM)), f64x2.lt(above, limit));
}

function aboveLimit(above: v128, noise: v128): v128 {
  const limit = f64x2.mul(f64x2.splat(-BELOW_SIGMAS), noise);
  return v128.or(f64x2.gt(above, f64x2.splat(-BELOW_M)), f64x2.gt(above, limit));
}
