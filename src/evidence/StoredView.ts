import type { Moment } from '../graph/types.js';
import type { Picture } from './Pictures.js';

/** Why a view is kept. */
export type ViewRole = 'best' | 'latest' | 'other_side';

/** What a frame has to offer of a ref. */
export interface ViewOffer {
  readonly score: number;
  /** Direction from the thing to the camera in the map, rad. */
  readonly azimuth: number;
  readonly distanceM: number;
  readonly moment: Moment;
}

/** One view of a ref that is kept. */
export interface StoredView extends ViewOffer {
  readonly role: ViewRole;
  readonly picture: Picture;
}
