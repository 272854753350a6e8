import { readFileSync } from 'node:fs';
import { LineCounter, parseDocument } from 'yaml';
import { listParameters, ParameterError } from './parameterSet.js';

/**
 * Reads a ROS 2 parameter file (`/**:` or a node's name, then `ros__parameters:`) or a plain table of the same
 * names. Sections are matched as rcl does: `*` stands for one part of the name, `**` for any number; later
 * sections win. Sections of other nodes are skipped.
 */

const SECTION = 'ros__parameters';
const NODE_NAME = '/rgbd_scene_graph';

/**
 * @param nodeName full name, `/rgbd_scene_graph` without a namespace.
 * @returns values by flat name (`sync.max_interval_s`), not yet checked.
 * @throws ParameterError with the file and, for broken YAML, the line.
 */
export function readParameterFile(file: string, nodeName = NODE_NAME): Record<string, unknown> {
  return valuesFor(readParameterSections(file), nodeName);
}

/** All sections of a file, as `parseParameterSections`. */
export function readParameterSections(file: string): readonly ParameterSection[] {
  return parseParameterSections(readText(file), file);
}

/**
 * A sentence for sections that all speak of other nodes, undefined for any others: ROS skips such a file silently, and
 * most often it is a name misspelt.
 * @param isMeant whether a section's key speaks of the node
 */
export function strangersNote(
  sections: readonly ParameterSection[],
  nodeName = NODE_NAME,
  isMeant = (key: string): boolean => matchesNode(key, nodeName),
): string | undefined {
  const keys = sections.map(({ path }) => path ?? '/**');
  if (keys.some(isMeant)) return undefined;
  return `nothing of it is used: its sections are for ${keys.join(', ')}, not for ${nodeName} or /**`;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ParameterError(
      `cannot read the parameter file ${file}: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}

/** The same for text that is already read; `file` only names it in errors. */
export function parseParameterFile(yaml: string, file: string, nodeName: string): Record<string, unknown> {
  return valuesFor(parseParameterSections(yaml, file), nodeName);
}

function valuesFor(sections: readonly ParameterSection[], nodeName: string): Record<string, unknown> {
  const tables = sections.filter(({ path }) => path === undefined || matchesNode(path, nodeName));
  return Object.assign({}, ...tables.map(({ table }) => table)) as Record<string, unknown>;
}

/** One section of a parameter file: the node's key and the values by flat name. */
export interface ParameterSection {
  /** As written, joined by `/`: `/robot1/rgbd_scene_graph`; undefined for a plain table without sections. */
  readonly path: string | undefined;
  readonly table: Readonly<Record<string, unknown>>;
}

/** All sections in the order of the file, or the whole file as one. */
export function parseParameterSections(yaml: string, file: string): readonly ParameterSection[] {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter });
  const problem = document.errors[0];
  if (problem !== undefined) {
    const { line, col } = lineCounter.linePos(problem.pos[0]);
    const reason = problem.message.split('\n')[0] ?? problem.code;
    throw new ParameterError(`${file}:${line}:${col}: ${reason}`);
  }
  const root: unknown = document.toJS() ?? {};
  if (!isTable(root))
    throw new ParameterError(`${file}: expected a table of parameters, found ${typeof root}`);
  const sections = [...findSections(root, '')];
  if (sections.length === 0) return [{ path: undefined, table: flatten(root) }];
  return sections.map(({ path, table }) => ({ path, table: flatten(table) }));
}

/** Does the key of a parameter file (`/**`, `node`, `/ns/node`, `/*\/node`) speak of the node with this full name? */
export function matchesNode(pattern: string, nodeName: string): boolean {
  return matchParts(pattern.split('/').filter(Boolean), nodeName.split('/').filter(Boolean));
}

function matchParts(pattern: readonly string[], name: readonly string[]): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return name.length === 0;
  if (head === '**') return name.some((_, i) => matchParts(rest, name.slice(i))) || matchParts(rest, []);
  return name.length > 0 && (head === '*' || head === name[0]) && matchParts(rest, name.slice(1));
}

type Table = Record<string, unknown>;

function isTable(value: unknown): value is Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* findSections(table: Table, path: string): Generator<{ path: string; table: Table }> {
  for (const [key, value] of Object.entries(table)) {
    if (!isTable(value)) continue;
    if (key === SECTION) yield { path, table: value };
    else yield* findSections(value, `${path}/${key}`);
  }
}

function flatten(table: Table, prefix = ''): Table {
  const flat: Table = {};
  for (const [key, value] of Object.entries(table)) {
    const name = prefix + key;
    if (isTable(value) && !isMap(name)) Object.assign(flat, flatten(value, `${name}.`));
    else flat[name] = value;
  }
  return flat;
}

function isMap(name: string): boolean {
  return listParameters().some((known) => known.name === name && known.definition.type === 'string_map');
}
