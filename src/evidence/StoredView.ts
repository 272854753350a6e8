import type { Moment } from '../graph/types.js';

/** Why a view is kept. */
export type ViewRole = 'best' | 'latest' | 'other_side';

/** One stored picture of a ref. */
export interface StoredView {
  readonly role: ViewRole;
  readonly jpeg: Uint8Array;
  readonly score: number;
  /** Direction from the thing to the camera in the map, rad. */
  readonly azimuth: number;
  readonly distanceM: number;
  readonly moment: Moment;
}
