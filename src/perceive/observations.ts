import type { Box, RigidTransform, Vec3 } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import type { FlatHull } from './convexHull.js';

/** A rectangle of pixels, upper bounds exclusive, in the depth picture at its full size. */
export interface PixelRect {
  readonly u0: number;
  readonly v0: number;
  readonly u1: number;
  readonly v1: number;
}

/** One thing as one frame shows it: lifted to the map, not yet associated with any entity. */
export interface ObjectObservation {
  /** Box of what this frame shows of it; never larger than the thing, often smaller. */
  readonly box: Box;
  /** Convex outline of its footprint in the map, x y pairs, counter-clockwise. */
  readonly hull: FlatHull;
  /** Points of its seen surface in the map, xyz triples; thinned to a few hundred. */
  readonly points: Float32Array;
  /** Pixels behind the observation, counted at the depth picture's full size. */
  readonly pixelCount: number;
  /** Standard deviation of one depth reading at its distance, in metres. */
  readonly depthSigmaM: number;
  /** Distance from the camera in metres. */
  readonly distanceM: number;
  /** It touches the picture's border: the box may confirm, never shrink. */
  readonly truncated: boolean;
  /** Share of its outline behind which something nearer stands, 0…1: how much may be hidden. */
  readonly occludedShare: number;
  readonly rect: PixelRect;
  /** A detector's word and certainty; absent from geometry alone. */
  readonly label?: string;
  readonly labelScore?: number;
  /** Normalised colour histogram of its pixels, when the frame has colour. */
  readonly appearance?: Float32Array;
}

export type StructureKind = 'floor' | 'wall' | 'support';

/** A plane that carries or bounds things. For floor and support, `box.size[2]` is its thickness as seen. */
export interface StructureObservation {
  readonly kind: StructureKind;
  /** Box of the seen part. */
  readonly box: Box;
  /** Outline of the seen part in the map's x and y, x y pairs; for a wall its two ends. */
  readonly hull: FlatHull;
  /** Unit normal into the free side and offset: normal · p + d = 0. */
  readonly normal: Vec3;
  readonly d: number;
  /** Seen area in m². */
  readonly areaM2: number;
  readonly rect: PixelRect;
  readonly pixelCount: number;
}

/** Everything one frame says; the graph's event of kind `observation` carries it. */
export interface FrameObservation {
  readonly stamp: Stamp;
  readonly cameraName: string;
  readonly map_T_camera: RigidTransform;
  readonly map_T_base?: RigidTransform;
  readonly map_T_grippers: ReadonlyMap<string, RigidTransform>;
  readonly objects: readonly ObjectObservation[];
  readonly structures: readonly StructureObservation[];
  /** A detector has looked at the picture: what it does not name, it did not see. */
  readonly isNamed?: boolean;
  /** What became of the known things that were looked for, by their probe's key; those not in view are absent. */
  readonly visibility?: ReadonlyMap<string, Visibility>;
}

/** Samples of a known thing's surface and how many of them were found, seen through, or hidden by something nearer. */
export interface Visibility {
  readonly samples: number;
  readonly present: number;
  readonly clear: number;
  readonly occluded: number;
}
