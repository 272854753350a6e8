import type { Vec3 } from '../math/types.js';

/**
 * The truth file beside a recording, schema 1: metres, seconds of ROS time, map frame, axis-aligned boxes. The names
 * are the file's own.
 */
export interface RecordingTruth {
  readonly schema: 1;
  readonly recording: string;
  readonly frame: 'map';
  readonly image_frames: number;
  /** What was changed by hand; nothing ever is here. */
  readonly edited: '';
  readonly scored_region: readonly TruthBox[];
  readonly ignore: readonly IgnoreBox[];
  readonly supports: readonly TruthSupport[];
  readonly objects: readonly TruthObject[];
  readonly relations: readonly TruthRelation[];
  readonly changes: readonly TruthChange[];
}

export interface TruthBox {
  readonly center: Vec3;
  readonly size: Vec3;
}

export interface IgnoreBox extends TruthBox {
  readonly why: string;
  readonly from?: number;
  readonly to?: number;
}

export interface TruthSupport {
  readonly id: string;
  readonly kind: 'floor' | 'table' | 'counter' | 'shelf' | 'wall';
  readonly z?: number;
  readonly center?: Vec3;
  readonly size?: Vec3;
  readonly corners?: readonly (readonly [number, number])[];
  readonly plane?: readonly [number, number, number, number];
}

export interface TruthInterval extends TruthBox {
  readonly from: number;
  readonly to: number;
}

export interface TruthObject extends TruthBox {
  readonly id: string;
  readonly label: string;
  readonly coco_label: string | null;
  readonly height_m: number;
  readonly position_tolerance_m: number;
  readonly tolerance_note: string;
  readonly coarse: boolean;
  readonly thin: boolean;
  readonly intervals: readonly TruthInterval[];
  readonly frames_visible: number;
  readonly first_seen: number | null;
  readonly last_seen: number | null;
  readonly frames_place_in_view_after?: number;
}

export interface TruthRelation {
  readonly subject: string;
  readonly relation: 'on' | 'near' | 'inside';
  readonly object: string;
  readonly from: number;
  readonly to: number;
}

export interface TruthChange {
  readonly kind: 'removed' | 'moved';
  readonly id: string;
  readonly last_before: number;
  readonly first_after: number;
  readonly distance_m?: number;
}
