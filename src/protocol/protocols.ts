/**
 * The interfaces every consumer programs against. All methods return promises because one provider is
 * remote. A refusal is an answer, not an exception.
 */
import type {
  Brief,
  ExecutionUpdate,
  FindFilter,
  ObjectBrief,
  ObjectDetail,
  Relation,
  VisualEvidence,
} from './records.js';
import type { RefusalKind } from './words.js';

export interface Refusal {
  readonly success: false;
  readonly kind: RefusalKind;
  /** One sentence, at most 200 characters, with no local path. */
  readonly reason: string;
}

export type Answer<Content extends object> = Refusal | ({ readonly success: true } & Content);

/** A tool call that an evaluator judged. */
export interface ConfirmedExecution {
  /** 1–256 characters; the key of exactly-once. */
  readonly executionId: string;
  readonly toolName: string;
  /** The tool's arguments: an object, or its JSON. */
  readonly arguments: unknown;
  readonly result: unknown;
  /** `{status, …}`, its JSON, or the bare status word. */
  readonly evaluatorVerdict: unknown;
  /** ISO 8601 on the data's clock; absent: graph time at receipt. */
  readonly finishedAt?: string;
}

export interface ExecutionContent {
  readonly applied: boolean;
  readonly alreadyApplied: boolean;
  readonly changedRefs: readonly string[];
  readonly revision: number;
  readonly update: ExecutionUpdate;
}

export type ExecutionAnswer = Answer<ExecutionContent>;
export type RelationsAnswer = Answer<{ readonly objectRef: string; readonly relations: readonly Relation[] }>;
export type ImageAnswer = Answer<{ readonly objectRef: string; readonly images: readonly VisualEvidence[] }>;
export type ObjectAnswer = Answer<{ readonly object: ObjectDetail }>;
export type FindAnswer = Answer<{ readonly objects: readonly ObjectBrief[] }>;
export type CorrectionAnswer = Answer<{ readonly changedRefs: readonly string[]; readonly revision: number }>;

export interface SceneGraphProtocol {
  /** Folds in what perception has finished; never runs perception, returns within tens of ms. */
  refreshFromPerception(): Promise<void>;
  brief(): Promise<Brief>;
  applyConfirmedExecution(execution: ConfirmedExecution): Promise<ExecutionAnswer>;
}

export interface SceneGraphQueryProtocol {
  /** Whether queries accept the ref: it is in the latest Brief, or an alias of one that is. */
  hasRef(ref: string): Promise<boolean>;
  /** `relation` empty or absent: all four. */
  getObjectRelations(ref: string, relation?: string): Promise<RelationsAnswer>;
  getImage(ref: string, options?: { readonly includeRemoved?: boolean }): Promise<ImageAnswer>;
  getObject(ref: string): Promise<ObjectAnswer>;
  findObjects(filter: FindFilter): Promise<FindAnswer>;
}
