/**
 * One-to-one assignment of rows to columns: as many allowed pairs as possible, and among those the smallest
 * total cost. The Hungarian method with potentials (shortest augmenting paths), O(n³).
 */

/**
 * @param costs rows × columns, every row of equal length; Infinity forbids a pair. Finite costs may be negative.
 * @returns for each row its column, or undefined.
 */
export function solveAssignment(costs: readonly (readonly number[])[]): (number | undefined)[] {
  const rows = costs.length;
  const columns = costs[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return costs.map(() => undefined);
  const n = Math.max(rows, columns);
  const forbidden = forbiddenCost(costs, n);
  const costAt = (row: number, column: number): number => {
    const cost = costs[row]?.[column];
    return cost === undefined || !Number.isFinite(cost) ? forbidden : cost;
  };
  const rowOfColumn = augmentAll(n, costAt);
  const result: (number | undefined)[] = costs.map(() => undefined);
  rowOfColumn.forEach((row, column) => {
    if (row < rows && Number.isFinite(costs[row]?.[column])) result[row] = column;
  });
  return result;
}

/** Dearer than any set of allowed pairs can save, so that a forbidden pair is only taken when nothing else is left. */
function forbiddenCost(costs: readonly (readonly number[])[], n: number): number {
  const largest = costs
    .flat()
    .reduce((max, cost) => (Number.isFinite(cost) ? Math.max(max, Math.abs(cost)) : max), 0);
  return (largest + 1) * 2 * (n + 1);
}

/** Square problem with 0-based indices; returns the row of each column. Index 0 of the work arrays is the virtual start. */
function augmentAll(n: number, costAt: (row: number, column: number) => number): number[] {
  const rowPotential = new Float64Array(n + 1);
  const columnPotential = new Float64Array(n + 1);
  const rowOf = new Int32Array(n + 1);
  const cameFrom = new Int32Array(n + 1);
  for (let row = 1; row <= n; row++) {
    rowOf[0] = row;
    let column = 0;
    const slack = new Float64Array(n + 1).fill(Infinity);
    const done = new Uint8Array(n + 1);
    while (rowOf[column] !== 0) {
      done[column] = 1;
      const from = rowOf[column];
      let delta = Infinity;
      let next = 0;
      for (let j = 1; j <= n; j++) {
        if (done[j]) continue;
        const reduced = costAt(from - 1, j - 1) - rowPotential[from] - columnPotential[j];
        if (reduced < slack[j]) {
          slack[j] = reduced;
          cameFrom[j] = column;
        }
        if (slack[j] < delta) {
          delta = slack[j]!;
          next = j;
        }
      }
      for (let j = 0; j <= n; j++) {
        if (done[j]) {
          rowPotential[rowOf[j]] += delta;
          columnPotential[j] -= delta;
        } else {
          slack[j] -= delta;
        }
      }
      column = next;
    }
    while (column !== 0) {
      const previous = cameFrom[column];
      rowOf[column] = rowOf[previous]!;
      column = previous;
    }
  }
  return Array.from(rowOf.subarray(1), (row) => row - 1);
}
