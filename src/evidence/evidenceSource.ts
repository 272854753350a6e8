import { freshnessOfMoment } from '../graph/freshnessOf.js';
import { compareMoments } from '../graph/moments.js';
import type { Entity, GraphState } from '../graph/types.js';
import { isoFromStamp } from '../time/Stamp.js';
import type { VisualEvidence } from '../protocol/index.js';
import type { EvidenceStore } from './EvidenceStore.js';
import type { StoredView, ViewRole } from './StoredView.js';

const ROLE_TEXT: Record<ViewRole, string> = {
  best: 'best view',
  latest: 'latest view',
  other_side: 'view from another side',
};
const MOST = 3;

/**
 * The stored views of a ref as evidence to hand out, best first, those of refs merged into it among them.
 * A view is `current` only while it shows the present: a picture of what has gone missing since, or was moved by an
 * execution, is a picture of the past.
 */
export async function evidenceOf(
  store: EvidenceStore,
  ref: string,
  state: GraphState,
): Promise<VisualEvidence[]> {
  const merged = [...state.aliases].filter(([, survivor]) => survivor === ref).map(([alias]) => alias);
  const views = [ref, ...merged.sort()].flatMap((name) => store.viewsOf(name));
  const seen = new Set<ViewRole>();
  const oneOfEach = views.filter((view) => !seen.has(view.role) && seen.add(view.role));
  // All are asked for at once: none can be replaced while another is encoded.
  const chosen = oneOfEach.slice(0, MOST).map(async (view) => ({ view, jpeg: await store.jpegOf(view) }));
  const pictures = (await Promise.all(chosen)).flatMap(({ view, jpeg }) => (jpeg ? [{ view, jpeg }] : []));
  return pictures.map(({ view, jpeg }, k) => toEvidence(view, jpeg, ref, k + 1, state));
}

function toEvidence(
  view: StoredView,
  data: Uint8Array,
  ref: string,
  number: number,
  state: GraphState,
): VisualEvidence {
  const freshness = freshnessOfMoment(view.moment, state);
  return {
    name: `${ref}-${number}.jpg`,
    data,
    mediaType: 'image/jpeg',
    caption: `${ref}, ${ROLE_TEXT[view.role]}, from ${view.distanceM.toFixed(1)} m`,
    freshness: freshness === 'current' && isOfThePast(view, state.entities.get(ref)) ? 'recent' : freshness,
    stamp: isoFromStamp(view.moment.stamp),
  };
}

function isOfThePast({ moment }: StoredView, entity: Entity | undefined): boolean {
  const movedAt = entity?.setByExecutionAt;
  return entity?.missing !== false || (movedAt !== undefined && compareMoments(moment, movedAt) <= 0);
}
