import type { StoredView, ViewOffer, ViewRole } from './StoredView.js';

/** As far as the choice goes, its picture aside. */
export type ChosenView = Omit<StoredView, 'picture'>;

export interface ViewSelection {
  /** A new best view must beat the stored one by this factor. */
  readonly gain: number;
  /** The latest view is renewed when older than this, nanoseconds. */
  readonly renewNs: bigint;
  /** Another side is one seen from at least this far around, rad. */
  readonly otherSideRad: number;
}

/** Which kept view an offer should replace (or found); undefined when it is not worth encoding. */
export function roleOf(
  offer: ViewOffer,
  stored: readonly ChosenView[],
  selection: ViewSelection,
): ViewRole | undefined {
  if (offer.score <= 0) return undefined;
  const best = stored.find((view) => view.role === 'best');
  if (best === undefined || offer.score > best.score * selection.gain) return 'best';
  const other = stored.find((view) => view.role === 'other_side');
  const around = angleBetween(offer.azimuth, best.azimuth);
  if (around >= selection.otherSideRad) {
    const known = other === undefined ? 0 : angleBetween(other.azimuth, best.azimuth);
    if (
      other === undefined ||
      around > known + selection.otherSideRad / 2 ||
      offer.score > other.score * selection.gain
    ) {
      return 'other_side';
    }
  }
  const latest = stored.find((view) => view.role === 'latest');
  const newest = latest ?? best;
  const aged =
    newest.moment.epoch !== offer.moment.epoch ||
    offer.moment.stamp - newest.moment.stamp >= selection.renewNs;
  return aged ? 'latest' : undefined;
}

/** The views after one was added: one per role, best first. */
export function withView<View extends ChosenView>(stored: readonly View[], view: View): View[] {
  const order: Record<ViewRole, number> = { best: 0, latest: 1, other_side: 2 };
  return [...stored.filter((other) => other.role !== view.role), view].sort(
    (a, b) => order[a.role] - order[b.role],
  );
}

function angleBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}
