import { z } from 'zod';
import { parseRef, recordFromJson } from '../protocol/index.js';
import type { Camel } from '../protocol/keyCase.js';
import { EvaluationError } from './truth.js';

/**
 * What a replay left behind, as far as it is scored: `graph.json`, the stamp of the final Brief, and the
 * Briefs over time of `history.jsonl`. Unknown fields are let through, so that the format may grow.
 */

const vec3 = z.tuple([z.number(), z.number(), z.number()]);

const entitySchema = z.looseObject({
  ref: z.string().min(1),
  kind: z.string().optional(),
  label: z.string(),
  box: z.object({ center: vec3, size: vec3, yaw: z.number() }),
  confidence: z.number(),
  freshness: z.string(),
  observations: z.number().optional(),
});

const graphSchema = z.looseObject({
  entities: z.array(entitySchema),
  relations: z.array(z.looseObject({ ref: z.string(), relation: z.string(), other_ref: z.string() })),
});

const briefSchema = z.looseObject({
  updated_at: z.string().optional(),
  objects: z.array(
    z.looseObject({
      ref: z.string(),
      coarse_position: z.array(z.number()).optional(),
      freshness: z.string(),
      label: z.string().optional(),
    }),
  ),
});

export type GraphFile = Camel<z.infer<typeof graphSchema>>;
export type GraphEntity = GraphFile['entities'][number];
export type BriefRecord = Camel<z.infer<typeof briefSchema>>;

/** The parts of a replay folder that are scored. */
export interface ReplayResult {
  readonly graph: GraphFile;
  /** Graph time of the final Brief in seconds; undefined when nothing was ever seen. */
  readonly endS: number | undefined;
  /** Briefs over time, oldest first; empty when the folder has none. */
  readonly history: readonly BriefRecord[];
}

/**
 * @param files the folder's `graph.json`, `brief.json` and (if there) the lines of `history.jsonl`, parsed.
 * @throws EvaluationError naming file and field.
 */
export function parseReplayResult(files: {
  readonly graph: unknown;
  readonly brief: unknown;
  readonly history?: readonly unknown[];
}): ReplayResult {
  const graph = checked(graphSchema, files.graph, 'graph.json');
  const brief = checked(briefSchema, files.brief, 'brief.json');
  const history = (files.history ?? []).map((line, i) =>
    checked(briefSchema, line, `history.jsonl line ${i + 1}`),
  );
  return { graph, endS: secondsFromIso(brief.updatedAt), history };
}

/** Seconds of ROS time, undefined without a time. */
export function secondsFromIso(iso: string | undefined): number | undefined {
  return iso === undefined ? undefined : Date.parse(iso) / 1000;
}

/** Floor, wall or support: scored apart from things. By the entity's kind, else by the stem of its ref. */
export function isStructure(entity: { readonly ref: string; readonly kind?: string | undefined }): boolean {
  const word = entity.kind ?? parseRef(entity.ref)?.stem ?? '';
  return word === 'floor' || word === 'wall' || word === 'support';
}

function checked<Schema extends z.ZodType>(
  schema: Schema,
  json: unknown,
  file: string,
): Camel<z.output<Schema>> {
  const parsed = recordFromJson(schema, json);
  if (!parsed.ok) throw new EvaluationError(`${file}: ${parsed.path || 'file'}: ${parsed.reason}`);
  return parsed.value;
}
