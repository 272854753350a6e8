import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { ABLATIONS } from '../../scripts/evaluate/ablations.js';
import { defaultParameters, parametersFromFlat } from '../../src/pipeline/parameterSet.js';

describe('every ablation', () => {
  for (const { name, parameters, module } of ABLATIONS) {
    it(`without ${name} changes parameters that exist, or a module that has a stand-in`, () => {
      assert.ok((parameters === undefined) !== (module === undefined));
      const set = parametersFromFlat(parameters ?? {});
      assert.deepEqual(set.warnings, []);
      if (parameters !== undefined) assert.notDeepEqual(set.parameters, defaultParameters());
      if (module === undefined) return;
      const file = module.split('/').at(-1) ?? '';
      assert.ok(existsSync(new URL(`../../src/${module}`, import.meta.url)), module);
      assert.ok(existsSync(new URL(`../../scripts/evaluate/neutral/${file}`, import.meta.url)), file);
    });
  }
});
