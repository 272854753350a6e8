import type { Box, Vec3 } from '../math/types.js';
import { matchEntities } from './scoreDetection.js';
import { presentObjects } from './matchObjects.js';
import { isStructure } from './replayResult.js';
import type { ReplayResult } from './replayResult.js';
import type { Truth } from './truth.js';
import { EvaluationError } from './truth.js';

/** What a drawn box means; each has a colour of its own. */
export type DrawnRole = 'found' | 'missed' | 'matched' | 'spurious' | 'unscored' | 'ignore' | 'structure';

export interface DrawnBox {
  readonly role: DrawnRole;
  readonly box: Box;
  readonly text: string;
}

export const ROLE_COLORS: Readonly<Record<DrawnRole, string>> = {
  found: '#1a8f3c',
  missed: '#d62728',
  matched: '#1f77b4',
  spurious: '#e8590c',
  unscored: '#868e96',
  ignore: '#e6b800',
  structure: '#adb5bd',
};

export const ROLE_TEXTS: Readonly<Record<DrawnRole, string>> = {
  found: 'true, found',
  missed: 'true, missed',
  matched: 'entity that matches',
  spurious: 'entity that is wrong',
  unscored: 'entity outside the scored region or ignored',
  ignore: 'ignore box',
  structure: 'floor, walls, supports of the graph',
};

/** Everything worth drawing at the end of a replay, the background first. */
export function pictureScene(result: ReplayResult, truth: Truth): DrawnBox[] {
  const timeS = result.endS;
  if (timeS === undefined)
    throw new EvaluationError('brief.json has no updated_at: the replay used no frame');
  const { entities } = result.graph;
  const matching = matchEntities(truth, presentObjects(truth, timeS), entities, timeS, 'tolerance');
  const matches = [...matching.matches, ...matching.coarseMatches];
  const unscored = [...matching.spuriousOutside, ...matching.ignored];
  const upright = (center: Vec3, size: Vec3): Box => ({ center, size, yaw: 0 });
  return [
    ...entities.filter(isStructure).map(({ ref, box }) => drawn('structure', box, ref)),
    ...truth.ignore.map(({ center, size }) => drawn('ignore', upright(center, size), '')),
    ...unscored.map(({ ref, box }) => drawn('unscored', box, ref)),
    ...matching.missed.map(({ object, center, size }) => drawn('missed', upright(center, size), object.id)),
    ...matches.map(({ present }) => drawn('found', upright(present.center, present.size), present.object.id)),
    ...matches.map(({ entity }) => drawn('matched', entity.box, entity.ref)),
    ...matching.spuriousInside.map(({ ref, box }) => drawn('spurious', box, ref)),
  ];
}

function drawn(role: DrawnRole, box: Box, text: string): DrawnBox {
  return { role, box, text };
}
