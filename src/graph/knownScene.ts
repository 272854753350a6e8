import type { Vec3 } from '../math/types.js';
import type { KnownScene } from '../perceive/perceive.js';
import type { KnownLevel } from '../perceive/horizontalPlanes.js';
import type { Probe } from '../perceive/probeVisibility.js';
import { alongWall, type KnownUpright } from '../perceive/uprightPlanes.js';
import { carriedRefs } from './holding.js';
import { addRefsNear, inMapOrder, placesOfState } from './placeIndex.js';
import { isWhole } from './structures.js';
import type { Entity, GraphState, Thing } from './types.js';

/** A structure must have been seen this often before perception may lean on it. */
const TRUSTED_AFTER = 3;

/** Where a camera stands, and how far away it may still tell something, metres. */
export interface Surroundings {
  readonly center: Vec3;
  readonly reachM: number;
}

/**
 * What the graph knows that helps to perceive the next frame: floors, supports and walls, and where to look for
 * things. Held things, and what is in them, move with the hand and are
 * not looked for.
 * @param around what lies elsewhere is left out; without it all is told
 */
export function knownScene(state: GraphState, around?: Surroundings): KnownScene {
  const levels: KnownLevel[] = [];
  const uprights: KnownUpright[] = [];
  const probes: Probe[] = [];
  const entities = around === undefined ? [...state.entities.values()] : entitiesAround(state, around);
  for (const thing of [...entities, ...state.tracks.values()]) {
    if (thing.plane === undefined || thing.observations < TRUSTED_AFTER || !isWhole(thing)) continue;
    if (thing.kind === 'wall') uprights.push(uprightOf(thing));
    else levels.push(levelOf(thing));
  }
  const held = carriedRefs(state);
  for (const entity of entities) if (!held.has(entity.ref)) addProbe(probes, entity.ref, entity);
  for (const track of state.tracks.values()) addProbe(probes, trackKey(track.id), track);
  return { levels, uprights, probes };
}

function entitiesAround(state: GraphState, { center, reachM }: Surroundings): Entity[] {
  const refs = addRefsNear(new Set<string>(), placesOfState(state), center, reachM);
  return inMapOrder(refs, state.entities).flatMap((ref) => state.entities.get(ref) ?? []);
}

function addProbe(probes: Probe[], key: string, { kind, samples, box }: Thing): void {
  if (kind === 'object' && samples.length > 0) probes.push({ key, samples, height: box.size[2] });
}

/** Key of a track's probe; no ref looks like it. */
export function trackKey(id: number): string {
  return `#${id}`;
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
