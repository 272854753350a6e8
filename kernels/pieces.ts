import * as at from './layout';
import { bareRoom, byteOf, freeCells, real, room, setByte, setWhole, whole } from './layout';

/** Connected pieces of what is not structure: components.ts tells the rules. */

/** How far in depth a cell of the rim may be from the part that it goes to, metres. */
const RIM_STEP_M: f64 = 0.03;

let joinM: f64 = 0;
let joinSigmas: f64 = 0;
let cellAngle: f64 = 0;
let minCells: i32 = 0;

/** Cells of the pieces after each other, where each begins and how many cells it has. */
let pieceCells: usize = 0;
let pieceTable: usize = 0;
let pieces: i32 = 0;
let filled: i32 = 0;
/** The parts of one piece, the same way. */
let partCells: usize = 0;
let partTable: usize = 0;
/** Cells per component, by its number, and where its next cell goes. */
let sizes: usize = 0;

/**
 * Parts the free cells into pieces; those that are wide once more.
 * @returns their number, in the order in which they were found; `table` has where in `patches` each begins and how many
 * cells it has
 */
export function findPieces(
  angle: f64,
  limitM: f64,
  limitSigmas: f64,
  splitWidthM: f64,
  leastCells: i32,
): i32 {
  at.clearArena();
  const count = at.count;
  const bytes = (<usize>count) << 2;
  cellAngle = angle;
  joinM = limitM;
  joinSigmas = limitSigmas;
  minCells = leastCells;
  pieceCells = at.patches;
  pieceTable = at.table;
  partCells = at.found;
  partTable = bareRoom(bytes << 1);
  sizes = bareRoom(bytes);
  const inside = room(count);
  const core = room(count);
  const partOf = room(bytes);
  const firstCells = bareRoom(bytes);
  const firstTable = bareRoom(bytes << 1);
  const free = at.marks;
  const list = at.sparse;
  let n = 0;
  for (let i = 0; i < count; i += 4) {
    // Beyond the last cell nothing is measured.
    for (let k = 0, bits = freeCells(i); k < 4; k++, bits >>= 1) {
      setByte(free, i + k, bits & 1);
      if (bits & 1) setWhole(list, n++, i + k);
    }
  }
  const first = label(list, n, free, 1, firstCells, firstTable);
  pieces = 0;
  filled = 0;
  for (let k = 0; k < first; k++) {
    const cells = firstCells + ((<usize>whole(firstTable, 2 * k)) << 2);
    const size = whole(firstTable, 2 * k + 1);
    if (!(widthOf(cells, size) > splitWidthM && part(cells, size, inside, core, partOf)))
      addPiece(cells, size);
  }
  return pieces;
}

function addPiece(cells: usize, size: i32): void {
  memory.copy(pieceCells + ((<usize>filled) << 2), cells, (<usize>size) << 2);
  setWhole(pieceTable, 2 * pieces, filled);
  setWhole(pieceTable, 2 * pieces + 1, size);
  filled += size;
  pieces++;
}

function widthOf(cells: usize, size: i32): f64 {
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  for (let k = 0; k < size; k++) {
    const i = whole(cells, k);
    const x = real(at.x, i);
    const y = real(at.y, i);
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
  }
  return Math.max(x1 - x0, y1 - y0);
}

/**
 * Parts a wide piece: without its rim, with half the step; the rim goes back to the part it borders. The work arrays
 * are all zero before and after.
 * @returns whether there is more than one part; they are added to the pieces then
 */
function part(cells: usize, size: i32, inside: usize, core: usize, partOf: usize): bool {
  for (let k = 0; k < size; k++) setByte(inside, whole(cells, k), 1);
  let rowStart = 0;
  for (let k = 0; k < size; k++) {
    const i = whole(cells, k);
    while (i >= rowStart + at.width) rowStart += at.width;
    if (isCore(inside, i, i - rowStart)) setByte(core, i, 1);
  }
  const parts = label(cells, size, core, 0.5, partCells, partTable);
  if (parts > 1) addParts(cells, size, parts, partOf);
  for (let k = 0; k < size; k++) {
    const i = whole(cells, k);
    setByte(inside, i, 0);
    setByte(core, i, 0);
    setWhole(partOf, i, 0);
  }
  return parts > 1;
}

function isCore(inside: usize, i: i32, u: i32): bool {
  const width = at.width;
  if (u === 0 || u === width - 1 || i < width || i >= at.count - width) return false;
  return (
    byteOf(inside, i - 1) === 1 &&
    byteOf(inside, i + 1) === 1 &&
    byteOf(inside, i - width) === 1 &&
    byteOf(inside, i + width) === 1
  );
}

/** Adds the parts, each with the cells of the piece that belong to none and border it. */
function addParts(cells: usize, size: i32, parts: i32, partOf: usize): void {
  for (let p = 0; p < parts; p++) {
    const from = whole(partTable, 2 * p);
    const to = from + whole(partTable, 2 * p + 1);
    for (let k = from; k < to; k++) setWhole(partOf, whole(partCells, k), p + 1);
    setWhole(sizes, p, to - from);
  }
  // The part that a cell of the rim goes to, in the place of the links, which are needed no more.
  const nearest = at.links;
  for (let k = 0; k < size; k++) {
    const i = whole(cells, k);
    const p = whole(partOf, i) === 0 ? nearestPart(partOf, i) : 0;
    setWhole(nearest, i, p);
    if (p > 0) setWhole(sizes, p - 1, whole(sizes, p - 1) + 1);
  }
  for (let p = 0; p < parts; p++) {
    const grown = whole(sizes, p);
    const own = whole(partTable, 2 * p + 1);
    memory.copy(
      pieceCells + ((<usize>filled) << 2),
      partCells + ((<usize>whole(partTable, 2 * p)) << 2),
      (<usize>own) << 2,
    );
    setWhole(pieceTable, 2 * pieces, filled);
    setWhole(pieceTable, 2 * pieces + 1, grown);
    pieces++;
    setWhole(sizes, p, filled + own);
    filled += grown;
  }
  for (let k = 0; k < size; k++) {
    const i = whole(cells, k);
    const p = whole(nearest, i) - 1;
    if (p < 0) continue;
    const to = whole(sizes, p);
    setWhole(pieceCells, to, i);
    setWhole(sizes, p, to + 1);
  }
}

/** Number of the part nearest in depth within two cells; 0 for none. */
function nearestPart(partOf: usize, i: i32): i32 {
  const width = at.width;
  const u = i % width;
  const v = i / width;
  const d = real(at.depth, i);
  let best = 0;
  let bestStep = RIM_STEP_M;
  const left = max(0, u - 2);
  const right = min(width - 1, u + 2);
  for (let b = max(0, v - 2); b <= min(at.height - 1, v + 2); b++) {
    // Most rows have no part: four cells at once tell, and the fifth.
    const first = partOf + ((<usize>(b * width + left)) << 2);
    if (right - left === 4 && !v128.any_true(v128.load(first)) && load<i32>(first, 16) === 0) continue;
    for (let a = left; a <= right; a++) {
      const j = b * width + a;
      const p = whole(partOf, j);
      if (p === 0) continue;
      const step = Math.abs(real(at.depth, j) - d);
      if (!(step < bestStep)) continue;
      bestStep = step;
      best = p;
    }
  }
  return best;
}

/**
 * Union-find over some cells (in picture order, marked in `mask`), in one pass.
 * @returns the number of pieces of at least `minCells`, in the order of their first cells, gathered in `out` and `table`
 */
function label(cells: usize, n: i32, mask: usize, factor: f64, out: usize, table: usize): i32 {
  const width = at.width;
  const links = at.links;
  let rowStart = 0;
  for (let k = 0; k < n; k++) {
    const i = whole(cells, k);
    if (byteOf(mask, i) === 0) continue;
    while (i >= rowStart + width) rowStart += width;
    const limit =
      factor * Math.max(joinM, joinSigmas * real(at.sigma, i)) + 1.5 * cellAngle * real(at.depth, i);
    const isFirst = i === rowStart;
    const isLast = i === rowStart + width - 1;
    setWhole(links, i, i);
    const x = real(at.x, i);
    const y = real(at.y, i);
    const z = real(at.z, i);
    // The neighbours already visited: the three above, and the one to the left.
    for (let side = rowStart === 0 ? 3 : 0; side < 4; side++) {
      if ((isFirst && (side === 0 || side === 3)) || (isLast && side === 2)) continue;
      const j = side === 3 ? i - 1 : i - width - 1 + side;
      if (byteOf(mask, j) === 0 || whole(links, j) === whole(links, i)) continue;
      const dx = x - real(at.x, j);
      const dy = y - real(at.y, j);
      const dz = z - real(at.z, j);
      if (!(dx * dx + dy * dy + dz * dz >= limit * limit)) join(i, j);
    }
  }
  return gather(cells, n, mask, out, table);
}

function join(i: i32, j: i32): void {
  const a = rootOf(i);
  const b = rootOf(j);
  setWhole(at.links, max(a, b), min(a, b));
}

function rootOf(i: i32): i32 {
  const links = at.links;
  let root = i;
  while (whole(links, root) !== root) root = whole(links, root);
  while (whole(links, i) !== root) {
    const next = whole(links, i);
    setWhole(links, i, root);
    i = next;
  }
  return root;
}

/** Counting sort of cells by their root; a root is the first of its cells. */
function gather(cells: usize, n: i32, mask: usize, out: usize, table: usize): i32 {
  const links = at.links;
  // From here on the links are −1 − the number of the cell's component, which its root got before it.
  let components = 0;
  for (let k = 0; k < n; k++) {
    const i = whole(cells, k);
    if (byteOf(mask, i) === 0) continue;
    const link = whole(links, i);
    let component = components;
    if (link === i) setWhole(sizes, components++, 0);
    else component = -1 - whole(links, link);
    setWhole(links, i, -1 - component);
    setWhole(sizes, component, whole(sizes, component) + 1);
  }
  let kept = 0;
  let taken = 0;
  for (let component = 0; component < components; component++) {
    const size = whole(sizes, component);
    setWhole(sizes, component, size < minCells ? -1 : taken);
    if (size < minCells) continue;
    setWhole(table, 2 * kept, taken);
    setWhole(table, 2 * kept + 1, size);
    taken += size;
    kept++;
  }
  for (let k = 0; k < n; k++) {
    const i = whole(cells, k);
    if (byteOf(mask, i) === 0) continue;
    const component = -1 - whole(links, i);
    const to = whole(sizes, component);
    if (to < 0) continue;
    setWhole(out, to, i);
    setWhole(sizes, component, to + 1);
  }
  return kept;
}
