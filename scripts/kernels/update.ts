import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compileKernels, kernelsFile } from './compileKernels.js';

/** Writes the compiled kernels to where they are loaded from. */
const target = fileURLToPath(new URL('../../src/perceive/kernels/compiledKernels.ts', import.meta.url));
writeFileSync(target, kernelsFile(await compileKernels()));
