/** Convex polygons in the plane: corners counter-clockwise, metres. */
export type Point2 = readonly [number, number];

/** Area; positive when the corners run counter-clockwise. */
export function polygonArea(corners: readonly Point2[]): number {
  let doubled = 0;
  let previous = corners.at(-1);
  for (const corner of corners) {
    if (previous) doubled += previous[0] * corner[1] - corner[0] * previous[1];
    previous = corner;
  }
  return doubled / 2;
}

/**
 * The common part of two convex polygons, by cutting one along each edge of the other
 * (Sutherland–Hodgman). Empty when they do not meet.
 */
export function intersectConvex(subject: readonly Point2[], clip: readonly Point2[]): Point2[] {
  let result = [...subject];
  let from = clip.at(-1);
  for (const to of clip) {
    if (from) result = cutByEdge(result, from, to);
    from = to;
  }
  return result;
}

/** Keeps what lies left of the directed line `from` → `to`. */
function cutByEdge(corners: readonly Point2[], from: Point2, to: Point2): Point2[] {
  const kept: Point2[] = [];
  let previous = corners.at(-1);
  for (const corner of corners) {
    if (!previous) break;
    const sideBefore = sideOf(from, to, previous);
    const side = sideOf(from, to, corner);
    if (side >= 0 !== sideBefore >= 0) {
      const ratio = sideBefore / (sideBefore - side);
      kept.push([
        previous[0] + (corner[0] - previous[0]) * ratio,
        previous[1] + (corner[1] - previous[1]) * ratio,
      ]);
    }
    if (side >= 0) kept.push(corner);
    previous = corner;
  }
  return kept;
}

/** Positive when `p` lies left of `from` → `to`; twice the area of the triangle. */
function sideOf(from: Point2, to: Point2, p: Point2): number {
  return (to[0] - from[0]) * (p[1] - from[1]) - (to[1] - from[1]) * (p[0] - from[0]);
}

/** Shortest distance between two convex polygons; 0 when they touch or overlap. */
export function convexDistance(a: readonly Point2[], b: readonly Point2[]): number {
  if (meets(a, b)) return 0;
  return Math.min(cornersToEdges(a, b), cornersToEdges(b, a));
}

/** Separating axes: two convex polygons are apart exactly when an edge of one has the other outside. */
function meets(a: readonly Point2[], b: readonly Point2[]): boolean {
  return !hasSeparatingEdge(a, b) && !hasSeparatingEdge(b, a);
}

function hasSeparatingEdge(polygon: readonly Point2[], other: readonly Point2[]): boolean {
  let from = polygon.at(-1);
  for (const to of polygon) {
    const start = from;
    if (start && other.every((p) => sideOf(start, to, p) < 0)) return true;
    from = to;
  }
  return false;
}

function cornersToEdges(corners: readonly Point2[], polygon: readonly Point2[]): number {
  let best = Infinity;
  for (const p of corners) {
    let from = polygon.at(-1);
    for (const to of polygon) {
      if (from) best = Math.min(best, distanceToSegment(p, from, to));
      from = to;
    }
  }
  return best;
}

function distanceToSegment(p: Point2, a: Point2, b: Point2): number {
  const dx = b[0] - a[0];
  const dy = b[1] - a[1];
  const squared = dx * dx + dy * dy;
  const along = squared > 0 ? ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / squared : 0;
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy);
}
