/** JSON Schema (draft 2020-12) of every record, for consumers in other languages. */
import { z } from 'zod';
import * as schemas from './schemas.js';

const EXPORTED = {
  brief: schemas.briefSchema,
  object: schemas.objectBriefSchema,
  robot: schemas.robotBriefSchema,
  relation: schemas.relationSchema,
  visual_evidence: schemas.visualEvidenceSchema,
  object_detail: schemas.objectDetailSchema,
  find_filter: schemas.findFilterSchema,
  execution_update: schemas.executionUpdateSchema,
} as const;

export type RecordName = keyof typeof EXPORTED;

/** The JSON Schema of each record by name, without references between them. */
export function jsonSchemas(): Record<RecordName, Record<string, unknown>> {
  const entries = Object.entries(EXPORTED).map(([name, schema]) => [name, jsonSchemaOf(schema)] as const);
  return Object.fromEntries(entries) as Record<RecordName, Record<string, unknown>>;
}

/** One schema as plain JSON Schema, references resolved in place; it describes what may be handed in. */
export function jsonSchemaOf(schema: z.ZodType): Record<string, unknown> {
  return z.toJSONSchema(schema, { reused: 'inline', io: 'input' });
}
