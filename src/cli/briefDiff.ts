import type { Brief, ObjectBrief } from '../protocol/index.js';
import { compareRefs, renderSceneGraphBrief } from '../protocol/index.js';

/**
 * How a Brief differs from the one before, in the Brief's own lines: `+` for an object that is new, `~` for one
 * whose words changed (label, container, contents, or that it went missing or came back), `-` for one that is
 * gone. Positions and confidences settle all the time, and things pass in and out of view: not worth a line.
 */
export function briefDiff(before: Brief | undefined, after: Brief): string[] {
  const known = new Map((before?.objects ?? []).map((object) => [object.ref, object]));
  const lines = after.objects.flatMap((object) => {
    const old = known.get(object.ref);
    known.delete(object.ref);
    const sign = old === undefined ? '+' : wordsOf(old) === wordsOf(object) ? undefined : '~';
    return sign === undefined ? [] : [`${sign} ${objectLine(object, after)}`];
  });
  const gone = [...known.keys()].sort(compareRefs).map((ref) => `- ${ref}`);
  return [...lines, ...gone, ...robotLine(before, after)];
}

function wordsOf({ freshness, label, containerState, contents }: ObjectBrief): string {
  return JSON.stringify([freshness === 'missing', label, containerState, contents]);
}

/** The object's block of the Brief's text, on one line. */
function objectLine(object: ObjectBrief, brief: Brief): string {
  const text = renderSceneGraphBrief({ ...brief, objects: [object] });
  const block = text.slice(text.indexOf('  - ') + 4);
  return block
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}

function robotLine(before: Brief | undefined, after: Brief): string[] {
  const [old = [], now = []] = [before?.robot.holding, after.robot.holding];
  if (old.join() === now.join()) return [];
  return [`~ robot holding [${now.join(', ')}]`];
}
