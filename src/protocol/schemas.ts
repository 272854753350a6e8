/**
 * The records of the contract as strict zod schemas, in JSON's names. Types are inferred from them; JSON
 * Schema is exported from them (`jsonSchemas`). What JSON Schema can say and zod's export would drop stands
 * in `.meta`. Zod's numbers refuse NaN, infinity and booleans by themselves.
 */
import { z } from 'zod';
import { holdsLocalPath } from './refuse.js';
import {
  BRIEF_FRESHNESS,
  BRIEF_PROVENANCE,
  FRESHNESS,
  KNOWN_CONTAINER_STATES,
  PERCEPTION_STATES,
  RELATION_KINDS,
} from './words.js';

const UINT32_MAX = 0xffffffff;
const ISO_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

export const refSchema = z
  .string()
  .min(1)
  .refine((text) => text.trim() === text && text.length > 0, 'must be trimmed and not blank');

const timeSchema = z
  .string()
  .refine((text) => ISO_UTC.test(text) && !Number.isNaN(Date.parse(text)), 'must be ISO 8601 in UTC with Z')
  .meta({ format: 'date-time' });

const noLocalPath = (text: string): boolean => !holdsLocalPath(text);

const nameSchema = z.string().min(1).refine(noLocalPath, 'holds a local path');

/** Two to four finite numbers; ours are three, or four for the robot's pose. */
const positionSchema = z.array(z.number()).min(2).max(4);
const vec3Schema = z.tuple([z.number(), z.number(), z.number()]);
const sharePart = z.number().min(0).max(1);

const uniqueRefs = z
  .array(refSchema)
  .superRefine((refs, context) => {
    refs.forEach((ref, index) => {
      if (refs.indexOf(ref) < index) {
        context.addIssue({ code: 'custom', path: [index], message: 'is a duplicate' });
      }
    });
  })
  .meta({ uniqueItems: true });

export const objectBriefSchema = z.strictObject({
  ref: refSchema,
  coarse_position: positionSchema.optional(),
  confidence: sharePart.optional(),
  freshness: z.enum(FRESHNESS),
  label: nameSchema.optional(),
  last_seen: timeSchema.optional(),
  container_state: z.enum(KNOWN_CONTAINER_STATES).optional(),
  contents: uniqueRefs.optional(),
});

export const robotBriefSchema = z.strictObject({
  pose: positionSchema.optional(),
  holding: uniqueRefs.optional(),
});

export const perceptionSchema = z.strictObject({
  state: z.enum(PERCEPTION_STATES),
  reason: z.string().max(200).refine(noLocalPath, 'holds a local path').optional(),
  blind_since: timeSchema.optional(),
});

export const briefSchema = z.strictObject({
  objects: z
    .array(objectBriefSchema)
    .superRefine((objects, context) => {
      const seen = new Set<string>();
      objects.forEach(({ ref }, index) => {
        if (seen.has(ref)) {
          context.addIssue({ code: 'custom', path: [index, 'ref'], message: 'is a duplicate' });
        }
        seen.add(ref);
      });
    })
    .meta({ uniqueItems: true }),
  robot: robotBriefSchema,
  freshness: z.enum(BRIEF_FRESHNESS),
  provenance: z.literal(BRIEF_PROVENANCE),
  coordinate_frame: z.string().min(1),
  updated_at: timeSchema.optional(),
  revision: z.int().min(0).max(UINT32_MAX),
  perception: perceptionSchema,
});

export const relationSchema = z.strictObject({
  relation: z.enum(RELATION_KINDS),
  other_ref: refSchema,
  distance_m: z.number().min(0).optional(),
  inverse: z.boolean().optional(),
});

/** As it stands in JSON: the bytes are base64. */
export const visualEvidenceSchema = z.strictObject({
  name: z.string().min(1).max(128).refine(noLocalPath, 'holds a local path'),
  data: z.base64(),
  media_type: z.string().startsWith('image/').min(7),
  caption: z.string().max(240).refine(noLocalPath, 'holds a local path'),
  freshness: z.enum(FRESHNESS),
  stamp: timeSchema.optional(),
});

/** How new each part of an object's record is; parts that were never known are left out. */
const fieldFreshnessSchema = z.strictObject({
  position: z.enum(FRESHNESS),
  label: z.enum(FRESHNESS).optional(),
  container_state: z.enum(FRESHNESS).optional(),
  contents: z.enum(FRESHNESS).optional(),
});

/** What `get_object` answers. */
export const objectDetailSchema = z.strictObject({
  ref: refSchema,
  label: nameSchema,
  label_share: sharePart,
  box: z.strictObject({ center: vec3Schema, size: vec3Schema, yaw: z.number() }),
  position_sigma_m: z.number().min(0),
  confidence: sharePart,
  freshness: z.enum(FRESHNESS),
  field_freshness: fieldFreshnessSchema,
  first_seen: timeSchema.optional(),
  last_seen: timeSchema.optional(),
  observations: z.int().min(0).max(UINT32_MAX),
  support: refSchema.optional(),
  container_state: z.enum(KNOWN_CONTAINER_STATES).optional(),
  contents: uniqueRefs.optional(),
  aliases: uniqueRefs.optional(),
});

/** What `find_objects` takes; every part narrows, an empty filter finds everything in the Brief. */
export const findFilterSchema = z
  .strictObject({
    label: z.string().trim().min(1).optional(),
    near_ref: z.string().trim().min(1).optional(),
    near_point: z.array(z.number()).length(3).optional(),
    within_m: z.number().min(0).optional(),
    freshness: z.enum(FRESHNESS).optional(),
    relation: z.enum(RELATION_KINDS).optional(),
    related_ref: z.string().trim().min(1).optional(),
    order_by: z.enum(['ref', 'distance']).optional(),
    limit: z.int().min(1).max(10_000).optional(),
  })
  .superRefine((filter, context) => {
    const refuse = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    const hasPlace = filter.near_ref !== undefined || filter.near_point !== undefined;
    if (filter.near_ref !== undefined && filter.near_point !== undefined) {
      refuse('near_point', 'cannot stand beside near_ref');
    }
    if (filter.within_m !== undefined && !hasPlace) {
      refuse('within_m', 'needs near_ref or near_point');
    }
    if (filter.order_by === 'distance' && !hasPlace) {
      refuse('order_by', 'distance needs near_ref or near_point');
    }
    if (filter.related_ref !== undefined && filter.relation === undefined) {
      refuse('relation', 'is missing beside related_ref');
    }
    if (filter.relation !== undefined && filter.related_ref === undefined) {
      refuse('related_ref', 'is missing beside relation');
    }
  });

/** One thing an execution changed. */
const appliedEffectSchema = z.strictObject({
  effect: z.string().min(1),
  ref: refSchema,
  target_ref: refSchema.optional(),
  relation: z.enum(RELATION_KINDS).optional(),
  gripper: nameSchema.optional(),
  position: vec3Schema.optional(),
  /** The position was worked out from the target, not told and not measured. */
  estimated: z.boolean().optional(),
  container_state: z.enum(KNOWN_CONTAINER_STATES).optional(),
  label: nameSchema.optional(),
});

/** The diff an execution answers with (`update_json`). */
export const executionUpdateSchema = z.strictObject({
  tool_name: z.string().refine(noLocalPath, 'holds a local path'),
  effects: z.array(appliedEffectSchema),
  note: z.string().min(1).optional(),
});
