import type { Quat, Vec3 } from '../math/types.js';

/**
 * A world as plain data (it survives JSON): things made of parts, each part one closed formula a ray can be cut
 * with. Lengths in metres, map frame z up. No meshes, so every hit is exact and truth needs no tolerance of its own.
 */

/** sRGB, 0…255. */
export type Rgb = readonly [number, number, number];

export type Shape =
  /** Centred on the part's origin. */
  | { readonly kind: 'box'; readonly size: Vec3 }
  | { readonly kind: 'sphere'; readonly radius: number }
  /**
   * A line of (radius, z) points turned about the part's z axis: cylinders, cups, bowls, bottles. A segment of
   * equal z is a disc. The surface is seen from both sides, so an open profile is a shell without thickness.
   */
  | { readonly kind: 'lathe'; readonly profile: readonly (readonly [radius: number, z: number])[] };

export type Texture =
  | { readonly kind: 'plain'; readonly color: Rgb }
  | { readonly kind: 'checker' | 'stripes'; readonly colors: readonly [Rgb, Rgb]; readonly sizeM: number }
  /** Grain along the longer side of the face. */
  | { readonly kind: 'wood'; readonly color: Rgb }
  /** Random blocks on a ground colour, like the print on a package or a book cover. */
  | {
      readonly kind: 'print';
      readonly colors: readonly [Rgb, Rgb];
      readonly sizeM: number;
      readonly seed: number;
    };

export interface Part {
  readonly shape: Shape;
  /** thing_T_part; the identity when absent. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
  readonly texture: Texture;
  /** Share of depth readings that come back, 1 when absent: black steel and glass swallow the projector's light. */
  readonly depthReturn?: number;
}

/** Where a thing stands: its own origin (middle of its foot) and its turn about z. */
export interface ThingPose {
  readonly position: Vec3;
  readonly yaw: number;
}

/** A flat place to stand on, in the thing's own frame. */
export interface Surface {
  readonly id: string;
  readonly kind: 'floor' | 'table' | 'counter' | 'shelf';
  readonly center: Vec3;
  /** Lengths along the thing's x and y. */
  readonly size: readonly [number, number];
}

export interface Thing {
  readonly id: string;
  readonly label: string;
  /** What a COCO detector would call it; absent: none. */
  readonly cocoLabel?: string;
  /** `object` is handheld, `furniture` is an object only coarsely seen, `structure` is floor and walls. */
  readonly role: 'object' | 'furniture' | 'structure';
  readonly pose: ThingPose;
  readonly parts: readonly Part[];
  readonly surfaces?: readonly Surface[];
  /** The hollow of a container in the thing's own frame: middle of its bottom, and its size. */
  readonly interior?: { readonly bottom: Vec3; readonly size: Vec3 };
  /** False for things whose upper side carries nothing (a bottle, a ball). */
  readonly hasFlatTop?: boolean;
}

export interface Light {
  readonly position: Vec3;
  /** Strength relative to a lamp that lights a surface fully from 2 m. */
  readonly strength: number;
}

export interface Room {
  /** Inner size along x and y and height; the floor is z = 0, the middle at `center`. */
  readonly center: readonly [number, number];
  readonly size: Vec3;
}

export interface Scene {
  readonly things: readonly Thing[];
  readonly light: Light;
  readonly room: Room;
}
