import { DURABILITY, RELIABILITY } from './rosTypes.js';
import type { PublisherInfo, QosProfile } from './rosTypes.js';

/**
 * Which quality of service to ask for. A subscription matches a publisher only if it asks for no more than is
 * offered; asking for less loses data that could have been had (best-effort images are mostly lost with the
 * default transports). "Best available" of the middleware is settled once, when the subscription is made; so
 * `auto` here looks at the publishers again and again.
 */

export type ReliabilityWish = 'auto' | 'reliable' | 'best_effort';

export interface QosWish {
  readonly reliability: ReliabilityWish;
  /** `auto`: latched data is asked for as long as one publisher offers it. */
  readonly durability: 'auto' | 'volatile';
  readonly depth: number;
}

/** The profile to ask for, given who publishes now. */
export function chooseQos(wish: QosWish, publishers: readonly PublisherInfo[]): QosProfile {
  return {
    reliability: wish.reliability === 'auto' ? autoReliability(publishers) : wish.reliability,
    durability: wish.durability === 'auto' ? autoDurability(publishers) : wish.durability,
    depth: wish.depth,
  };
}

/** Reliable only when every publisher is: one best-effort publisher would otherwise stay unheard. */
function autoReliability(publishers: readonly PublisherInfo[]): QosProfile['reliability'] {
  const all = publishers.length > 0 && publishers.every(isReliable);
  return all ? 'reliable' : 'best_effort';
}

/** Volatile only when nobody offers more: some players publish latched topics without latching them. */
function autoDurability(publishers: readonly PublisherInfo[]): QosProfile['durability'] {
  return publishers.length === 0 || publishers.some(isLatched) ? 'transient_local' : 'volatile';
}

/** Why a publisher's data cannot arrive, with both profiles; undefined when it can. */
export function describeMismatch(asked: QosProfile, publisher: PublisherInfo): string | undefined {
  const reliability = asked.reliability === 'reliable' && !isReliable(publisher);
  const durability = asked.durability === 'transient_local' && !isLatched(publisher);
  if (!reliability && !durability) return undefined;
  return `asked ${asked.reliability}/${asked.durability}, offered ${describeOffer(publisher)}`;
}

/** `reliable/volatile`, as the publisher offers it. */
export function describeOffer(publisher: PublisherInfo): string {
  const reliability = isReliable(publisher) ? 'reliable' : 'best_effort';
  return `${reliability}/${isLatched(publisher) ? 'transient_local' : 'volatile'}`;
}

export function sameQos(a: QosProfile, b: QosProfile): boolean {
  return a.reliability === b.reliability && a.durability === b.durability && a.depth === b.depth;
}

function isReliable(publisher: PublisherInfo): boolean {
  return publisher.qos_profile.reliability === RELIABILITY.reliable;
}

function isLatched(publisher: PublisherInfo): boolean {
  return publisher.qos_profile.durability === DURABILITY.transientLocal;
}
