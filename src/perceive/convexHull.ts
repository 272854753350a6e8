/** Corners of a convex polygon as x y pairs, counter-clockwise. */
export type FlatHull = readonly number[];

/** Convex hull by Andrew's monotone chain. Fewer than three distinct points give those points. */
export function convexHull(xy: readonly number[]): FlatHull {
  if (xy.length < 6) return xy.slice();
  const order = outerPoints(xy).sort((a, b) => xy[2 * a] - xy[2 * b] || xy[2 * a + 1] - xy[2 * b + 1]);
  const lower = chain(xy, order);
  const corners = lower.concat(chain(xy, order.reverse()));
  const hull: number[] = [];
  for (const k of corners) hull.push(xy[2 * k], xy[2 * k + 1]);
  return hull;
}

function chain(xy: readonly number[], sequence: readonly number[]): number[] {
  const out: number[] = [];
  for (const k of sequence) {
    while (out.length >= 2 && turn(xy, out[out.length - 2], out[out.length - 1], k) <= 0) out.pop();
    out.push(k);
  }
  out.pop();
  return out;
}

/**
 * The points that are not inside the octagon of the outermost ones (Akl and Toussaint, "A fast convex hull algorithm",
 * 1978): most points are, and need no sorting.
 */
function outerPoints(xy: readonly number[]): number[] {
  const octagon = outermost(xy);
  const corners = octagon.length;
  const startX = new Float64Array(corners);
  const startY = new Float64Array(corners);
  const edgeX = new Float64Array(corners);
  const edgeY = new Float64Array(corners);
  octagon.forEach((to, c) => {
    const from = octagon[(c + corners - 1) % corners];
    startX[c] = xy[2 * from];
    startY[c] = xy[2 * from + 1];
    edgeX[c] = xy[2 * to] - xy[2 * from];
    edgeY[c] = xy[2 * to + 1] - xy[2 * from + 1];
  });
  const out: number[] = [];
  for (let k = 0; k < xy.length / 2; k++) {
    const x = xy[2 * k];
    const y = xy[2 * k + 1];
    let c = corners > 2 ? 0 : corners;
    const isFlat = c === corners;
    // `turn` from an edge to the point, with the edge at hand.
    while (c < corners && edgeX[c] * (y - startY[c]) - edgeY[c] * (x - startX[c]) > 0) c++;
    if (isFlat || c < corners) out.push(k);
  }
  return out;
}

/** Indices of the points farthest to the eight sides, counter-clockwise, each once. */
function outermost(xy: readonly number[]): number[] {
  const sides = [0, 0, 0, 0, 0, 0, 0, 0];
  const most = new Float64Array(8).fill(-Infinity);
  for (let k = 0; k < xy.length / 2; k++) {
    const x = xy[2 * k];
    const y = xy[2 * k + 1];
    for (let side = 0; side < 8; side++) {
      const along = SIDE_X[side] * x + SIDE_Y[side] * y;
      if (along > most[side]) {
        most[side] = along;
        sides[side] = k;
      }
    }
  }
  return sides.filter((k, side) => k !== sides[(side + 7) % 8]);
}

const SIDE_X = [1, 1, 0, -1, -1, -1, 0, 1];
const SIDE_Y = [0, 1, 1, 1, 0, -1, -1, -1];

function turn(xy: readonly number[], a: number, b: number, c: number): number {
  return (
    (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) -
    (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a])
  );
}
