import { z } from 'zod';
import { recordFromJson } from '../protocol/index.js';
import type { Camel } from '../protocol/keyCase.js';

/**
 * The ground truth of a recording, schema 1. Metres, seconds of ROS time, map frame; boxes are axis-aligned,
 * so a turned thing's box is its hull. Fields that no score needs are let through unread.
 */

const vec3 = z.tuple([z.number(), z.number(), z.number()]);
const box = { center: vec3, size: vec3 };

const objectSchema = z.looseObject({
  id: z.string().min(1),
  label: z.string(),
  coco_label: z.string().nullish(),
  ...box,
  height_m: z.number(),
  position_tolerance_m: z.number().positive(),
  coarse: z.boolean(),
  thin: z.boolean(),
  intervals: z.array(z.object({ from: z.number(), to: z.number(), ...box })),
  frames_visible: z.number().optional(),
  first_seen: z.number().nullish(),
  last_seen: z.number().nullish(),
  /** Network → share of the frames showing the object in which it finds it; or a sentence about it. */
  detector_baseline: z.union([z.record(z.string(), z.number()), z.string()]).nullish(),
});

const supportSchema = z.looseObject({
  id: z.string().min(1),
  kind: z.string(),
  z: z.number().optional(),
  center: vec3.optional(),
  size: vec3.optional(),
  plane: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
});

export const truthSchema = z.looseObject({
  schema: z.literal(1),
  recording: z.string(),
  frame: z.string(),
  scored_region: z.array(z.object(box)),
  ignore: z.array(
    z.looseObject({
      ...box,
      why: z.string().optional(),
      from: z.number().optional(),
      to: z.number().optional(),
    }),
  ),
  supports: z.array(supportSchema),
  objects: z.array(objectSchema),
  relations: z.array(
    z.looseObject({
      subject: z.string(),
      relation: z.string(),
      object: z.string(),
      from: z.number(),
      to: z.number(),
    }),
  ),
  changes: z.array(
    z.looseObject({
      kind: z.enum(['removed', 'moved']),
      id: z.string(),
      last_before: z.number(),
      first_after: z.number(),
    }),
  ),
});

export type Truth = Camel<z.infer<typeof truthSchema>>;
export type TruthObject = Truth['objects'][number];
export type TruthSupport = Truth['supports'][number];
export type TruthInterval = TruthObject['intervals'][number];

/** Input that cannot be scored; the message names the file's part and the bad field. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
}

/** @throws EvaluationError with the path of the bad field. */
export function parseTruth(json: unknown): Truth {
  const parsed = recordFromJson(truthSchema, json);
  if (!parsed.ok) throw new EvaluationError(`truth: ${parsed.path || 'file'}: ${parsed.reason}`);
  return parsed.value;
}
