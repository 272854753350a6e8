import { parse } from 'yaml';
import { UsageError } from '../../src/cli/Command.js';
import { ParameterError, parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { readParameterFile } from '../../src/pipeline/readParameterFile.js';

/**
 * Values by ROS name from a file and from `name=value` settings, which win.
 * @throws ParameterError for a wrong value and for an unknown name: a mistyped one would change nothing unnoticed.
 */
export function chosenParameters(
  file: string | undefined,
  settings: readonly string[],
): Record<string, unknown> {
  const values = {
    ...(file === undefined ? {} : readParameterFile(file)),
    ...Object.fromEntries(settings.map(parseSetting)),
  };
  const { warnings } = parametersFromFlat(values);
  if (warnings.length > 0) throw new ParameterError(warnings.join('; '));
  return values;
}

function parseSetting(setting: string): [name: string, value: unknown] {
  const at = setting.indexOf('=');
  if (at < 1) throw new UsageError(`--set: expected NAME=VALUE, found '${setting}'`);
  return [setting.slice(0, at), parse(setting.slice(at + 1))];
}
