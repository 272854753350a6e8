import type { KnownStructure } from '../perceive/perceive.js';
import type { KnownLevel } from '../perceive/horizontalPlanes.js';
import { alongWall, type KnownUpright } from '../perceive/uprightPlanes.js';
import { isWhole } from './structures.js';
import type { GraphState, Thing } from './types.js';

/** A structure must have been seen this often before perception may lean on it. */
const TRUSTED_AFTER = 3;

/** What the graph knows of floors, supports and walls, in the form perception takes. */
export function knownStructure(state: GraphState): KnownStructure {
  const levels: KnownLevel[] = [];
  const uprights: KnownUpright[] = [];
  for (const thing of [...state.entities.values(), ...state.tracks.values()]) {
    if (thing.plane === undefined || thing.observations < TRUSTED_AFTER || !isWhole(thing)) continue;
    if (thing.kind === 'wall') uprights.push(uprightOf(thing));
    else levels.push(levelOf(thing));
  }
  return { levels, uprights };
}

function levelOf(thing: Thing): KnownLevel {
  const hull = thing.plane?.hull ?? [];
  const xs = hull.filter((_, k) => k % 2 === 0);
  const ys = hull.filter((_, k) => k % 2 === 1);
  return {
    z: -(thing.plane?.d ?? 0),
    minX: Math.min(...xs),
    maxX: Math.max(...xs),
    minY: Math.min(...ys),
    maxY: Math.max(...ys),
    hull,
  };
}

function uprightOf(thing: Thing): KnownUpright {
  const [normalX, normalY] = thing.plane?.normal ?? [1, 0, 0];
  const ends = thing.plane?.hull ?? [0, 0, 0, 0];
  const a = alongWall(normalX, normalY, ends[0], ends[1]);
  const b = alongWall(normalX, normalY, ends[2], ends[3]);
  return {
    normalX,
    normalY,
    d: thing.plane?.d ?? 0,
    minAlong: Math.min(a, b),
    maxAlong: Math.max(a, b),
    minZ: thing.box.center[2] - thing.box.size[2] / 2,
    maxZ: thing.box.center[2] + thing.box.size[2] / 2,
  };
}
