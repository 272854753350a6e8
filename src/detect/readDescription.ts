import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { nearestName } from '../math/nearestName.js';
import { failure, success, type Result } from '../math/Result.js';
import {
  DESCRIPTION_KEYS,
  descriptionSchema,
  type Description,
  type ModelDescription,
} from './Description.js';
import { readLabels } from './readLabels.js';

export type DescriptionCause = 'no_description' | 'bad_description' | 'no_model' | 'no_labels' | 'bad_labels';

/** Reads the description of a model and its labels; the model itself must be there and is not opened. */
export function readDescription(path: string): Result<ModelDescription, DescriptionCause> {
  const source = resolve(path);
  const text = readText(source);
  if (text === undefined)
    return failure('no_description', `expected the description of a model in ${source}, found no file`);
  const parsed = parseDescription(text, source);
  if (!parsed.ok) return parsed;
  const modelPath = resolve(dirname(source), parsed.value.model);
  if (!existsSync(modelPath))
    return failure('no_model', `${source}: model: expected an .onnx file at ${modelPath}, found none`);
  const labels = labelsOf(parsed.value.labels, source);
  if (!labels.ok) return labels;
  const stray = strayLabel(parsed.value, labels.value);
  if (stray !== undefined) return failure('bad_labels', `${source}: ${stray}`);
  return success({ ...parsed.value, source, modelPath, labels: labels.value });
}

/** The text of a description alone; `source` only names it in messages. */
export function parseDescription(text: string, source: string): Result<Description, 'bad_description'> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter });
  const broken = document.errors[0];
  if (broken !== undefined) {
    const { line, col } = lineCounter.linePos(broken.pos[0]);
    return failure(
      'bad_description',
      `${source}:${line}:${col}: ${broken.message.split('\n')[0] ?? broken.code}`,
    );
  }
  const written: unknown = document.toJS();
  const checked = descriptionSchema.safeParse(written);
  if (checked.success) return success(checked.data);
  const problems = checked.error.issues.map((issue) => describe(issue, written));
  return failure('bad_description', `${source}: ${problems.join('; ')}`);
}

/** Path of the key, what was expected, what was found. */
function describe(issue: z.core.$ZodIssue, written: unknown): string {
  const found = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    written,
  );
  const where = issue.path.length > 0 ? issue.path.map(String).join('.') : 'description';
  if (issue.code === 'unrecognized_keys') {
    const known = DESCRIPTION_KEYS[issue.path.join('.')] ?? [];
    return `${where}: does not know ${issue.keys.map((key) => withHint(key, known)).join(', ')}`;
  }
  return `${where}: ${expectation(issue)}, found ${found === undefined ? 'nothing' : JSON.stringify(found)}`;
}

function withHint(key: string, known: readonly string[]): string {
  const nearest = nearestName(key, known);
  return nearest === undefined ? key : `${key} (did you mean ${nearest}?)`;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `expected ${issue.expected}`;
    case 'invalid_value':
      return `expected one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `expected ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`;
    case 'too_big':
      return `expected at most ${issue.maximum}`;
    case 'invalid_union':
      return `expected ${issue.errors.flatMap((branch) => branch.slice(0, 1).map((inner) => expectation(inner).replace('expected ', ''))).join(', or ')}`;
    default:
      return issue.message;
  }
}

function labelsOf(
  labels: Description['labels'],
  source: string,
): Result<readonly string[], 'no_labels' | 'bad_labels'> {
  if (typeof labels !== 'string') return success(labels ?? []);
  const read = readLabels(resolve(dirname(source), labels));
  return read.ok || read.cause === 'bad_labels'
    ? read
    : failure(read.cause, `${source}: labels: ${read.detail}`);
}

/** A label that the description speaks of and the model does not have: a typing mistake that would go unseen. */
function strayLabel(description: Description, labels: readonly string[]): string | undefined {
  const known = new Set(labels);
  const spoken: Record<string, readonly string[]> = {
    include: description.include ?? [],
    exclude: description.exclude,
    label_thresholds: Object.keys(description.label_thresholds),
    synonyms: Object.keys(description.synonyms),
  };
  for (const [key, names] of Object.entries(spoken)) {
    const stray = names.find((name) => !known.has(name));
    if (stray !== undefined) return `${key}: expected labels of the model, found "${stray}"`;
  }
  return undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
