import type { ComponentParameters } from './components.js';
import type { LiftParameters } from './liftDetections.js';
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
  readonly detections: LiftParameters;
  /** Pieces with at least this share of points on a wall are part of it. */
  readonly wallShare: number;
  /** Most pieces looked at in one frame, largest first: noise can make thousands. */
  readonly maxPieces: number;
  /** Largest and smallest side of a thing, metres. */
  readonly maxSideM: number;
  readonly minSideM: number;
}
