import type * as real from '../../../src/perceive/likeness.js';

export { ALIKE, UNLIKE } from '../../../src/perceive/likeness.js';

/** Nothing is known of how things look. */
export const likeness: typeof real.likeness = () => undefined;
