import type { InputSpec } from './inputs.js';

/** An input as the pipeline's counters name it: `depth`, `front/color`. */
export function streamOf({ camera, kind }: Pick<InputSpec, 'camera' | 'kind'>): string {
  return camera === '' ? kind : `${camera}/${kind}`;
}
