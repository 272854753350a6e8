/**
 * The canonical state: what is where, without time, certainty and history, as bytes that are equal whenever
 * the state is. Lengths are integer micrometres and quaternions millionths, both by floor(x·1e6 + 0.5);
 * keys are sorted. Two states with one hash cannot be told apart by acting in the world.
 */
import { createHash } from 'node:crypto';
import { quatFromYaw } from '../math/quaternion.js';
import type { Quat, Vec3 } from '../math/types.js';
import { compareRefs } from '../protocol/index.js';
import type { Entity, GraphState, RelationEdge } from './types.js';

/** SHA-256 of the canonical JSON, in hex. Not for every frame: it walks the whole state. */
export function canonicalHash(state: GraphState): string {
  return sha256(canonicalJson(state));
}

/** The bytes the hash is taken over. */
export function canonicalJson(state: GraphState): string {
  const parents = parentEdges(state);
  const entities = [...state.entities.values()].sort((a, b) => compareRefs(a.ref, b.ref));
  const { map_T_base: base, holding } = state.robot;
  return sortedJson({
    frame: state.mapFrame,
    objects: entities.map((entity) => canonicalObject(entity, parents.get(entity.ref))),
    robot: {
      holding: holding
        .map(({ ref }) => ref)
        .toArray()
        .sort(compareRefs),
      p: millionths(base?.translation ?? [0, 0, 0]),
      q: canonicalQuat(base?.rotation ?? [0, 0, 0, 1]),
    },
  });
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** JSON with the keys of every object sorted and no blanks. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(sortedJson).join(',')}]`;
  }
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${sortedJson(item)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}

function canonicalObject(entity: Entity, parent: RelationEdge | undefined): Record<string, unknown> {
  return {
    container_state: entity.containerState,
    contents: [...entity.contents].sort(compareRefs),
    obj: entity.ref,
    p: millionths(entity.box.center),
    parent: parent?.otherRef ?? '',
    q: canonicalQuat(quatFromYaw(entity.box.yaw)),
    relation: parent?.relation ?? '',
    size: millionths(entity.box.size),
  };
}

/** What each thing stands on or lies in; `inside` wins where both are recorded. */
function parentEdges(state: GraphState): Map<string, RelationEdge> {
  const parents = new Map<string, RelationEdge>();
  for (const edge of state.relations.values()) {
    if (edge.relation !== 'on' && edge.relation !== 'inside') {
      continue;
    }
    const known = parents.get(edge.ref);
    if (known === undefined || isBefore(edge, known)) {
      parents.set(edge.ref, edge);
    }
  }
  return parents;
}

function isBefore(a: RelationEdge, b: RelationEdge): boolean {
  return a.relation === b.relation ? compareRefs(a.otherRef, b.otherRef) < 0 : a.relation === 'inside';
}

/** Rounded half up; adding 0 turns −0 into 0. */
function millionths(values: Vec3 | Quat): number[] {
  return values.map((value) => Math.floor(value * 1e6 + 0.5) + 0);
}

/** Of the two quaternions of a rotation the one with w > 0; with w = 0 the one whose first part is positive. */
function canonicalQuat(q: Quat): number[] {
  const norm = Math.hypot(...q);
  const rounded = millionths([q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm]);
  const leading = [rounded[3], ...rounded].find((part) => part !== 0) ?? 0;
  return leading < 0 ? millionths([-q[0] / norm, -q[1] / norm, -q[2] / norm, -q[3] / norm]) : rounded;
}
