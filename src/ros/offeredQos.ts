import { parse } from 'yaml';
import type { QosProfile } from './rosTypes.js';

/**
 * With which quality of service to publish a recorded topic: as it was offered when it was recorded. Recorders
 * write policies as numbers or as words. Where several publishers offered different things, reliable and volatile
 * serves most listeners. Static transforms are always latched, also where a recorder forgot to say so.
 */

const DEFAULT: QosProfile = { reliability: 'reliable', durability: 'volatile', depth: 10 };

/** @param text `offered_qos_profiles` of the recording (YAML), '' where there is none. */
export function offeredQos(topic: string, text: string): QosProfile {
  const offers = parseOffers(text);
  const first = offers[0];
  const agreed = first !== undefined && offers.every((offer) => isSame(offer, first)) ? first : DEFAULT;
  return topic.split('/').at(-1) === 'tf_static' ? { ...agreed, durability: 'transient_local' } : agreed;
}

function parseOffers(text: string): QosProfile[] {
  let offers: unknown;
  try {
    offers = text === '' ? [] : parse(text);
  } catch {
    // A text that is no YAML says as much as none.
    return [];
  }
  return Array.isArray(offers) ? offers.map(parseOffer) : [];
}

function parseOffer(offer: unknown): QosProfile {
  const { reliability, durability, depth } = (offer ?? {}) as Readonly<Record<string, unknown>>;
  return {
    reliability: reliability === 2 || reliability === 'best_effort' ? 'best_effort' : 'reliable',
    durability: durability === 1 || durability === 'transient_local' ? 'transient_local' : 'volatile',
    depth: typeof depth === 'number' && depth >= 1 ? depth : DEFAULT.depth,
  };
}

function isSame(a: QosProfile, b: QosProfile): boolean {
  return a.reliability === b.reliability && a.durability === b.durability;
}
