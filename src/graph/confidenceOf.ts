import type { Thing } from './types.js';

/** Sightings until the number of them stops holding confidence back. */
const FULL_OBSERVATIONS = 6;

/** That the thing exists where the graph says, in [0,1]: probability of existence, held back while seen little. */
export function confidenceOf(thing: Pick<Thing, 'existsLogOdds' | 'observations'>): number {
  const exists = 1 / (1 + Math.exp(-thing.existsLogOdds));
  return exists * Math.min(1, thing.observations / FULL_OBSERVATIONS);
}
