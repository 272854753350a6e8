import { resolve } from 'node:path';
import { readLabels } from '../detect/readLabels.js';
import type { Parameters } from './parameters.js';
import { ParameterError } from './parameterSet.js';

/** The name for a class id of another node; undefined for one that has none. */
export type NameOfClass = (classId: string) => string | undefined;

/**
 * How the parameters name another node's classes: `detector.class_names` first, then a number by its line in
 * `detector.labels`. Other texts are names already; a number that nobody names is none.
 * @throws ParameterError when there is no such file or it is no list of labels
 */
export function classNames({
  labels,
  classNames: given,
}: Pick<Parameters['detector'], 'labels' | 'classNames'>): NameOfClass {
  const lines = labels === '' ? [] : linesOf(labels);
  return (classId) => {
    if (Object.hasOwn(given, classId)) return given[classId];
    return /^\d+$/.test(classId) ? lines[Number(classId)] : classId;
  };
}

function linesOf(path: string): readonly string[] {
  const read = readLabels(resolve(path));
  if (!read.ok) throw new ParameterError(`detector.labels: ${read.detail}`);
  return read.value;
}
