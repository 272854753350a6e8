import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEffectsTable, type EffectsTable } from '../graph/effectsTable.js';

/**
 * The table of effects from a file, or the one that comes with the package for an empty name.
 * @throws Error naming file, line and field.
 */
export function readEffectsTable(file: string): EffectsTable {
  const path =
    file === '' ? fileURLToPath(new URL('../../config/execution_effects.yaml', import.meta.url)) : file;
  return parseEffectsTable(readFileSync(path, 'utf8'), basename(path));
}
