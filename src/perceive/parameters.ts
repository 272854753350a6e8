import type { ComponentParameters } from './components.js';
import type { LevelPlaneParameters } from './horizontalPlanes.js';
import type { UprightPlaneParameters } from './uprightPlanes.js';

/** Numbers of model-free perception; each is declared with unit and reason in the table of parameters. */
export interface PerceiveParameters {
  readonly minRangeM: number;
  readonly maxRangeM: number;
  /** Things farther than this are not observed: noise would make them up. */
  readonly maxObjectRangeM: number;
  readonly levels: LevelPlaneParameters;
  readonly uprights: UprightPlaneParameters;
  readonly components: ComponentParameters;
  /** Pieces with at least this share of points on a wall are part of it. */
  readonly wallShare: number;
  /** Largest and smallest side of a thing, metres. */
  readonly maxSideM: number;
  readonly minSideM: number;
}

export const DEFAULT_PERCEIVE_PARAMETERS: PerceiveParameters = {
  minRangeM: 0.15,
  maxRangeM: 6,
  maxObjectRangeM: 4.5,
  levels: { minSupportArea: 0.25, minBoardArea: 0.1, minPatchArea: 0.04, inlierM: 0.008 },
  uprights: { minWallArea: 0.8, minStripArea: 0.3 },
  components: { joinM: 0.01, joinSigmas: 2, splitWidthM: 0.4, minCells: 15 },
  wallShare: 0.6,
  maxSideM: 1.5,
  minSideM: 0.02,
};
