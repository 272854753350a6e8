import { composeTransforms } from '../math/rigidTransform.js';
import { IDENTITY_ROTATION, quatFromYaw, rotationMatrix } from '../math/quaternion.js';
import type { RigidTransform, Vec3 } from '../math/types.js';
import type { Scene, Shape, Texture, Thing } from './Scene.js';

/** A part with its place in the map worked out, ready for the ray-caster. */
export interface CompiledPart {
  /** 1 + index of its thing in the scene; 0 is nothing. */
  readonly instance: number;
  readonly shape: Shape;
  /** Lathe profile as r, z pairs one after another; empty for the others. */
  readonly profile: Float64Array;
  /** map_R_part, row-major. */
  readonly rotation: Float64Array;
  /** Part origin in the map. */
  readonly position: Vec3;
  /** Bounds in the part's frame. */
  readonly low: Vec3;
  readonly high: Vec3;
  readonly texture: Texture;
  /** 0…255. */
  readonly depthReturn: number;
}

export function map_T_thing(thing: Pick<Thing, 'pose'>): RigidTransform {
  return { translation: thing.pose.position, rotation: quatFromYaw(thing.pose.yaw) };
}

/** All parts of all things. Throws on a profile with fewer than two points or on more than 65535 parts. */
export function compileScene(scene: Scene): CompiledPart[] {
  const parts = scene.things.flatMap((thing, index) => compileThing(thing, index + 1));
  if (parts.length > 65535) throw new RangeError(`a scene holds at most 65535 parts, found ${parts.length}`);
  return parts;
}

export function compileThing(thing: Thing, instance: number): CompiledPart[] {
  return thing.parts.map((part) => {
    const map_T_part = composeTransforms(map_T_thing(thing), {
      translation: part.position ?? [0, 0, 0],
      rotation: part.rotation ?? IDENTITY_ROTATION,
    });
    const [low, high] = shapeBounds(part.shape);
    return {
      instance,
      shape: part.shape,
      profile: Float64Array.from(part.shape.kind === 'lathe' ? part.shape.profile.flat() : []),
      rotation: Float64Array.from(rotationMatrix(map_T_part.rotation)),
      position: map_T_part.translation,
      low,
      high,
      texture: part.texture,
      depthReturn: Math.round(255 * (part.depthReturn ?? 1)),
    };
  });
}

/** Lower and upper corner of a shape in its own frame. */
export function shapeBounds(shape: Shape): readonly [Vec3, Vec3] {
  if (shape.kind === 'box') {
    const [x, y, z] = shape.size;
    return [
      [-x / 2, -y / 2, -z / 2],
      [x / 2, y / 2, z / 2],
    ];
  }
  if (shape.kind === 'sphere') {
    const r = shape.radius;
    return [
      [-r, -r, -r],
      [r, r, r],
    ];
  }
  if (shape.profile.length < 2) throw new RangeError('a lathe profile needs at least two points');
  const r = Math.max(...shape.profile.map(([radius]) => radius));
  const heights = shape.profile.map(([, z]) => z);
  return [
    [-r, -r, Math.min(...heights)],
    [r, r, Math.max(...heights)],
  ];
}

/** Exact axis-aligned hull of a thing in the map: lower and upper corner. */
export function thingHull(thing: Thing): { readonly low: Vec3; readonly high: Vec3 } {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const part of compileThing(thing, 1)) {
    for (const axis of [0, 1, 2] as const) {
      const [partLow, partHigh] = reachAlong(part, axis);
      low[axis] = Math.min(low[axis], part.position[axis] + partLow);
      high[axis] = Math.max(high[axis], part.position[axis] + partHigh);
    }
  }
  return { low, high };
}

/** Least and greatest coordinate along one map axis, relative to the part's origin. */
function reachAlong({ shape, rotation }: CompiledPart, axis: 0 | 1 | 2): [number, number] {
  // The map axis seen from the part: one row of map_R_part.
  const x = rotation[3 * axis];
  const y = rotation[3 * axis + 1];
  const z = rotation[3 * axis + 2];
  if (shape.kind === 'sphere') return [-shape.radius, shape.radius];
  if (shape.kind === 'box') {
    const reach =
      (Math.abs(x) * shape.size[0] + Math.abs(y) * shape.size[1] + Math.abs(z) * shape.size[2]) / 2;
    return [-reach, reach];
  }
  // A circle of radius r reaches r·√(1 − z²) along an axis that leans z out of its plane.
  const across = Math.sqrt(Math.max(0, 1 - z * z));
  const lows = shape.profile.map(([r, h]) => h * z - r * across);
  const highs = shape.profile.map(([r, h]) => h * z + r * across);
  return [Math.min(...lows), Math.max(...highs)];
}
