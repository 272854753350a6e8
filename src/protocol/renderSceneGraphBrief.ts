/**
 * The Brief as text for a planner's prompt. Its form is part of the contract: consumers have golden copies
 * of it. It lists every ref of the Brief and never mentions relations.
 */
import { formatNumber } from './formatNumber.js';
import type { Brief, ObjectBrief, Perception, RobotBrief } from './records.js';
import { parseRef } from './refs.js';
import { escapeText } from './refuse.js';

export interface RenderOptions {
  /** ISO 8601: the moment "since" is counted to while no frame comes. Default: the Brief's `updatedAt`. */
  readonly now?: string;
  /** When set, far objects shrink to one line of refs per label until the text fits, if it can. */
  readonly tokenBudget?: number;
}

/** Characters per token that a budget is reckoned with; a rule of thumb for English and refs. */
const CHARACTERS_PER_TOKEN = 4;

/** Renders the golden text, lines joined by `\n`, without one at the end. */
export function renderSceneGraphBrief(brief: Brief, options: RenderOptions = {}): string {
  return new BriefRenderer().render(brief, options);
}

/** Texts of one Brief after the other: an object that is the same as before is not written out again. */
export class BriefRenderer {
  readonly #texts = new WeakMap<ObjectBrief, ObjectText>();

  /** The golden text, as `renderSceneGraphBrief` gives it. */
  render(brief: Brief, options: RenderOptions = {}): string {
    const head = headLines(brief, options.now ?? brief.updatedAt);
    const full = [...head, ...this.#fullTexts(brief)].join('\n');
    if (options.tokenBudget === undefined || fits(full, options.tokenBudget)) {
      return full;
    }
    return this.#shortened(brief, head, options.tokenBudget);
  }

  #fullTexts(brief: Brief): string[] {
    if (brief.objects.length === 0) {
      return ['  - none'];
    }
    const updatedMs = millisecondsOf(brief.updatedAt);
    return brief.objects.map((object) => this.#text(object, updatedMs));
  }

  /** @param updatedMs when the Brief was updated, milliseconds since 1970 */
  #text(object: ObjectBrief, updatedMs: number | undefined): string {
    let text = this.#texts.get(object);
    if (text === undefined) {
      text = objectText(object);
      this.#texts.set(object, text);
    }
    const ago = wholeSeconds(text.seenMs, updatedMs);
    return `${text.before}${ago === undefined ? '' : `, seen ${ago}s ago`}${text.after}`;
  }

  /** Keeps as many of the nearest objects in full as the budget allows; all others stay listed by label. */
  #shortened(brief: Brief, head: readonly string[], tokenBudget: number): string {
    const byDistance = nearestFirst(brief);
    const updatedMs = millisecondsOf(brief.updatedAt);
    const textWith = (count: number): string => {
      const near = new Set(byDistance.slice(0, count).map(({ ref }) => ref));
      const inFull = brief.objects.filter(({ ref }) => near.has(ref));
      const far = brief.objects.filter(({ ref }) => !near.has(ref));
      const texts = inFull.map((object) => this.#text(object, updatedMs));
      return [...head, ...texts, ...labelLines(far)].join('\n');
    };
    let fitting = 0;
    let tooMany = brief.objects.length;
    while (tooMany - fitting > 1) {
      const middle = (fitting + tooMany) >> 1;
      if (fits(textWith(middle), tokenBudget)) {
        fitting = middle;
      } else {
        tooMany = middle;
      }
    }
    return textWith(fitting);
  }
}

/** An object's lines around what changes with time alone. */
interface ObjectText {
  readonly before: string;
  /** What "seen … ago" counts from, milliseconds since 1970; undefined where the text has none. */
  readonly seenMs: number | undefined;
  readonly after: string;
}

function headLines(brief: Brief, now: string | undefined): string[] {
  const lines = ['Scene graph brief:', `  objects=${brief.objects.length};`];
  if (brief.updatedAt !== undefined) {
    lines.push(`  stamp=${formatStamp(brief.updatedAt)}`);
  }
  const metadata = [
    `freshness=${brief.freshness}`,
    `provenance=${brief.provenance}`,
    `coordinate_frame=${escapeText(brief.coordinateFrame)}`,
    ...perceptionPart(brief.perception, now),
  ];
  lines.push(`  metadata: ${metadata.join('; ')}`, ...robotLines(brief.robot), 'Observed objects:');
  return lines;
}

function perceptionPart(perception: Perception, now: string | undefined): string[] {
  if (perception.state === 'ok') {
    return [];
  }
  const since = wholeSecondsBetween(perception.blindSince, now);
  const sinceText = since === undefined ? '' : ` since ${since}s`;
  const reason = perception.reason === undefined ? '' : ` (${escapeText(perception.reason)})`;
  return [`perception=${perception.state}${sinceText}${reason}`];
}

function robotLines(robot: RobotBrief): string[] {
  const pose = robot.pose === undefined ? 'unavailable' : `[${robot.pose.map(formatNumber).join(', ')}]`;
  return [`Robot: pose=${pose},`, `  gripper ${gripperText(robot)}`];
}

function gripperText(robot: RobotBrief): string {
  if (robot.holding !== undefined && robot.holding.length > 0) {
    return `holding [${robot.holding.join(', ')}]`;
  }
  return robot.pose === undefined && robot.holding === undefined ? 'unavailable' : 'empty';
}

function objectText(object: ObjectBrief): ObjectText {
  const place =
    object.coarsePosition === undefined ? '' : ` at (${object.coarsePosition.map(formatNumber).join(', ')})`;
  const confidence = object.confidence === undefined ? '' : `\n    conf=${formatNumber(object.confidence)}`;
  const after: string[] = [];
  if (object.label !== undefined && object.label !== parseRef(object.ref)?.stem) {
    after.push(`\n    label=${escapeText(object.label)}`);
  }
  if (object.containerState !== undefined) {
    after.push(`\n    container_state=${object.containerState}`);
  }
  if (object.contents !== undefined && object.contents.length > 0) {
    after.push(`\n    contents=[${object.contents.join(', ')}]`);
  }
  return {
    before: `  - ${object.ref}${place};${confidence}\n    freshness=${object.freshness}`,
    seenMs: object.freshness === 'current' ? undefined : millisecondsOf(object.lastSeen),
    after: after.join(''),
  };
}

function nearestFirst(brief: Brief): ObjectBrief[] {
  const robot = brief.robot.pose ?? [0, 0, 0];
  const distance = (object: ObjectBrief): number => {
    const place = object.coarsePosition;
    return place === undefined
      ? Number.POSITIVE_INFINITY
      : Math.hypot(...place.slice(0, 3).map((value, axis) => value - (robot[axis] ?? 0)));
  };
  const keyed = brief.objects.map((object, index) => ({ object, index, distance: distance(object) }));
  keyed.sort((a, b) => (a.distance === b.distance ? a.index - b.index : a.distance < b.distance ? -1 : 1));
  return keyed.map(({ object }) => object);
}

function labelLines(objects: readonly ObjectBrief[]): string[] {
  const refsByLabel = new Map<string, string[]>();
  for (const object of objects) {
    const label = object.label ?? parseRef(object.ref)?.stem ?? object.ref;
    refsByLabel.set(label, [...(refsByLabel.get(label) ?? []), object.ref]);
  }
  return [...refsByLabel].map(([label, refs]) => `  - ${escapeText(label)}: ${refs.join(', ')}`);
}

function fits(text: string, tokenBudget: number): boolean {
  return text.length <= tokenBudget * CHARACTERS_PER_TOKEN;
}

/** The stamp in UTC, milliseconds only where they are not zero. */
function formatStamp(iso: string): string {
  return new Date(iso).toISOString().replace('.000Z', 'Z');
}

/** Undefined when either end is unknown or they stand the wrong way round (another clock). */
function wholeSecondsBetween(from: string | undefined, to: string | undefined): number | undefined {
  return wholeSeconds(millisecondsOf(from), millisecondsOf(to));
}

function wholeSeconds(fromMs: number | undefined, toMs: number | undefined): number | undefined {
  if (fromMs === undefined || toMs === undefined) {
    return undefined;
  }
  const seconds = Math.floor((toMs - fromMs) / 1000);
  return seconds >= 0 ? seconds : undefined;
}

function millisecondsOf(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso);
}
