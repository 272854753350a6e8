import type { CloudGrid } from './CloudGrid.js';
import type { Piece } from './Piece.js';

/**
 * Tells a low piece that is a ripple of its support (noise, a warped surface) from a thin thing on it: a thing has an
 * edge, a ripple rises without one. Looked at only where the piece is low and its outline borders on level structure.
 */

/** Pieces higher than this (or their noise) above their outside are things, metres. */
const LOW_M = 0.04;
const LOW_SIGMAS = 4;
/** Share of the outline that must border on level structure. */
const BORDER_SHARE = 0.5;
/** A piece without height that borders on no support is a strip of a surface that was not found, metres. */
const FLAT_M = 0.012;
const FREE_SHARE = 0.2;
/** Mean step at the outline that makes an edge, metres and standard deviations. */
const EDGE_M = 0.006;
const EDGE_SIGMAS = 1;

/** @param levelCount owners 1…levelCount are level structure */
export function isRipple(
  grid: CloudGrid,
  owner: Int16Array,
  levelCount: number,
  { cells, outline }: Piece,
  pieceOf: Int32Array,
  id: number,
): boolean {
  const { width, z, depth, sigma } = grid;
  let sides = 0;
  let bordering = 0;
  let steps = 0;
  let sumOutside = 0;
  let top = -Infinity;
  let bottom = Infinity;
  for (let k = 0; k < cells.length; k++) {
    const height = z[cells[k]];
    if (height > top) top = height;
    if (height < bottom) bottom = height;
  }
  for (let k = 0; k < outline.length; k++) {
    const i = outline[k];
    for (let side = 0; side < 4; side++) {
      const step = side === 0 ? -1 : side === 1 ? 1 : side === 2 ? -width : width;
      const next = i + step;
      if (next < 0 || next >= owner.length || pieceOf[next] === id || depth[next] === 0) continue;
      sides++;
      if (owner[next] < 1 || owner[next] > levelCount) continue;
      // One cell farther to both sides: the cells at an edge are mixtures of what lies on either side of it.
      const beyond = next + step;
      const outside = beyond >= 0 && beyond < owner.length && owner[beyond] === owner[next] ? beyond : next;
      const within = i - step;
      const inside = within >= 0 && within < owner.length && pieceOf[within] === id ? within : i;
      bordering++;
      steps += z[inside] - z[outside];
      sumOutside += z[outside];
    }
  }
  if (top - bottom < FLAT_M && bordering < FREE_SHARE * sides) return true;
  if (bordering === 0 || bordering < BORDER_SHARE * sides) return false;
  const noise = sigma[cells[cells.length >> 1]];
  if (top - sumOutside / bordering > Math.max(LOW_M, LOW_SIGMAS * noise)) return false;
  return steps / bordering < Math.max(EDGE_M, EDGE_SIGMAS * noise);
}
