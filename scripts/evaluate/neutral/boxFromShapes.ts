import * as real from '../../../src/graph/boxFromShapes.js';

export * from '../../../src/graph/boxFromShapes.js';

/** The union of all shapes, as partial ones are joined. */
export const boxFromShapes: typeof real.boxFromShapes = (shapes) =>
  real.boxFromShapes(shapes.map((shape) => ({ ...shape, partial: true })));
