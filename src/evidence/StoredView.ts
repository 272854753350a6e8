import type { Moment } from '../graph/types.js';

/** Why a view is kept. */
export type ViewRole = 'best' | 'latest' | 'other_side';

/** One view of a ref that is kept, whether its picture is encoded yet or not. */
export interface PlannedView {
  readonly role: ViewRole;
  readonly score: number;
  /** Direction from the thing to the camera in the map, rad. */
  readonly azimuth: number;
  readonly distanceM: number;
  readonly moment: Moment;
}

/** One stored picture of a ref. */
export interface StoredView extends PlannedView {
  readonly jpeg: Uint8Array;
}
