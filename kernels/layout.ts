/**
 * Where everything lies in the memory: arrays of one entry per cell first, lists of cells next, and after them the
 * arena, whose parts one kernel call asks for and the next takes back.
 */

/** Cells in a row that are looked at, or passed over, together. */
export const RUN_CELLS: i32 = 16;

/**
 * Bytes of the arena. A raster of a frame that reaches 100 m to each side takes 16 MB, twice for a moment; what is never
 * written costs nothing.
 */
const ARENA_BYTES: usize = 64 << 20;
/** Numbers that a kernel hands back besides its result. */
const NUMBERS: usize = 80;
const PAGE: usize = 1 << 16;

export let width: i32 = 0;
export let height: i32 = 0;
export let count: i32 = 0;

/** The depth picture in metres. */
export let picture: usize = 0;
/** The same in millimetres as 16-bit words, where it came so. */
export let words: usize = 0;
/** Rays, x/z and y/z. */
export let rayX: usize = 0;
export let rayY: usize = 0;
export let depth: usize = 0;
export let x: usize = 0;
export let y: usize = 0;
export let z: usize = 0;
export let nx: usize = 0;
export let ny: usize = 0;
export let nz: usize = 0;
export let sigma: usize = 0;
export let area: usize = 0;
/** Bounds per run of cells. */
export let minX: usize = 0;
export let maxX: usize = 0;
export let minY: usize = 0;
export let maxY: usize = 0;
export let minZ: usize = 0;
export let maxZ: usize = 0;
export let maxSigma: usize = 0;
/** Structure that each cell belongs to, i16; 0 = free. */
export let owner: usize = 0;
/** Lists of cells, i32: `found` is what a kernel hands back, the others are kept from one call to the next. */
export let found: usize = 0;
export let sparse: usize = 0;
export let patches: usize = 0;
/** First and number of cells, i32 each, of the parts of a list. */
export let table: usize = 0;
/** Per cell: a byte, and whole numbers. */
export let marks: usize = 0;
export let links: usize = 0;
export let numbers: usize = 0;

let arena: usize = 0;
let free: usize = 0;

/** Lays the memory out for so many cells and pixels, growing it where that is needed. */
export function layout(columns: i32, rows: i32, pixels: i32): void {
  width = columns;
  height = rows;
  count = columns * rows;
  const runs = (count + RUN_CELLS - 1) / RUN_CELLS;
  // Whole runs are worked on, so that what is beyond the last cell is written, too.
  const cells = <usize>(runs * RUN_CELLS);
  const real = cells << 2;
  const bound = (<usize>runs) << 2;
  free = (__heap_base + 15) & ~15;
  // Eight at a time.
  const readings = (<usize>(pixels + 7)) & ~7;
  picture = place(readings << 2);
  words = place(readings << 1);
  rayX = place(real);
  rayY = place(real);
  depth = place(real);
  x = place(real);
  y = place(real);
  z = place(real);
  nx = place(real);
  ny = place(real);
  nz = place(real);
  sigma = place(real);
  area = place(real);
  minX = place(bound);
  maxX = place(bound);
  minY = place(bound);
  maxY = place(bound);
  minZ = place(bound);
  maxZ = place(bound);
  maxSigma = place(bound);
  owner = place(cells << 1);
  found = place(real);
  sparse = place(real);
  patches = place(real);
  table = place(real << 1);
  marks = place(cells);
  links = place(real);
  numbers = place(NUMBERS << 3);
  arena = free;
  const pages = <i32>((arena + ARENA_BYTES + PAGE - 1) / PAGE) - memory.size();
  if (pages > 0 && memory.grow(pages) < 0) unreachable();
}

function place(bytes: usize): usize {
  const at = free;
  free = (free + bytes + 15) & ~15;
  return at;
}

/** Takes the whole arena back. */
export function clearArena(): void {
  free = arena;
}

/** Room in the arena, with anything in it. */
export function bareRoom(bytes: usize): usize {
  const at = place(bytes);
  if (free > arena + ARENA_BYTES) unreachable();
  return at;
}

/** Room in the arena, all zero. */
export function room(bytes: usize): usize {
  const at = bareRoom(bytes);
  memory.fill(at, 0, bytes);
  return at;
}

export function real(array: usize, i: i32): f64 {
  return <f64>load<f32>(array + ((<usize>i) << 2));
}

/** Two that follow each other. */
export function two(array: usize, i: i32): v128 {
  return f64x2.promote_low_f32x4(v128.load64_zero(array + ((<usize>i) << 2)));
}

export function whole(array: usize, i: i32): i32 {
  return load<i32>(array + ((<usize>i) << 2));
}

export function setWhole(array: usize, i: i32, value: i32): void {
  store<i32>(array + ((<usize>i) << 2), value);
}

export function ownerOf(i: i32): i32 {
  return load<i16>(owner + ((<usize>i) << 1));
}

/** Which of four cells are measured and free, as bits. */
export function freeCells(i: i32): i32 {
  const isFree = i32x4.extend_low_i16x8_s(
    i16x8.eq(v128.load64_zero(owner + ((<usize>i) << 1)), i16x8.splat(0)),
  );
  const isMeasured = f32x4.ne(v128.load(depth + ((<usize>i) << 2)), f32x4.splat(0));
  return i32x4.bitmask(v128.and(isFree, isMeasured));
}

export function setOwner(i: i32, id: i32): void {
  store<i16>(owner + ((<usize>i) << 1), id);
}

export function byteOf(array: usize, i: i32): i32 {
  return load<u8>(array + <usize>i);
}

export function setByte(array: usize, i: i32, value: i32): void {
  store<u8>(array + <usize>i, value);
}

export function number(k: i32): f64 {
  return load<f64>(numbers + ((<usize>k) << 3));
}

export function setNumber(k: i32, value: f64): void {
  store<f64>(numbers + ((<usize>k) << 3), value);
}
