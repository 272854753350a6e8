import type { Match } from './matchObjects.js';
import { shareOf } from './scoreDetection.js';
import type { Share } from './scoreDetection.js';
import type { TruthObject } from './truth.js';

/** Share of its frames in which some detector must name an object for its label to be asked for. */
const NAMEABLE_SHARE = 0.2;

export interface LabelMistake {
  readonly id: string;
  readonly ref: string;
  readonly expected: string;
  readonly found: string;
}

export interface LabelScore {
  /** Of the found objects that a COCO detector can name: those that bear that name. */
  readonly right: Share;
  readonly wrong: readonly LabelMistake[];
}

/** A thing found but not named counts as wrong here: without a detector the score is zero. */
export function scoreLabels(matches: readonly Match[]): LabelScore {
  const asked = matches.flatMap(({ present: { object }, entity }) => {
    const expected = nameOf(object);
    return expected === undefined
      ? []
      : [{ id: object.id, ref: entity.ref, expected, found: plain(entity.label) }];
  });
  const wrong = asked.filter(({ expected, found }) => found !== expected);
  return { right: shareOf(asked.length - wrong.length, asked.length), wrong };
}

/** What a detector would call it; undefined when none does often enough. */
function nameOf({ cocoLabel, detectorBaseline }: TruthObject): string | undefined {
  if (typeof cocoLabel !== 'string') return undefined;
  const shares = typeof detectorBaseline === 'object' ? Object.values(detectorBaseline ?? {}) : [];
  if (shares.length > 0 && Math.max(...shares) < NAMEABLE_SHARE) return undefined;
  return plain(cocoLabel);
}

/** `Potted_Plant` and `potted plant` are one word. */
function plain(label: string): string {
  return label.toLowerCase().replaceAll('_', ' ');
}
