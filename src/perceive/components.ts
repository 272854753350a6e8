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

/** Work arrays of one frame, one entry per cell; left as they were found. */
interface Scratch {
  readonly parent: Int32Array;
  readonly inside: Uint8Array;
  readonly core: Uint8Array;
  readonly of: Int32Array;
}

/** Cells of each piece, in picture order; pieces largest first. */
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
  const cells: number[] = [];
  for (let i = 0; i < n; i++) {
    if (owner[i] !== 0 || grid.depth[i] === 0) continue;
    free[i] = 1;
    cells.push(i);
  }
  const pieces: Int32Array[] = [];
  for (const piece of label(grid, Int32Array.from(cells), free, scratch, parameters, 1)) {
    if (piece.length < parameters.minCells) continue;
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
  for (const i of piece) inside[i] = 1;
  for (const i of piece) core[i] = isCore(grid, inside, i) ? 1 : 0;
  const parts = label(grid, piece, core, scratch, parameters, 0.5).filter(
    (p) => p.length >= parameters.minCells,
  );
  let result = [piece];
  if (parts.length > 1) {
    parts.forEach((p, k) => p.forEach((i) => (of[i] = k + 1)));
    const grown = parts.map((p) => Array.from(p));
    for (const i of piece) {
      if (of[i] !== 0) continue;
      const k = nearestPart(grid, of, i);
      if (k > 0) grown[k - 1].push(i);
    }
    result = grown.map((p) => Int32Array.from(p));
  }
  for (const i of piece) {
    inside[i] = 0;
    core[i] = 0;
    of[i] = 0;
  }
  return result;
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

/** Union-find over some cells (in picture order, marked in `mask`), in one pass. */
function label(
  grid: CloudGrid,
  cells: Int32Array,
  mask: Uint8Array,
  { parent }: Scratch,
  parameters: ComponentParameters,
  factor: number,
): Int32Array[] {
  const { width, x, y, z, sigma, depth, cellAngle } = grid;
  for (const i of cells) {
    if (mask[i] === 0) continue;
    parent[i] = i;
    const u = i % width;
    const limit =
      factor * Math.max(parameters.joinM, parameters.joinSigmas * sigma[i]) + 1.5 * cellAngle * depth[i];
    const limit2 = limit * limit;
    // Left, up, up left, up right: the neighbours already visited.
    for (let side = 0; side < 4; side++) {
      if ((side === 0 || side === 2) && u === 0) continue;
      if (side === 3 && u === width - 1) continue;
      const j = side === 0 ? i - 1 : i - width + (side === 1 ? 0 : side === 2 ? -1 : 1);
      if (j < 0 || mask[j] === 0) continue;
      const dx = x[i] - x[j];
      const dy = y[i] - y[j];
      const dz = z[i] - z[j];
      if (dx * dx + dy * dy + dz * dz < limit2) join(parent, i, j);
    }
  }
  return gather(cells, mask, parent);
}

function join(parent: Int32Array, i: number, j: number): void {
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

/** Counting sort of cells by their root. */
function gather(cells: Int32Array, mask: Uint8Array, parent: Int32Array): Int32Array[] {
  const sizes = new Map<number, number>();
  for (const i of cells) {
    if (mask[i] === 0) continue;
    const root = rootOf(parent, i);
    sizes.set(root, (sizes.get(root) ?? 0) + 1);
  }
  const pieces = new Map<number, { readonly cells: Int32Array; filled: number }>();
  for (const [root, size] of sizes) pieces.set(root, { cells: new Int32Array(size), filled: 0 });
  for (const i of cells) {
    if (mask[i] === 0) continue;
    const piece = pieces.get(rootOf(parent, i));
    if (piece !== undefined) piece.cells[piece.filled++] = i;
  }
  return [...pieces.values()].map((piece) => piece.cells);
}

function widthOf(grid: CloudGrid, piece: Int32Array): number {
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  for (const i of piece) {
    x0 = Math.min(x0, grid.x[i]);
    x1 = Math.max(x1, grid.x[i]);
    y0 = Math.min(y0, grid.y[i]);
    y1 = Math.max(y1, grid.y[i]);
  }
  return Math.max(x1 - x0, y1 - y0);
}
