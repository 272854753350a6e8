import { z } from 'zod';
import { nearestName } from '../math/nearestName.js';
import { describeExpected, parameterSchema } from './parameterDefinition.js';
import type { ParameterDefinition, ParameterValue } from './parameterDefinition.js';
import { parameterTree } from './parameters.js';
import type { Parameters } from './parameters.js';

/**
 * From names and values, as a parameter file or a ROS node holds them, to the checked and nested `Parameters`.
 * A wrong value is refused with name, expected and found; an unknown name is only reported, because launch
 * files commonly share one section between nodes.
 */

/** One tunable with its ROS name (`sync.max_interval_s`). */
export interface NamedParameter {
  readonly name: string;
  readonly definition: ParameterDefinition;
}

export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

type Branch = { readonly [key: string]: ParameterDefinition | Branch };

/** All tunables in the order of their declaration. */
export function listParameters(): readonly NamedParameter[] {
  return [...walk(parameterTree, [])].map(({ path, definition }) => ({ name: rosName(path), definition }));
}

export function defaultParameters(): Parameters {
  return parametersFromFlat({}).parameters;
}

/**
 * @param values by ROS name; a `string_map` comes as `prefix.key` entries or as one object under its prefix.
 * @returns the parameters, and one sentence for each unknown name.
 * @throws ParameterError naming the parameter, what was expected and what was found.
 */
export function parametersFromFlat(values: Readonly<Record<string, unknown>>): {
  readonly parameters: Parameters;
  readonly warnings: readonly string[];
} {
  const left = new Map(Object.entries(values));
  const problems: string[] = [];
  const result: Record<string, unknown> = {};
  for (const { path, definition } of walk(parameterTree, [])) {
    const name = rosName(path);
    const found = takeValue(left, name, definition);
    if (found !== undefined && !parameterSchema(definition).safeParse(found).success) {
      problems.push(`${name}: expected ${describeExpected(definition)}, found ${JSON.stringify(found)}`);
    }
    setPath(result, path, found ?? definition.default);
  }
  if (problems.length > 0) throw new ParameterError(problems.join('; '));
  const warnings = [...left.keys()].map(unknownName);
  return { parameters: result as Parameters, warnings };
}

/** The reason why `value` may not become the value of `name`, or undefined when it may. */
export function refuseParameter(name: string, value: ParameterValue): string | undefined {
  const known = listParameters().find((parameter) => parameter.name === name);
  if (known === undefined) return unknownName(name);
  if (parameterSchema(known.definition).safeParse(value).success) return undefined;
  return `${name}: expected ${describeExpected(known.definition)}, found ${JSON.stringify(value)}`;
}

function* walk(
  branch: Branch,
  path: readonly string[],
): Generator<{ path: readonly string[]; definition: ParameterDefinition }> {
  for (const [key, child] of Object.entries(branch)) {
    if (isDefinition(child)) yield { path: [...path, key], definition: child };
    else yield* walk(child, [...path, key]);
  }
}

function isDefinition(child: ParameterDefinition | Branch): child is ParameterDefinition {
  return typeof child.type === 'string';
}

/** `['sync', 'maxIntervalS']` → `sync.max_interval_s`. */
function rosName(path: readonly string[]): string {
  return path.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join('.');
}

function takeValue(left: Map<string, unknown>, name: string, definition: ParameterDefinition): unknown {
  const whole = left.get(name);
  left.delete(name);
  if (definition.type !== 'string_map') return whole;
  const entries: [string, unknown][] = [];
  for (const [key, value] of left) {
    if (!key.startsWith(`${name}.`)) continue;
    entries.push([key.slice(name.length + 1), value]);
    left.delete(key);
  }
  if (entries.length === 0) return whole;
  return { ...z.record(z.string(), z.unknown()).catch({}).parse(whole), ...Object.fromEntries(entries) };
}

function setPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path[path.length - 1];
  if (last === undefined) return;
  let level = target;
  for (const key of path.slice(0, -1)) {
    level = (level[key] ??= {}) as Record<string, unknown>;
  }
  level[last] = value;
}

function unknownName(name: string): string {
  const nearest = nearestName(
    name,
    listParameters().map((parameter) => parameter.name),
  );
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return `unknown parameter ${name}${hint}`;
}
