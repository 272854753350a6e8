/** Corners of a convex polygon as x y pairs, counter-clockwise. */
export type FlatHull = readonly number[];

/** Convex hull by Andrew's monotone chain. Fewer than three distinct points give those points. */
export function convexHull(xy: readonly number[]): FlatHull {
  const n = xy.length / 2;
  const order = Array.from({ length: n }, (_, k) => k).sort(
    (a, b) => xy[2 * a] - xy[2 * b] || xy[2 * a + 1] - xy[2 * b + 1],
  );
  if (n < 3) return xy.slice();
  const chain = (sequence: readonly number[]): number[] => {
    const out: number[] = [];
    for (const k of sequence) {
      while (out.length >= 2 && turn(xy, out[out.length - 2], out[out.length - 1], k) <= 0) out.pop();
      out.push(k);
    }
    out.pop();
    return out;
  };
  const corners = [...chain(order), ...chain(order.slice().reverse())];
  return corners.flatMap((k) => [xy[2 * k], xy[2 * k + 1]]);
}

function turn(xy: readonly number[], a: number, b: number, c: number): number {
  return (
    (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) -
    (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a])
  );
}
