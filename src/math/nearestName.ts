/** The known name with the fewest edits, when these are at most a third of the name (or the group was left out). */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => {
    const leaf = candidate.slice(candidate.lastIndexOf('.') + 1);
    return { candidate, edits: Math.min(editDistance(name, candidate), editDistance(name, leaf) + 1) };
  });
  const best = scored.sort((a, b) => a.edits - b.edits)[0];
  return best !== undefined && best.edits <= Math.max(2, name.length / 3) ? best.candidate : undefined;
}

/** Levenshtein distance. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
