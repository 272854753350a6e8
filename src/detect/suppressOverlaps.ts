import type { Detection } from '../camera/Detection.js';

/**
 * Greedy non-maximum suppression within each label: surest first, and nothing stays that overlaps a stayer of its
 * label by more than `iou`. Of equal scores the earlier one comes first, so the outcome never depends on chance.
 */
export function suppressOverlaps<T>(
  items: readonly T[],
  detectionOf: (item: T) => Detection,
  iou: number,
): readonly T[] {
  const ordered = [...items].sort((a, b) => detectionOf(b).score - detectionOf(a).score);
  if (iou >= 1) return ordered;
  const kept: T[] = [];
  for (const item of ordered) {
    const { label, box } = detectionOf(item);
    const covered = kept.some((stayer) => {
      const other = detectionOf(stayer);
      return other.label === label && overlap(other.box, box) > iou;
    });
    if (!covered) kept.push(item);
  }
  return kept;
}

/** Intersection over union. */
export function overlap(a: Detection['box'], b: Detection['box']): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  if (width <= 0 || height <= 0) return 0;
  const shared = width * height;
  return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared);
}
