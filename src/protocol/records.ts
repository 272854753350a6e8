/** The records as TypeScript sees them, inferred from the schemas. */
import type { z } from 'zod';
import type { Camel } from './keyCase.js';
import type * as schemas from './schemas.js';

/** One entity in a Brief. */
export type ObjectBrief = Camel<z.infer<typeof schemas.objectBriefSchema>>;
/** The robot in a Brief; `pose` is [x, y, z, yaw]. */
export type RobotBrief = Camel<z.infer<typeof schemas.robotBriefSchema>>;
/** Health of perception; `reason` and `blindSince` only when not ok. */
export type Perception = Camel<z.infer<typeof schemas.perceptionSchema>>;
/** The projection of one revision: every entity, none of its relations and images. */
export type Brief = Camel<z.infer<typeof schemas.briefSchema>>;
/** An edge seen from one ref: *this ref RELATION otherRef*, turned round when `inverse`. */
export type Relation = Camel<z.infer<typeof schemas.relationSchema>>;
/** A stored picture of a ref, ready to hand out. */
export type VisualEvidence = Omit<Camel<z.infer<typeof schemas.visualEvidenceSchema>>, 'data'> & {
  readonly data: Uint8Array;
};
/** Everything known of one entity. */
export type ObjectDetail = Camel<z.infer<typeof schemas.objectDetailSchema>>;
/** What to look for. */
export type FindFilter = Camel<z.input<typeof schemas.findFilterSchema>>;
/** What an execution changed. */
export type ExecutionUpdate = Camel<z.infer<typeof schemas.executionUpdateSchema>>;
export type AppliedEffect = ExecutionUpdate['effects'][number];
