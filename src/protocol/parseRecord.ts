/** From JSON to records and back, with the path of the bad field when something is refused. */
import type { z } from 'zod';
import { camelKey, renameKeys, snakeKey, type Camel } from './keyCase.js';
import type { VisualEvidence } from './records.js';
import { visualEvidenceSchema } from './schemas.js';

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | {
      readonly ok: false;
      /** The bad field in JSON's names, e.g. `objects[2].confidence`; '' is the record itself. */
      readonly path: string;
      readonly reason: string;
    };

/** Checks a JSON value (snake_case) against a schema and gives the record in camelCase. */
export function recordFromJson<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
): Parsed<Camel<z.output<Schema>>> {
  const checked = schema.safeParse(json);
  if (checked.success) {
    return { ok: true, value: renameKeys(checked.data, camelKey) as Camel<z.output<Schema>> };
  }
  return firstIssue(checked.error);
}

/** Checks a camelCase record against its schema. The path in a refusal is still in JSON's names. */
export function checkRecord<Schema extends z.ZodType>(
  schema: Schema,
  record: unknown,
): Parsed<Camel<z.output<Schema>>> {
  return recordFromJson(schema, renameKeys(record, strictSnakeKey));
}

/** A record in JSON's names; undefined fields are left out. Values are not checked. */
export function recordToJson(record: object): Record<string, unknown> {
  return renameKeys(record, snakeKey) as Record<string, unknown>;
}

/** A picture in JSON: its bytes as base64. */
export function evidenceToJson(evidence: VisualEvidence): Record<string, unknown> {
  return { ...recordToJson(evidence), data: Buffer.from(evidence.data).toString('base64') };
}

/** A picture from JSON: its bytes decoded. */
export function evidenceFromJson(json: unknown): Parsed<VisualEvidence> {
  const parsed = recordFromJson(visualEvidenceSchema, json);
  if (!parsed.ok) {
    return parsed;
  }
  return {
    ok: true,
    value: { ...parsed.value, data: new Uint8Array(Buffer.from(parsed.value.data, 'base64')) },
  };
}

/** `objects[2].confidence` from a path of keys and indices. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') {
      return `${text}[${part}]`;
    }
    return text === '' ? String(part) : `${text}.${String(part)}`;
  }, '');
}

function firstIssue(error: z.ZodError): { ok: false; path: string; reason: string } {
  const issue = error.issues[0];
  if (issue === undefined) {
    return { ok: false, path: '', reason: 'is not valid' };
  }
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknownKey !== undefined) {
    return { ok: false, path: fieldPath([...issue.path, unknownKey]), reason: 'is not a known property' };
  }
  return { ok: false, path: fieldPath(issue.path), reason: issue.message };
}

/** Keeps a snake_case key of a camelCase record recognisable as wrong, so that the strict schema refuses it. */
function strictSnakeKey(key: string): string {
  return key.includes('_') ? `${key} (not camelCase)` : snakeKey(key);
}
