/** Cells padded to the widest of their column: the first column to the left, `right` ones to the right. */
export function alignColumns(
  rows: readonly (readonly string[])[],
  align: 'left' | 'right' = 'left',
): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return align === 'left' || column === 0 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd(),
  );
}
