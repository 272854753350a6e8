import type { CloudGrid } from './CloudGrid.js';

/**
 * Connected pieces of what is not structure: 8-neighbours of the organised cloud are joined where the step between
 * them is no larger than noise and slant explain. Wide pieces are tried again with a narrower step after losing
 * their rim, since things that touch in the picture are often joined by a few flying pixels.
 */

export interface ComponentParameters {
  /** Join limit: max(this, joinSigmas·σ, 1.5 cell widths), metres. */
  readonly joinM: number;
  readonly joinSigmas: number;
  /** Pieces wider than this are parted again, metres. */
  readonly splitWidthM: number;
  /** Cells that make a piece. */
  readonly minCells: number;
}

/** Work arrays of one frame, one entry per cell; all but `parent` are left as they were found. */
interface Scratch {
  readonly parent: Int32Array;
  readonly inside: Uint8Array;
  readonly core: Uint8Array;
  readonly of: Int32Array;
}

/** Cells of each piece; pieces largest first. Those of a parted piece end with its share of the rim. */
export function findComponents(
  grid: CloudGrid,
  owner: Int16Array,
  parameters: ComponentParameters,
): Int32Array[] {
  const n = owner.length;
  const scratch: Scratch = {
    parent: new Int32Array(n),
    inside: new Uint8Array(n),
    core: new Uint8Array(n),
    of: new Int32Array(n),
  };
  const free = new Uint8Array(n);
  const cells = new Int32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    if (owner[i] !== 0 || grid.depth[i] === 0) continue;
    free[i] = 1;
    cells[count++] = i;
  }
  const pieces: Int32Array[] = [];
  for (const piece of label(grid, cells.subarray(0, count), free, scratch, parameters, 1)) {
    if (widthOf(grid, piece) > parameters.splitWidthM) pieces.push(...part(grid, piece, scratch, parameters));
    else pieces.push(piece);
  }
  return pieces.sort((a, b) => b.length - a.length || a[0] - b[0]);
}

/** Parts a wide piece: without its rim, with half the step; the rim goes back to the part it borders. */
function part(
  grid: CloudGrid,
  piece: Int32Array,
  scratch: Scratch,
  parameters: ComponentParameters,
): Int32Array[] {
  const { inside, core, of } = scratch;
  for (let k = 0; k < piece.length; k++) inside[piece[k]] = 1;
  for (let k = 0; k < piece.length; k++) core[piece[k]] = isCore(grid, inside, piece[k]) ? 1 : 0;
  const parts = label(grid, piece, core, scratch, parameters, 0.5);
  const result = parts.length > 1 ? withRim(grid, piece, parts, of) : [piece];
  for (let k = 0; k < piece.length; k++) {
    inside[piece[k]] = 0;
    core[piece[k]] = 0;
    of[piece[k]] = 0;
  }
  return result;
}

/** The parts, each with the cells of the piece that belong to none and border it. */
function withRim(
  grid: CloudGrid,
  piece: Int32Array,
  parts: readonly Int32Array[],
  of: Int32Array,
): Int32Array[] {
  numberCells(parts, of);
  const rims = parts.map((): number[] => []);
  for (let k = 0; k < piece.length; k++) {
    if (of[piece[k]] !== 0) continue;
    const nearest = nearestPart(grid, of, piece[k]);
    if (nearest > 0) rims[nearest - 1].push(piece[k]);
  }
  return parts.map((cells, k) => {
    const grown = new Int32Array(cells.length + rims[k].length);
    grown.set(cells);
    grown.set(rims[k], cells.length);
    return grown;
  });
}

/** Writes each piece's number, from 1, to its cells. */
export function numberCells(pieces: readonly Int32Array[], numbers: Int32Array): void {
  for (let k = 0; k < pieces.length; k++) {
    const cells = pieces[k];
    for (let c = 0; c < cells.length; c++) numbers[cells[c]] = k + 1;
  }
}

function isCore(grid: CloudGrid, inside: Uint8Array, i: number): boolean {
  const u = i % grid.width;
  const { width } = grid;
  if (u === 0 || u === width - 1 || i < width || i >= inside.length - width) return false;
  return inside[i - 1] === 1 && inside[i + 1] === 1 && inside[i - width] === 1 && inside[i + width] === 1;
}

/** Number of the part nearest in depth within two cells; 0 for none. */
function nearestPart(grid: CloudGrid, of: Int32Array, i: number): number {
  const { width, height, depth } = grid;
  const u = i % width;
  const v = (i - u) / width;
  let best = 0;
  let bestStep = 0.03;
  for (let b = Math.max(0, v - 2); b <= Math.min(height - 1, v + 2); b++) {
    for (let a = Math.max(0, u - 2); a <= Math.min(width - 1, u + 2); a++) {
      const j = b * width + a;
      if (of[j] === 0) continue;
      const step = Math.abs(depth[j] - depth[i]);
      if (step < bestStep) {
        bestStep = step;
        best = of[j];
      }
    }
  }
  return best;
}

/**
 * Union-find over some cells (in picture order, marked in `mask`), in one pass.
 * @returns the pieces of at least `minCells`, in the order of their first cells
 */
function label(
  grid: CloudGrid,
  cells: Int32Array,
  mask: Uint8Array,
  { parent }: Scratch,
  { joinM, joinSigmas, minCells }: ComponentParameters,
  factor: number,
): Int32Array[] {
  const { width, sigma, depth, cellAngle } = grid;
  let rowStart = 0;
  for (let k = 0; k < cells.length; k++) {
    const i = cells[k];
    if (mask[i] === 0) continue;
    while (i >= rowStart + width) rowStart += width;
    const limit = factor * Math.max(joinM, joinSigmas * sigma[i]) + 1.5 * cellAngle * depth[i];
    const isFirst = i === rowStart;
    const isLast = i === rowStart + width - 1;
    parent[i] = i;
    // The neighbours already visited.
    if (!isFirst) joinNear(grid, mask, parent, i, i - 1, limit);
    if (rowStart === 0) continue;
    joinNear(grid, mask, parent, i, i - width, limit);
    if (!isFirst) joinNear(grid, mask, parent, i, i - width - 1, limit);
    if (!isLast) joinNear(grid, mask, parent, i, i - width + 1, limit);
  }
  return gather(cells, mask, parent, minCells);
}

/** Joins two cells when the second counts and lies within the limit of the first. */
function joinNear(
  { x, y, z }: CloudGrid,
  mask: Uint8Array,
  parent: Int32Array,
  i: number,
  j: number,
  limit: number,
): void {
  if (mask[j] === 0 || parent[j] === parent[i]) return;
  const dx = x[i] - x[j];
  const dy = y[i] - y[j];
  const dz = z[i] - z[j];
  if (dx * dx + dy * dy + dz * dz >= limit * limit) return;
  const a = rootOf(parent, i);
  const b = rootOf(parent, j);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}

function rootOf(parent: Int32Array, i: number): number {
  let root = i;
  while (parent[root] !== root) root = parent[root];
  while (parent[i] !== root) {
    const next = parent[i];
    parent[i] = root;
    i = next;
  }
  return root;
}

/** Counting sort of cells by their root; a root is the first of its cells. Overwrites `parent`. */
function gather(cells: Int32Array, mask: Uint8Array, parent: Int32Array, minCells: number): Int32Array[] {
  // From here on `parent` holds −1 − the number of the cell's piece, which its root got before it.
  const sizes: number[] = [];
  for (let k = 0; k < cells.length; k++) {
    const i = cells[k];
    if (mask[i] === 0) continue;
    if (parent[i] === i) parent[i] = -1 - (sizes.push(0) - 1);
    else parent[i] = parent[parent[i]];
    sizes[-1 - parent[i]]++;
  }
  const pieces = sizes.filter((size) => size >= minCells).map((size) => new Int32Array(size));
  let kept = 0;
  const pieceOf = Int32Array.from(sizes, (size) => (size >= minCells ? kept++ : -1));
  const filled = new Int32Array(pieces.length);
  for (let k = 0; k < cells.length; k++) {
    const i = cells[k];
    if (mask[i] === 0) continue;
    const piece = pieceOf[-1 - parent[i]];
    if (piece >= 0) pieces[piece][filled[piece]++] = i;
  }
  return pieces;
}

function widthOf({ x, y }: CloudGrid, piece: Int32Array): number {
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  for (let k = 0; k < piece.length; k++) {
    const i = piece[k];
    if (x[i] < x0) x0 = x[i];
    if (x[i] > x1) x1 = x[i];
    if (y[i] < y0) y0 = y[i];
    if (y[i] > y1) y1 = y[i];
  }
  return Math.max(x1 - x0, y1 - y0);
}
