import type * as real from '../../../src/graph/joinObservations.js';

/** The pieces that a thing falls into in one frame are not put together. */
export const joinObservations: typeof real.joinObservations = (main) => main;
