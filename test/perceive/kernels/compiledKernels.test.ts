import assert from 'node:assert/strict';
import { compileKernels, kernelsFile } from '../../../scripts/kernels/compileKernels.js';
import { readText } from '../../setup/checkout.js';

describe('the compiled kernels', () => {
  it('are what the compiler makes of their source (npm run kernels writes them anew)', async function () {
    this.timeout(120_000);
    const shipped = readText('src/perceive/kernels/compiledKernels.ts');
    assert.ok(shipped === kernelsFile(await compileKernels()), 'compiledKernels.ts is not of this source');
  });
});
