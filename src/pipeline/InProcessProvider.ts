/** Both protocols over a working graph in this process; no ROS needed. */
import { acceptRef, resolveAlias } from '../graph/acceptRef.js';
import { findObjects } from '../graph/findObjects.js';
import { getObject, getObjectRelations } from '../graph/queries.js';
import type { GraphState } from '../graph/types.js';
import {
  refuse,
  type Brief,
  type ConfirmedExecution,
  type ExecutionAnswer,
  type FindAnswer,
  type FindFilter,
  type ImageAnswer,
  type ObjectAnswer,
  type Refusal,
  type RelationsAnswer,
  type SceneGraphProtocol,
  type SceneGraphQueryProtocol,
  type VisualEvidence,
} from '../protocol/index.js';
import type { WorkingGraph } from './WorkingGraph.js';

/** Where stored pictures come from. Refs of tombstones are asked for too. */
export interface EvidenceSource {
  /** At most three views, best first, ready to hand out (names and captions without local paths). */
  viewsOf(ref: string, state: GraphState): Promise<readonly VisualEvidence[]>;
}

export interface ProviderOptions {
  readonly graph: WorkingGraph;
  /** Absent: pictures answer `not_available`. */
  readonly evidence?: EvidenceSource;
  /** Folds in frames that perception has finished but not yet submitted. */
  readonly foldFinished?: () => Promise<void>;
  /** Told of what would be an exception; the caller gets `internal_error`. */
  readonly onInternalError?: (operation: string, error: unknown) => void;
}

const MAX_VIEWS = 3;

export class InProcessProvider implements SceneGraphProtocol, SceneGraphQueryProtocol {
  readonly #options: ProviderOptions;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  async refreshFromPerception(): Promise<void> {
    await this.#options.foldFinished?.();
  }

  brief(): Promise<Brief> {
    return Promise.resolve(this.#options.graph.handOutBrief().brief);
  }

  async applyConfirmedExecution(execution: ConfirmedExecution): Promise<ExecutionAnswer> {
    return this.#guarded('apply_execution', () => this.#options.graph.applyExecution(execution));
  }

  hasRef(ref: string): Promise<boolean> {
    return Promise.resolve(this.#options.graph.hasRef(ref));
  }

  async getObjectRelations(ref: string, relation = ''): Promise<RelationsAnswer> {
    const { graph } = this.#options;
    return this.#guarded('get_object_relations', () =>
      getObjectRelations(graph.state, graph.latestRefs, ref, relation),
    );
  }

  async getImage(
    ref: string,
    { includeRemoved = false }: { readonly includeRemoved?: boolean } = {},
  ): Promise<ImageAnswer> {
    return this.#guarded('get_image', () => this.#images(ref, includeRemoved));
  }

  async getObject(ref: string): Promise<ObjectAnswer> {
    const { graph } = this.#options;
    return this.#guarded('get_object', () => getObject(graph.state, graph.latestRefs, ref));
  }

  async findObjects(filter: FindFilter): Promise<FindAnswer> {
    const { graph } = this.#options;
    return this.#guarded('find_objects', () => findObjects(graph.state, graph.latestRefs, filter));
  }

  async #images(input: string, includeRemoved: boolean): Promise<ImageAnswer> {
    const { graph, evidence } = this.#options;
    const { state } = graph;
    const accepted = acceptRef(state, graph.latestRefs, input);
    const buried = resolveAlias(state, input.trim());
    const servesRemoved =
      includeRemoved && !accepted.ok && state.tombstones.has(buried) && !state.entities.has(buried);
    if (!accepted.ok && !servesRemoved) {
      return accepted.refusal;
    }
    if (evidence === undefined) {
      return refuse('not_available', 'No pictures are stored here.');
    }
    const objectRef = accepted.ok ? accepted.ref : buried;
    const views = await evidence.viewsOf(objectRef, state);
    return { success: true, objectRef, images: views.slice(0, MAX_VIEWS) };
  }

  async #guarded<T>(operation: string, answer: () => T | Promise<T>): Promise<T | Refusal> {
    try {
      return await answer();
    } catch (error) {
      this.#options.onInternalError?.(operation, error);
      return refuse('internal_error', `${operation} failed inside; the log has the details.`);
    }
  }
}
