import type { Evaluation } from '../../src/evaluate/evaluate.js';
import type { RunScore } from '../../src/evaluate/RunScore.js';
import type { DropPattern } from '../../src/pipeline/FrameDrop.js';

/** One replay to be scored, as it is handed to a process of its own. */
export interface Job {
  /** Unlike any other's; also the name of its folder. */
  readonly name: string;
  /** Runs of one group are pooled in a line of their own. */
  readonly group: string;
  readonly source:
    | { readonly kind: 'recording'; readonly bag: string; readonly truth: string }
    | { readonly kind: 'simulated'; readonly script: string; readonly seed: number };
  readonly drop?: DropPattern;
  /** By ROS name. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A module below `src/` whose neutral stand-in is used. */
  readonly withoutModule?: string;
  readonly out: string;
  readonly pictures: boolean;
}

export interface JobResult {
  readonly score: RunScore;
  readonly evaluation: Evaluation;
  readonly frames: { readonly in: number; readonly used: number };
  readonly stateHash: string;
  readonly wallS: number;
}
