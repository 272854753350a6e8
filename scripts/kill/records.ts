import type { ConfirmedExecution, ExecutionAnswer } from '../../src/protocol/index.js';

/** What a victim says, a line of JSON each, before it goes on. */
export type VictimLine =
  /** The store is open; `holding` and `executions` as it was stored. */
  | {
      readonly kind: 'opened';
      readonly notes: readonly string[];
      readonly holding: number;
      readonly executions: number;
    }
  /** All answers that were given before came again; those that did not, by id. */
  | { readonly kind: 'verified'; readonly count: number; readonly wrong: readonly string[] }
  | { readonly kind: 'sending'; readonly call: ConfirmedExecution }
  | { readonly kind: 'answered'; readonly id: string; readonly answer: ExecutionAnswer }
  /** A Brief was handed out; refs that are new in this process, each with the moment at which its thing was first seen. */
  | {
      readonly kind: 'brief';
      readonly revision: number;
      readonly refs: readonly (readonly [string, string])[];
    };

/** What the next victim must find again. */
export interface Expected {
  readonly answers: readonly (readonly [id: string, answer: ExecutionAnswer])[];
  /** Sent and not answered when the last victim was killed. */
  readonly inDoubt: readonly ConfirmedExecution[];
  readonly nextId: number;
}
