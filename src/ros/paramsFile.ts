import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parse } from 'yaml';
import { matchesNode, parseParameterSections, strangersNote } from '../pipeline/readParameterFile.js';
import { ParameterError } from '../pipeline/parameterSet.js';

/**
 * Reads the parameters given on the command line. The client library honours only the keys `/**` and the bare
 * node name, while launch files write the node's full name: every value would be silently lost under a
 * namespace. So `--params-file` and `-p` are taken out of the arguments here and read by ROS's rules:
 * a more exact key beats a wildcard, among equals the later one wins, and `-p` beats every file.
 */

export interface ParameterAssignment {
  /** As in `-p node:name:=value`; undefined: for every node. */
  readonly node: string | undefined;
  readonly name: string;
  readonly value: unknown;
}

export interface RosArguments {
  /** Everything else, to be given to the client library. */
  readonly rest: readonly string[];
  readonly files: readonly string[];
  readonly assignments: readonly ParameterAssignment[];
}

/** A value with the words that tell a user where it came from. */
export interface ParameterOverride {
  readonly value: unknown;
  /** `robot.yaml, key /robot1/rgbd_scene_graph`: never a path. */
  readonly source: string;
}

const ROS_ARGS = '--ros-args';
const END_OF_ROS_ARGS = '--';

/**
 * Splits a command line. Outside `--ros-args … --` nothing is touched.
 * @throws ParameterError for an option without its value and for an assignment without `:=`.
 */
export function parseRosArguments(argv: readonly string[]): RosArguments {
  const rest: string[] = [];
  const files: string[] = [];
  const assignments: ParameterAssignment[] = [];
  let inside = false;
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (argument === ROS_ARGS) inside = true;
    else if (argument === END_OF_ROS_ARGS) inside = false;
    const takes = inside ? parameterOption(argument) : undefined;
    if (takes === undefined) {
      rest.push(argument);
      continue;
    }
    const value = argv[++i];
    if (value === undefined) throw new ParameterError(`${argument} needs a value`);
    if (takes === 'file') files.push(value);
    else assignments.push(parseAssignment(value));
  }
  return { rest, files, assignments };
}

function parameterOption(argument: string): 'file' | 'assignment' | undefined {
  if (argument === '--params-file') return 'file';
  return argument === '-p' || argument === '--param' ? 'assignment' : undefined;
}

/** `name:=value` or `node:name:=value`; the value is YAML. */
function parseAssignment(text: string): ParameterAssignment {
  const cut = text.indexOf(':=');
  if (cut <= 0) throw new ParameterError(`expected name:=value, found ${text}`);
  const target = text.slice(0, cut);
  const colon = target.lastIndexOf(':');
  return {
    node: colon < 0 ? undefined : target.slice(0, colon),
    name: target.slice(colon + 1),
    value: parseYamlValue(text.slice(cut + 2), target),
  };
}

function parseYamlValue(text: string, name: string): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw new ParameterError(`${name}: ${(error as Error).message.split('\n')[0] ?? ''}`);
  }
}

/**
 * The values that the arguments give to the node with this full name (`/robot1/rgbd_scene_graph`), by flat name.
 * @throws ParameterError for a file that cannot be read or parsed.
 */
export function resolveOverrides(
  { files, assignments }: RosArguments,
  fullName: string,
): ReadonlyMap<string, ParameterOverride> {
  const candidates = [
    ...files.flatMap((file) => fileCandidates(file, fullName)),
    ...assignments.flatMap((assignment) => assignmentCandidates(assignment, fullName)),
  ];
  // A stable sort: what came later stays later, and so wins among equals.
  const ordered = candidates.sort((a, b) => a.rank - b.rank);
  return new Map(ordered.map(({ name, value, source }) => [name, { value, source }]));
}

/** A sentence for each file that gives this node nothing, because all of it is for other nodes. */
export function filesForOthers({ files }: RosArguments, fullName: string): readonly string[] {
  return files.flatMap((file) => {
    const shown = basename(file);
    const sections = parseParameterSections(readText(file, shown), shown);
    const note = strangersNote(sections, fullName, (key) => rankOfKey(key, fullName) !== undefined);
    return note === undefined ? [] : [`${shown}: ${note}`];
  });
}

interface Candidate extends ParameterOverride {
  readonly name: string;
  readonly rank: number;
}

/** Ranks: `/**` 0, other `**` 1, `*` 2, bare node name 3, full name 4; `-p` above all of them. */
const ASSIGNMENT_RANK = 10;

function fileCandidates(file: string, fullName: string): readonly Candidate[] {
  const shown = basename(file);
  return parseParameterSections(readText(file, shown), shown).flatMap(({ path, table }) => {
    const key = path ?? '/**';
    const rank = rankOfKey(key, fullName);
    if (rank === undefined) return [];
    return Object.entries(table).map(([name, value]) => ({
      name,
      value,
      rank,
      source: path === undefined ? shown : `${shown}, key ${displayKey(key)}`,
    }));
  });
}

function assignmentCandidates(assignment: ParameterAssignment, fullName: string): readonly Candidate[] {
  const { node, name, value } = assignment;
  const rank = node === undefined ? 0 : rankOfKey(node, fullName);
  if (rank === undefined) return [];
  return [{ name, value, rank: ASSIGNMENT_RANK + rank, source: 'command line' }];
}

/** How exactly a key names this node; undefined when it names another. A bare name is good in any namespace. */
function rankOfKey(key: string, fullName: string): number | undefined {
  const parts = key.split('/').filter(Boolean);
  const node = fullName.slice(fullName.lastIndexOf('/') + 1);
  const isBare = parts.length === 1 && parts[0] === node;
  if (!isBare && !matchesNode(key, fullName)) return undefined;
  if (parts.includes('**')) return parts.length === 1 ? 0 : 1;
  if (parts.includes('*')) return 2;
  return isBare && fullName !== `/${node}` ? 3 : 4;
}

/** A section's path as a user would write the key. */
function displayKey(key: string): string {
  return key.replace(/^\/+/, '/');
}

function readText(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ParameterError(
      `cannot read the parameter file ${shown}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}`,
    );
  }
}
