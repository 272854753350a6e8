/**
 * What a tool means for the graph is configuration: each tool has a list of effects, and each effect says by
 * path where in the call its parts stand. A mistake in the file stops the start with file, line and field.
 */
import { LineCounter, isMap, isNode, isScalar, parseDocument, type Document } from 'yaml';
import { z } from 'zod';
import { fieldPath } from '../protocol/index.js';

const path = z
  .string()
  .regex(/^(arguments|result)(\.[A-Za-z0-9_-]+)+$/, 'must be a path such as arguments.obj or result.pose');
/** Where a part of an effect stands: a path, several of which the first that is present counts, or a fixed value. */
const source = z.union(
  [path, z.array(path).min(1), z.strictObject({ value: z.union([z.string(), z.number()]) })],
  {
    error: 'must be a path such as arguments.obj, a list of paths, or {value: …}',
  },
);

const place = {
  position: source.optional(),
  yaw: source.optional(),
  target: source.optional(),
  relation: source.optional(),
};

const effectSchema = z.discriminatedUnion('effect', [
  z.strictObject({ effect: z.literal('hold'), ref: source, gripper: source.optional() }),
  z.strictObject({
    effect: z.literal('release'),
    ref: source.optional(),
    gripper: source.optional(),
    ...place,
  }),
  z.strictObject({ effect: z.literal('set_container_state'), ref: source, state: source }),
  z.strictObject({ effect: z.literal('put_inside'), ref: source, container: source }),
  z.strictObject({ effect: z.literal('take_out'), ref: source }),
  z.strictObject({ effect: z.literal('remove'), ref: source, reason: source.optional() }),
  z.strictObject({ effect: z.literal('move_to'), ref: source, ...place }),
  z.strictObject({ effect: z.literal('relabel'), ref: source, label: source }),
]);

const tableSchema = z.strictObject({
  tools: z.record(z.string().min(1), z.array(effectSchema).min(1)),
});

export type EffectSource = z.infer<typeof source>;
export type Effect = z.infer<typeof effectSchema>;
export type EffectKind = Effect['effect'];

/** By tool name. A tool without an entry has no effect on the graph. */
export type EffectsTable = ReadonlyMap<string, readonly Effect[]>;

/** Parses the table's text. Throws an Error that begins with `fileName:line:` and names the field. */
export function parseEffectsTable(text: string, fileName: string): EffectsTable {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    throw new Error(`${fileName}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  }
  const checked = tableSchema.safeParse(document.toJS());
  if (checked.success) {
    return new Map(Object.entries(checked.data.tools));
  }
  const issue = checked.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const at = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const reason = unknown === undefined ? (issue?.message ?? 'is not valid') : 'is not a known field';
  const where = fieldPath(at) || 'the file';
  throw new Error(`${fileName}:${lineOf(document, lines, at)}: ${where}: ${reason}`);
}

/** The line of a field's key, or of the nearest node around a field that is missing. */
function lineOf(document: Document, lines: LineCounter, at: readonly PropertyKey[]): number {
  for (let depth = at.length; depth > 0; depth -= 1) {
    const parent = depth === 1 ? document.contents : document.getIn(at.slice(0, depth - 1), true);
    const last = at[depth - 1];
    const key = isMap(parent)
      ? parent.items.map((pair) => pair.key).find((item) => isScalar(item) && item.value === last)
      : undefined;
    const node = key ?? document.getIn(at.slice(0, depth), true);
    if (isNode(node) && node.range) {
      return lines.linePos(node.range[0]).line;
    }
  }
  return 1;
}
