import type * as real from '../../../src/perceive/isRipple.js';

/** Every piece is taken for a thing. */
export const isRipple: typeof real.isRipple = () => false;
