/** What perception must know of a few words that detectors use. */

/**
 * Things that are mostly a level surface to depth: their name belongs to that surface, a box of their own would stand
 * beside it as a twin.
 */
const FURNITURE: ReadonlySet<string> = new Set([
  ...['table', 'dining table', 'coffee table', 'desk', 'counter', 'countertop', 'kitchen counter', 'worktop'],
  ...['bed', 'couch', 'sofa', 'bench', 'shelf', 'bookshelf', 'bookcase', 'sideboard', 'cabinet', 'dresser'],
  ...['floor', 'rug', 'carpet', 'wall', 'ceiling'],
]);

/**
 * Things that may let light and depth through: where nothing of them was measured, the surface seen there is behind
 * them.
 */
const SEE_THROUGH: ReadonlySet<string> = new Set([
  ...['bottle', 'wine glass', 'glass', 'cup', 'mug', 'vase', 'jar', 'window', 'glass door'],
]);

export function isFurniture(label: string): boolean {
  return FURNITURE.has(plain(label));
}

export function isSeeThrough(label: string): boolean {
  return SEE_THROUGH.has(plain(label));
}

function plain(label: string): string {
  return label
    .toLowerCase()
    .replace(/[\s_-]+/g, ' ')
    .trim();
}
