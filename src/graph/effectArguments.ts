/** Picks the parts of an effect out of a call: refs, places, words. */
import { yawOf } from '../math/quaternion.js';
import { quoteInput, refuse, type Refusal } from '../protocol/index.js';
import type { Vec3 } from '../math/types.js';
import { resolveAlias } from './acceptRef.js';
import type { EffectSource } from './effectsTable.js';
import type { Entity, ExecutionEvent, GraphState } from './types.js';

/** Metres beyond which a told position is a mistake of unit or frame. */
const FARTHEST_M = 10_000;

export interface ToldPlace {
  readonly position: Vec3;
  readonly yaw?: number;
}

/** The value a source points to; the first path that leads to something counts. */
export function pick(event: ExecutionEvent, source: EffectSource | undefined): unknown {
  if (source === undefined) {
    return undefined;
  }
  if (typeof source === 'object' && !Array.isArray(source)) {
    return source.value;
  }
  const roots: Record<string, unknown> = { arguments: event.arguments, result: event.result };
  for (const path of typeof source === 'string' ? [source] : source) {
    const found = path.split('.').reduce<unknown>(property, roots);
    if (found !== undefined && found !== null && found !== '') {
      return found;
    }
  }
  return undefined;
}

/** The word a source points to, trimmed; undefined when absent or no text. */
export function pickWord(event: ExecutionEvent, source: EffectSource | undefined): string | undefined {
  const value = pick(event, source);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The entity a source names, aliases followed, or why there is none. */
export function pickEntity(state: GraphState, event: ExecutionEvent, source: EffectSource): Entity | Refusal {
  const named = pick(event, source);
  if (typeof named !== 'string' || named.trim() === '') {
    const where =
      typeof source === 'string' ? source : Array.isArray(source) ? source.join(' or ') : 'its value';
    return refuse(
      'effect_ref_not_found',
      `${quoteInput(event.toolName)} names no object: ${where} is missing.`,
    );
  }
  const ref = resolveAlias(state, named.trim());
  const entity = state.entities.get(ref);
  if (entity !== undefined) {
    return entity;
  }
  const wasRemoved = state.tombstones.has(ref) ? 'was removed' : 'is not in the graph';
  return refuse('effect_ref_not_found', `${quoteInput(named)} ${wasRemoved}.`);
}

/** As `pickEntity`, but absent is fine. */
export function pickOptionalEntity(
  state: GraphState,
  event: ExecutionEvent,
  source: EffectSource | undefined,
): Entity | Refusal | undefined {
  return source === undefined || pick(event, source) === undefined
    ? undefined
    : pickEntity(state, event, source);
}

/**
 * A told position in the map, metres: [x, y, z] or [x, y, z, yaw], {x, y, z}, a pose {position, orientation},
 * or a stamped pose whose frame must be the map's.
 */
export function pickPlace(
  state: GraphState,
  event: ExecutionEvent,
  sources: { readonly position?: EffectSource; readonly yaw?: EffectSource },
): ToldPlace | Refusal | undefined {
  const told = pick(event, sources.position);
  if (told === undefined) {
    return undefined;
  }
  const frame = property(property(told, 'header'), 'frame_id') ?? property(told, 'frame_id');
  if (typeof frame === 'string' && frame !== '' && frame !== state.mapFrame) {
    return refuse(
      'effect_impossible',
      `The pose is in frame ${quoteInput(frame)}, not in ${quoteInput(state.mapFrame)}.`,
    );
  }
  const pose = property(told, 'pose') ?? told;
  const position = readPosition(property(pose, 'position') ?? pose);
  if (position === undefined) {
    return refuse(
      'effect_impossible',
      `Not a position of three finite numbers in metres: ${quoteInput(told)}.`,
    );
  }
  const yaw = readYaw(event, sources.yaw, pose);
  return yaw === undefined ? { position } : { position, yaw };
}

function readPosition(value: unknown): Vec3 | undefined {
  const parts = Array.isArray(value)
    ? value.slice(0, 3)
    : ['x', 'y', 'z'].map((axis) => property(value, axis));
  const [x, y, z] = parts.map((part) =>
    typeof part === 'number' && Math.abs(part) <= FARTHEST_M ? part : undefined,
  );
  return x === undefined || y === undefined || z === undefined ? undefined : [x, y, z];
}

function readYaw(event: ExecutionEvent, source: EffectSource | undefined, pose: unknown): number | undefined {
  const told: unknown = pick(event, source) ?? (Array.isArray(pose) ? pose[3] : property(pose, 'yaw'));
  if (typeof told === 'number' && Number.isFinite(told)) {
    return Math.atan2(Math.sin(told), Math.cos(told));
  }
  const orientation = property(pose, 'orientation');
  const parts: unknown[] = Array.isArray(orientation)
    ? orientation
    : ['x', 'y', 'z', 'w'].map((axis) => property(orientation, axis));
  const [x, y, z, w] = parts.map((part) =>
    typeof part === 'number' && Number.isFinite(part) ? part : undefined,
  );
  if (x === undefined || y === undefined || z === undefined || w === undefined) {
    return undefined;
  }
  const norm = Math.hypot(x, y, z, w);
  return norm < 1e-6 ? undefined : yawOf([x / norm, y / norm, z / norm, w / norm]);
}

/** Own properties only: a path cannot reach into prototypes. */
function property(value: unknown, key: string): unknown {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}
