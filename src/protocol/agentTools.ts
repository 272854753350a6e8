/**
 * The scene graph as tools of a language-model agent. Arguments and results are JSON (snake_case); a bad
 * argument is a refusal, never a throw. The parameter schemas avoid `pattern`, `format` and `$ref`, which
 * not every agent runtime accepts.
 */
import { z } from 'zod';
import { camelKey, renameKeys } from './keyCase.js';
import { jsonSchemaOf } from './jsonSchemas.js';
import { evidenceToJson, recordFromJson, recordToJson } from './parseRecord.js';
import type { Refusal, SceneGraphProtocol, SceneGraphQueryProtocol } from './protocols.js';
import type { FindFilter } from './records.js';
import { quoteInput, refuse, safeInput } from './refuse.js';
import { renderSceneGraphBrief } from './renderSceneGraphBrief.js';
import { findFilterSchema } from './schemas.js';
import { RELATION_KINDS, TOOL_PROVENANCE } from './words.js';

export type ToolResult = { readonly success: boolean } & Readonly<Record<string, unknown>>;

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the one object of arguments. */
  readonly parameters: Record<string, unknown>;
  call(args: unknown): Promise<ToolResult>;
}

/** Where tools are put; any agent runtime can be wrapped in it. */
export interface ToolRegistry {
  register(tool: AgentTool): void;
}

export type SceneGraphProvider = SceneGraphProtocol & SceneGraphQueryProtocol;

const obj = z.string().trim().min(1).describe('The ref of an object in the latest Brief, such as cup_2.');
const noArguments = z.strictObject({});
const objArguments = z.strictObject({ obj });
const relationsArguments = z.strictObject({
  obj: obj.describe('The ref of an object in the latest Brief, or robot.'),
  relation: z
    .enum(['', ...RELATION_KINDS])
    .optional()
    .describe('Only edges of this kind; left out or empty: all kinds.'),
});

/** Registers get_brief, get_object_relations, get_image, get_object and find_objects. */
export function registerSceneGraphQueryTools(registry: ToolRegistry, provider: SceneGraphProvider): void {
  for (const tool of sceneGraphQueryTools(provider)) {
    registry.register(tool);
  }
}

/** The five tools over a provider. */
export function sceneGraphQueryTools(provider: SceneGraphProvider): readonly AgentTool[] {
  return [
    makeTool(
      'get_brief',
      'Every known object with position, freshness and contents, and the robot.',
      noArguments,
      () => callGetBrief(provider),
    ),
    makeTool(
      'get_object_relations',
      'What an object is on, inside, near or held by, and what is on, inside or near it.',
      relationsArguments,
      (args) => callRelations(provider, args),
    ),
    makeTool('get_image', 'Up to three stored pictures of an object, best first.', objArguments, (args) =>
      callGetImage(provider, args.obj),
    ),
    makeTool(
      'get_object',
      'Everything known of one object: box, label, times, support.',
      objArguments,
      (args) => callGetObject(provider, args.obj),
    ),
    makeTool(
      'find_objects',
      'Objects by label, near a place, by freshness or by relation to another object.',
      findFilterSchema,
      (args) => callFind(provider, renameKeys(args, camelKey) as FindFilter),
    ),
  ];
}

function makeTool<Schema extends z.ZodType>(
  name: string,
  description: string,
  schema: Schema,
  call: (args: z.output<Schema>) => Promise<ToolResult>,
): AgentTool {
  const { $schema: _dialect, ...parameters } = jsonSchemaOf(schema);
  return {
    name,
    description,
    parameters,
    call: async (args) => {
      const checked = schema.safeParse(args ?? {});
      if (checked.success) {
        return call(checked.data);
      }
      const issue = recordFromJson(schema, args ?? {});
      return failed(badArguments(name, issue.ok ? { path: '', reason: 'is not valid' } : issue), {});
    },
  };
}

async function callGetBrief(provider: SceneGraphProvider): Promise<ToolResult> {
  await provider.refreshFromPerception();
  const brief = await provider.brief();
  return succeeded({ brief: recordToJson(brief), text: renderSceneGraphBrief(brief) });
}

async function callRelations(
  provider: SceneGraphProvider,
  args: z.output<typeof relationsArguments>,
): Promise<ToolResult> {
  const filter = args.relation ?? '';
  const answer = await provider.getObjectRelations(args.obj, filter);
  if (!answer.success) {
    return failed(answer, { ref: safeInput(args.obj), relation_filter: filter, relations: [] });
  }
  const relations = answer.relations.map(recordToJson);
  return succeeded({ ref: answer.objectRef, relation_filter: filter, relations });
}

async function callGetImage(provider: SceneGraphProvider, ref: string): Promise<ToolResult> {
  const answer = await provider.getImage(ref);
  if (!answer.success) {
    return failed(answer, { ref: safeInput(ref) });
  }
  return succeeded({ ref: answer.objectRef, images: answer.images.map(evidenceToJson) });
}

async function callGetObject(provider: SceneGraphProvider, ref: string): Promise<ToolResult> {
  const answer = await provider.getObject(ref);
  return answer.success
    ? succeeded({ ref: answer.object.ref, object: recordToJson(answer.object) })
    : failed(answer, { ref: safeInput(ref) });
}

async function callFind(provider: SceneGraphProvider, filter: FindFilter): Promise<ToolResult> {
  const answer = await provider.findObjects(filter);
  return answer.success ? succeeded({ objects: answer.objects.map(recordToJson) }) : failed(answer, {});
}

function badArguments(tool: string, issue: { readonly path: string; readonly reason: string }): Refusal {
  const where = issue.path === '' ? 'arguments' : quoteInput(issue.path);
  return refuse('invalid_tool_arguments', `${tool}: ${where}: ${issue.reason}`);
}

function succeeded(content: Record<string, unknown>): ToolResult {
  return { success: true, ...content, provenance: TOOL_PROVENANCE };
}

function failed(refusal: Refusal, content: Record<string, unknown>): ToolResult {
  return { ...refusal, ...content, provenance: TOOL_PROVENANCE };
}
