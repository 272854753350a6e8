import type { CloudGrid } from './CloudGrid.js';
import type { Piece } from './Piece.js';

/**
 * Joins the near and the far side of hollow things. A bowl seen from above is two pieces, its outside and the inside
 * behind it; where they meet, along the rim, depth cameras see least. The far piece gives itself away: it curves away
 * from the camera, ends at the height of the near one, and begins where that hides it. Two cups in a row do not, since
 * the far cup bulges towards the camera.
 */

/** Cells looked ahead over the hole that an edge leaves. */
const REACH = 3;
/** Cells of common outline that make neighbours. */
const LEAST_BORDER = 4;
/** Both sides end at one height within this (or the noise), metres. */
const TOP_GAP_M = 0.025;
const TOP_GAP_SIGMAS = 2;
/** Pieces wider than this are not the sides of a bowl or basket, metres. */
const MAX_WIDTH_M = 0.7;
/** How much farther the middle of the far side lies than its ends, metres. */
const HOLLOW_M = 0.006;
/** The far side is at most this many of its own widths away. */
const GAP_WIDTHS = 1;

/** What a piece looks like from the camera, in metres: across is horizontal, away is the horizontal distance. */
interface Profile {
  readonly top: number;
  readonly sigma: number;
  readonly width: number;
  readonly away: number;
  /** How much farther the middle is than the ends; negative for what bulges. */
  readonly hollow: number;
}

/**
 * @param pieces numbered from 1 in `pieceOf`
 * @param alike whether two pieces (by index) may be one thing by their looks
 * @returns groups of indices; most have one
 */
export function joinHollows(
  grid: CloudGrid,
  pieces: readonly Piece[],
  pieceOf: Int32Array,
  alike: (a: number, b: number) => boolean,
): number[][] {
  // Few pieces border on one that they hide: only theirs are measured.
  const profiles = new Map<number, Profile>();
  const profile = (k: number): Profile => {
    const known = profiles.get(k) ?? profileOf(grid, pieces[k].cells);
    profiles.set(k, known);
    return known;
  };
  const groupOf = pieces.map((_, k) => k);
  for (const [pair, count] of hiddenBorders(grid, pieces, pieceOf)) {
    const near = Math.floor(pair / pieces.length);
    const far = pair % pieces.length;
    if (count < LEAST_BORDER || !isFarSide(profile(near), profile(far)) || !alike(near, far)) continue;
    const from = groupOf[far];
    const to = groupOf[near];
    groupOf.forEach((group, k) => {
      if (group === from) groupOf[k] = to;
    });
  }
  const groups = new Map<number, number[]>();
  groupOf.forEach((group, k) => groups.set(group, [...(groups.get(group) ?? []), k]));
  return [...groups.values()];
}

function isFarSide(near: Profile, far: Profile): boolean {
  return (
    far.hollow > HOLLOW_M &&
    Math.max(near.width, far.width) < MAX_WIDTH_M &&
    Math.abs(near.top - far.top) < Math.max(TOP_GAP_M, TOP_GAP_SIGMAS * far.sigma) &&
    far.away > near.away &&
    far.away - near.away < GAP_WIDTHS * far.width
  );
}

/** For each (near, far) the outline cells at which the near piece hides the far one; key near · n + far. */
function hiddenBorders(grid: CloudGrid, pieces: readonly Piece[], pieceOf: Int32Array): Map<number, number> {
  const { width, depth } = grid;
  const borders = new Map<number, number>();
  const directions = [1, -1, width, -width];
  pieces.forEach(({ outline }, k) => {
    for (const i of outline) {
      for (const direction of directions) {
        if (pieceOf[i + direction] === k + 1) continue;
        for (let step = 1; step <= REACH; step++) {
          const j = i + step * direction;
          if (j < 0 || j >= pieceOf.length) break;
          const other = pieceOf[j];
          if (other === 0) continue;
          if (other !== k + 1 && depth[j] > depth[i]) {
            const key = k * pieces.length + other - 1;
            borders.set(key, (borders.get(key) ?? 0) + 1);
          }
          break;
        }
      }
    }
  });
  return borders;
}

/** Fits away = a + b·across + c·across² to a piece's points. */
function profileOf(grid: CloudGrid, piece: Int32Array): Profile {
  const [ox, oy] = grid.origin;
  let mx = 0;
  let my = 0;
  let top = -Infinity;
  for (const i of piece) {
    mx += grid.x[i];
    my += grid.y[i];
    if (grid.z[i] > top) top = grid.z[i];
  }
  mx /= piece.length;
  my /= piece.length;
  const distance = Math.max(1e-6, Math.hypot(mx - ox, my - oy));
  const ax = (mx - ox) / distance;
  const ay = (my - oy) / distance;
  let low = Infinity;
  let high = -Infinity;
  const sums = [0, 0, 0, 0, 0, 0, 0];
  for (const i of piece) {
    const dx = grid.x[i] - mx;
    const dy = grid.y[i] - my;
    const across = -ay * dx + ax * dy;
    const away = ax * dx + ay * dy;
    if (across < low) low = across;
    if (across > high) high = across;
    const square = across * across;
    sums[0] += across;
    sums[1] += square;
    sums[2] += square * across;
    sums[3] += square * square;
    sums[4] += away;
    sums[5] += away * across;
    sums[6] += away * square;
  }
  const width = high - low;
  const sigma = grid.sigma[piece[piece.length >> 1]];
  return { top, sigma, width, away: distance, hollow: (-curvature(sums, piece.length) * width * width) / 4 };
}

/** c of the least-squares parabola from its sums; 0 when it is not determined. */
function curvature([x, x2, x3, x4, y, xy, x2y]: readonly number[], n: number): number {
  const determinant = n * (x2 * x4 - x3 * x3) - x * (x * x4 - x2 * x3) + x2 * (x * x3 - x2 * x2);
  if (Math.abs(determinant) < 1e-18) return 0;
  return (n * (x2 * x2y - x3 * xy) - x * (x * x2y - x2 * xy) + y * (x * x3 - x2 * x2)) / determinant;
}
