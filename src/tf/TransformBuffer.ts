/**
 * The tree of frames over time, with the meaning of tf2's BufferCore: a lookup at a stamp interpolates each
 * edge between its two samples and never extrapolates; static edges answer for every stamp. Differences are
 * deliberate and few: infinity is refused like NaN, a repeated stamp replaces its sample instead of piling up.
 */
import { MAX_FRAME_ID_LENGTH } from '../input/frameId.js';
import type { TransformStamped } from '../input/messages.js';
import type { Failure } from '../math/Result.js';
import { normalizeQuat } from '../math/quaternion.js';
import {
  IDENTITY_TRANSFORM,
  composeTransforms,
  invertTransform,
  isFiniteTransform,
} from '../math/rigidTransform.js';
import type { RigidTransform } from '../math/types.js';
import { durationFromSeconds, type DurationNs, type Stamp } from '../time/Stamp.js';
import { StaticCache } from './StaticCache.js';
import { TimeCache, type FrameCache } from './TimeCache.js';
import {
  emptyFrameId,
  extrapolation,
  insertRefused,
  loopFound,
  notConnected,
  slashedFrameId,
  unknownFrame,
  type InsertCause,
  type LookupCause,
} from './TransformError.js';

export type InsertResult = { readonly ok: true } | Failure<InsertCause>;

/** `transform` is target_T_source; `stamp` the moment it holds for, 0 when every edge is static. */
export type LookupResult =
  { readonly ok: true; readonly transform: RigidTransform; readonly stamp: Stamp } | Failure<LookupCause>;

/** Longest chain that is followed, as in tf2; anything longer is taken for a loop. */
const MAX_DEPTH = 1000;

/** Largest | |q|² − 1 | that counts as rounding, as in tf2; smaller deviations are normalised. */
const MAX_QUATERNION_ERROR = 0.01;

/** Ten times the frames of a large robot; beyond it a sender counts its frame ids up. */
export const MAX_FRAMES = 2000;

export const DEFAULT_CACHE_NS = durationFromSeconds(10);

export class TransformBuffer {
  readonly #reach: DurationNs;
  /** By child frame. */
  readonly #caches = new Map<string, FrameCache>();
  readonly #known = new Set<string>();

  /** @param reach how far back from a frame's newest sample its history is kept. */
  constructor(reach: DurationNs = DEFAULT_CACHE_NS) {
    this.#reach = reach;
  }

  /** Adds parent_T_child. One leading slash of a frame id is dropped, as tf2 does here (and only here). */
  insert(transform: TransformStamped, isStatic = false): InsertResult {
    const child = withoutSlash(transform.childFrameId);
    const parent = withoutSlash(transform.parentFrameId);
    const refused = whyRefused(transform, child, parent);
    if (refused) return insertRefused(refused, child, parent);
    if (!this.#hasRoomFor(child, parent)) return insertRefused('too_many_frames', child, parent);
    this.#known.add(child).add(parent);
    const parent_T_frame = {
      translation: transform.translation,
      rotation: normalizeQuat(transform.rotation),
    };
    const outcome = this.#cacheOf(child, isStatic).insert({ stamp: transform.stamp, parent, parent_T_frame });
    return outcome === 'inserted' ? { ok: true } : insertRefused(outcome, child, parent);
  }

  /** target_T_source at a stamp; stamp 0 asks for the latest moment that the whole chain knows. */
  lookup(target: string, source: string, stamp: Stamp): LookupResult {
    if (target === source) return { ok: true, transform: IDENTITY_TRANSFORM, stamp };
    const refused = this.#checkFrame('target frame', target) ?? this.#checkFrame('source frame', source);
    if (refused) return refused;
    if (stamp !== 0n) return this.#lookupAt(target, source, stamp);
    const latest = this.latestCommonStamp(target, source);
    if (latest === undefined) return notConnected(target, source);
    return this.#lookupAt(target, source, latest);
  }

  /** Newest stamp at which both frames can be related; 0 for a static chain, undefined when unconnected. */
  latestCommonStamp(target: string, source: string): Stamp | undefined {
    const fromSource = this.#latestChain(source);
    const fromTarget = this.#latestChain(target);
    const meeting = [...fromTarget.keys()].find((frame) => fromSource.has(frame));
    if (meeting === undefined) return undefined;
    const stamps = [fromSource.get(meeting), fromTarget.get(meeting)].filter((stamp) => stamp !== undefined);
    const moving = stamps.filter((stamp) => stamp !== 0n);
    return moving.reduce((oldest, stamp) => (stamp < oldest ? stamp : oldest), moving[0] ?? 0n);
  }

  hasFrame(frame: string): boolean {
    return this.#known.has(frame);
  }

  /** True when the frame hangs under another one, by whichever kind of message. */
  hasParent(frame: string): boolean {
    return this.#caches.get(frame)?.newest() !== undefined;
  }

  /** Every frame ever named, in order of appearance, each with its present parent when it has one. */
  frames(): readonly {
    readonly frame: string;
    readonly parent: string | undefined;
    readonly isStatic: boolean;
  }[] {
    return [...this.#known].map((frame) => {
      const cache = this.#caches.get(frame);
      return { frame, parent: cache?.newest()?.parent, isStatic: cache?.isStatic ?? false };
    });
  }

  /** The newest stamp known of a frame that moves. */
  newestStamp(frame: string): Stamp | undefined {
    const cache = this.#caches.get(frame);
    return cache?.isStatic === false ? cache.newest()?.stamp : undefined;
  }

  /** Forgets everything that moves; static frames stay, as their publishers send them only once. */
  clear(): void {
    for (const [frame, cache] of this.#caches) {
      if (!cache.isStatic) this.#caches.delete(frame);
    }
  }

  /** Drops everything known about where one frame hangs, so that another kind of sender can take over. */
  forget(frame: string): boolean {
    return this.#caches.delete(frame);
  }

  #hasRoomFor(child: string, parent: string): boolean {
    const unknown = [child, parent].filter((frame) => !this.#known.has(frame));
    return this.#known.size + unknown.length <= MAX_FRAMES;
  }

  /** The first message about a frame decides whether it is static; it stays what it is. */
  #cacheOf(child: string, isStatic: boolean): FrameCache {
    let cache = this.#caches.get(child);
    if (!cache) {
      cache = isStatic ? new StaticCache() : new TimeCache(this.#reach);
      this.#caches.set(child, cache);
    }
    return cache;
  }

  #checkFrame(argument: string, frame: string): Failure<LookupCause> | undefined {
    if (frame === '') return emptyFrameId(argument);
    if (frame.startsWith('/')) return slashedFrameId(argument, frame);
    return this.#known.has(frame) ? undefined : unknownFrame(argument, frame);
  }

  /**
   * Climbs from both ends towards the root and joins at the first common frame. A frame whose samples do
   * not reach the stamp ends its climb; that matters only when the two ends then do not meet.
   */
  #lookupAt(target: string, source: string, stamp: Stamp): LookupResult {
    const up = this.#climb(source, stamp, (frame) => frame === target);
    const down = this.#climb(target, stamp, (frame) => up.poses.has(frame));
    const loop = up.loopAt ?? down.loopAt;
    const a_T_source = up.poses.get(down.top);
    const a_T_target = down.poses.get(down.top);
    if (a_T_source && a_T_target) {
      return { ok: true, transform: composeTransforms(invertTransform(a_T_target), a_T_source), stamp };
    }
    if (loop !== undefined) return loopFound(loop);
    const gap = up.gap ?? down.gap;
    if (!gap) return notConnected(target, source);
    return extrapolation(gap, up.gap ? up.top : down.top, target, source);
  }

  /** `poses`: each frame passed to frame_T_start; `top`: the last of them. */
  #climb(start: string, stamp: Stamp, isGoal: (frame: string) => boolean): Climb {
    const poses = new Map<string, RigidTransform>([[start, IDENTITY_TRANSFORM]]);
    let top = start;
    let top_T_start = IDENTITY_TRANSFORM;
    for (let depth = 0; !isGoal(top); depth++) {
      const cache = this.#caches.get(top);
      const found = cache?.find(stamp);
      if (!found) break;
      if (!found.ok) return { poses, top, gap: found.gap, loopAt: undefined };
      top_T_start = composeTransforms(found.placement.parent_T_frame, top_T_start);
      top = found.placement.parent;
      if (poses.has(top) || depth >= MAX_DEPTH) return { poses, top, gap: undefined, loopAt: top };
      poses.set(top, top_T_start);
    }
    return { poses, top, gap: undefined, loopAt: undefined };
  }

  /** Each frame on the way up by newest parents, to the oldest moving stamp passed on the way (0: none). */
  #latestChain(start: string): Map<string, Stamp> {
    const chain = new Map<string, Stamp>([[start, 0n]]);
    let frame = start;
    let oldest = 0n;
    for (;;) {
      const cache = this.#caches.get(frame);
      const newest = cache?.newest();
      if (!cache || !newest || chain.has(newest.parent)) return chain;
      if (!cache.isStatic && (oldest === 0n || newest.stamp < oldest)) oldest = newest.stamp;
      frame = newest.parent;
      chain.set(frame, oldest);
    }
  }
}

interface Climb {
  readonly poses: ReadonlyMap<string, RigidTransform>;
  readonly top: string;
  readonly gap: Parameters<typeof extrapolation>[0] | undefined;
  readonly loopAt: string | undefined;
}

/** `/cam` → `cam`; only one slash, so that `//cam` stays visibly wrong. */
export function withoutSlash(frameId: string): string {
  return frameId.startsWith('/') ? frameId.slice(1) : frameId;
}

function whyRefused(transform: TransformStamped, child: string, parent: string): InsertCause | undefined {
  if (child === parent && child !== '') return 'self_transform';
  if (child === '') return 'no_child_frame_id';
  if (parent === '') return 'no_frame_id';
  if (Math.max(child.length, parent.length) > MAX_FRAME_ID_LENGTH) return 'frame_id_too_long';
  if (!isFiniteTransform(transform)) return 'nan_input';
  const squared = transform.rotation.reduce((sum, value) => sum + value * value, 0);
  return Math.abs(squared - 1) >= MAX_QUATERNION_ERROR ? 'denormalized_quaternion' : undefined;
}
