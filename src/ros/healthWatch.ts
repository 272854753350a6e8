import type { InputFigures } from './diagnostics.js';
import type { DeclaredParameters } from './declareParameters.js';
import type { FaultLog } from './guard.js';
import type { LivePipeline } from './LivePipeline.js';
import type { RosNode } from './rosTypes.js';
import { createSteadyTimer } from './steadyTimer.js';

/**
 * Says that perception is blind when no frame could be used for as long as makes the Brief stale, and why: the
 * first input that is silent, else why the last frame was dropped. The next frame that is used ends it.
 */

const PERIOD_S = 0.5;

export interface HealthWatchOptions {
  readonly node: RosNode;
  readonly faults: FaultLog;
  readonly declared: DeclaredParameters;
  readonly intake: { figures(): readonly InputFigures[] };
  readonly pipeline: Pick<LivePipeline, 'graph' | 'figures'>;
}

export function watchHealth({ node, faults, declared, intake, pipeline }: HealthWatchOptions): {
  stop(): void;
} {
  let used = 0;
  let usedAtMs = performance.now();
  let isStopped = false;
  createSteadyTimer(node, faults, 'health timer', PERIOD_S, () => {
    if (isStopped) return;
    const { framesUsed, lastDropCause } = pipeline.figures();
    const now = performance.now();
    if (framesUsed !== used) {
      used = framesUsed;
      usedAtMs = now;
    }
    const limitS = declared.current.brief.staleAfterS;
    if ((now - usedAtMs) / 1000 <= limitS) return;
    pipeline.graph.setPerceptionHealth('blind', blindReason(intake.figures(), limitS, lastDropCause));
  });
  return {
    stop() {
      isStopped = true;
    },
  };
}

/** `no depth`, `no color info`, or the cause that frames are dropped for. */
export function blindReason(
  inputs: readonly InputFigures[],
  limitS: number,
  lastDropCause: string | undefined,
): string {
  const isSilent = ({ spec, status }: InputFigures): boolean =>
    spec.required && (status.ageS === undefined || (!spec.kind.endsWith('_info') && status.ageS > limitS));
  // Depth first: without it nothing can be placed, without colour things can.
  const silent = inputs.filter(isSilent).sort((a, b) => rank(a) - rank(b))[0];
  if (silent !== undefined) return `no ${silent.spec.kind.replace('_', ' ')}`;
  return lastDropCause === undefined ? 'no usable frame' : lastDropCause.replaceAll('_', ' ');
}

function rank({ spec }: InputFigures): number {
  return ['depth', 'depth_info', 'color', 'color_info'].indexOf(spec.kind);
}
