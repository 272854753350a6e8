import { z } from 'zod';

/**
 * How a tunable is declared: type, unit, default, allowed range and one sentence that is its documentation.
 * The same declaration makes the ROS parameter descriptor, the check of a parameter file and the README's table.
 */

export interface NumberDefinition {
  readonly type: 'double' | 'integer';
  readonly default: number;
  /** Allowed values, both ends included. */
  readonly range: readonly [number, number];
  /** `s`, `m`, `rad/s`, …; '' for a count, a share or a ratio. */
  readonly unit: string;
  readonly description: string;
}

export interface BoolDefinition {
  readonly type: 'bool';
  readonly default: boolean;
  readonly description: string;
}

export interface StringDefinition<Word extends string = string> {
  readonly type: 'string';
  readonly default: Word;
  /** Allowed words; absent: any text. */
  readonly choices?: readonly Word[];
  readonly description: string;
}

export interface StringArrayDefinition {
  readonly type: 'string_array';
  readonly default: readonly string[];
  readonly description: string;
}

/** Names chosen by the user below a fixed prefix: in ROS `grippers.left: left_tool_frame`. */
export interface StringMapDefinition {
  readonly type: 'string_map';
  readonly default: Readonly<Record<string, string>>;
  readonly description: string;
}

export type ParameterDefinition =
  NumberDefinition | BoolDefinition | StringDefinition | StringArrayDefinition | StringMapDefinition;

export type ParameterValue = number | boolean | string | readonly string[] | Readonly<Record<string, string>>;

type NumberFields = Omit<NumberDefinition, 'type' | 'unit'> & { readonly unit?: string };

export function double(fields: NumberFields): NumberDefinition {
  return { unit: '', ...fields, type: 'double' };
}

export function integer(fields: NumberFields): NumberDefinition {
  return { unit: '', ...fields, type: 'integer' };
}

export function bool(fields: Omit<BoolDefinition, 'type'>): BoolDefinition {
  return { ...fields, type: 'bool' };
}

export function text(fields: Omit<StringDefinition, 'type' | 'choices'>): StringDefinition {
  return { ...fields, type: 'string' };
}

/** One word of a closed list. */
export function choice<const Word extends string>(fields: {
  readonly default: NoInfer<Word>;
  readonly choices: readonly Word[];
  readonly description: string;
}): StringDefinition<Word> {
  return { ...fields, type: 'string' };
}

export function textList(fields: Omit<StringArrayDefinition, 'type'>): StringArrayDefinition {
  return { ...fields, type: 'string_array' };
}

export function textMap(fields: Omit<StringMapDefinition, 'type'>): StringMapDefinition {
  return { ...fields, type: 'string_map' };
}

/** The check of one value, as it comes from YAML or from a ROS parameter. */
export function parameterSchema(definition: ParameterDefinition): z.ZodType<ParameterValue> {
  switch (definition.type) {
    case 'double':
      return z.number().min(definition.range[0]).max(definition.range[1]);
    case 'integer':
      return z.int().min(definition.range[0]).max(definition.range[1]);
    case 'bool':
      return z.boolean();
    case 'string':
      return definition.choices === undefined ? z.string() : z.enum([...definition.choices]);
    case 'string_array':
      return z.array(z.string().min(1));
    case 'string_map':
      return z.record(z.string().min(1), z.string().min(1));
  }
}

/** What the check wants, in words: `a number in [0, 0.1] (s)`. */
export function describeExpected(definition: ParameterDefinition): string {
  switch (definition.type) {
    case 'double':
    case 'integer': {
      const noun = definition.type === 'double' ? 'a number' : 'an integer';
      const unit = definition.unit === '' ? '' : ` (${definition.unit})`;
      return `${noun} in [${definition.range[0]}, ${definition.range[1]}]${unit}`;
    }
    case 'bool':
      return 'true or false';
    case 'string':
      return definition.choices === undefined ? 'a text' : `one of ${definition.choices.join(', ')}`;
    case 'string_array':
      return 'a list of texts';
    case 'string_map':
      return 'a table of name: text';
  }
}
