import type { Brief, ObjectBrief } from '../protocol/index.js';

/**
 * Whether the Brief changed in a way worth publishing at once: refs, a position by more than `minMoveM`,
 * freshness, labels, containers, what is held, or the state of perception. The robot's own motion and drifting
 * certainties are not; the periodic publication carries them.
 */
export function isBriefChange(previous: Brief, next: Brief, minMoveM: number): boolean {
  if (previous.objects.length !== next.objects.length) return true;
  if (previous.freshness !== next.freshness || previous.perception.state !== next.perception.state)
    return true;
  if (!sameList(previous.robot.holding, next.robot.holding)) return true;
  // Both lists are ordered by ref, so equal sets of refs stand at equal places.
  return next.objects.some((object, index) => {
    const before = previous.objects[index];
    return before === undefined || isObjectChange(before, object, minMoveM);
  });
}

function isObjectChange(before: ObjectBrief, after: ObjectBrief, minMoveM: number): boolean {
  return (
    before.ref !== after.ref ||
    before.freshness !== after.freshness ||
    before.label !== after.label ||
    before.containerState !== after.containerState ||
    !sameList(before.contents, after.contents) ||
    distance(before.coarsePosition, after.coarsePosition) > minMoveM
  );
}

/** Infinite when only one of the two is known. */
function distance(a: readonly number[] | undefined, b: readonly number[] | undefined): number {
  if (a === undefined || b === undefined) return a === b ? 0 : Infinity;
  return Math.hypot(...a.map((value, axis) => value - (b[axis] ?? 0)));
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
