import { COMPILED_KERNELS } from './compiledKernels.js';
import type { Kernels } from './Kernels.js';

/** The little of WebAssembly's interface that is used; TypeScript has it with a browser's library alone. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
};

const MODULE = new WebAssembly.Module(Buffer.from(COMPILED_KERNELS, 'base64'));

/** Kernels with a memory of their own. */
export function newKernels(): Kernels {
  return new WebAssembly.Instance(MODULE).exports as Kernels;
}
