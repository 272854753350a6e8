/**
 * The one place where the graph changes: a serial queue of events into a pure reducer. Everything else reads
 * immutable snapshots. It also keeps what no pure function can: which Brief was handed out last (queries
 * accept only its refs), how perception fares, and when the last usable frame came.
 */
import { acceptRef } from '../graph/acceptRef.js';
import { applyCorrection } from '../graph/corrections.js';
import type { EffectsTable } from '../graph/effectsTable.js';
import { answerOf, applyExecution } from '../graph/executions.js';
import { nextRevision } from '../graph/nextRevision.js';
import { checkExecutionId, parseExecution } from '../graph/parseExecution.js';
import { BriefProjector } from '../graph/projectBrief.js';
import type { CorrectionEvent, ExecutionEvent, GraphEvent, GraphState } from '../graph/types.js';
import {
  refuse,
  BriefRenderer,
  type Brief,
  type ConfirmedExecution,
  type CorrectionAnswer,
  type ExecutionAnswer,
  type Perception,
  type PerceptionState,
  type Refusal,
} from '../protocol/index.js';
import { durationFromSeconds, isoFromStamp, type Stamp } from '../time/Stamp.js';

export type Reducer = (state: GraphState, event: GraphEvent) => GraphState;

/** What makes a confirmed change last. */
export interface Journal {
  /**
   * Writes the state after an execution or correction, all of it or nothing.
   * @param onWritten called as soon as it is certain to last
   * @returns why it does not last, undefined when it does
   */
  commit(after: GraphState, onWritten: () => void): Promise<string | undefined>;
}

export interface WorkingGraphOptions {
  readonly initial: GraphState;
  readonly reduce: Reducer;
  readonly effects: EffectsTable;
  /** As given to the reducer. */
  readonly grippers?: readonly string[];
  /** Seconds of a clock that never jumps. */
  readonly steadyNowS: () => number;
  /** The Brief is stale this long after the last usable frame; undefined for offline replay: never. */
  readonly staleAfterS: number | undefined;
  /** Absent: what is confirmed lasts as long as the process. */
  readonly journal?: Journal;
}

/** A Brief together with the exact state it projects and its text. */
export interface BriefSnapshot {
  readonly brief: Brief;
  readonly state: GraphState;
  readonly text: string;
  /** When perception went blind, on the data's clock; undefined while it is not, or before any data. */
  readonly blindSince: Stamp | undefined;
}

export type ChangeListener = (before: GraphState, after: GraphState, event: GraphEvent) => void;

interface Health {
  readonly state: PerceptionState;
  readonly reason: string;
  readonly sinceSteadyS: number;
  readonly sinceStamp: Stamp | undefined;
}

/** What an event did. */
export interface GraphChange {
  readonly before: GraphState;
  readonly after: GraphState;
  /** It could not be made to last, so nothing was changed. */
  readonly refusal?: Refusal;
}

interface Job {
  readonly event: GraphEvent;
  readonly done: (change: GraphChange) => void;
  readonly failed: (reason: unknown) => void;
}

/** What somebody told us must not be lost: it is written before it is answered, or it is refused. */
const CONFIRMED: ReadonlySet<GraphEvent['kind']> = new Set(['execution', 'correction', 'reset']);

/** A ref that somebody has heard of must never name another thing: a new one is written before it is shown. */
function namesAnew(before: GraphState, after: GraphState): boolean {
  return after.refCounters !== before.refCounters;
}

export class WorkingGraph {
  readonly #options: WorkingGraphOptions;
  readonly #projector = new BriefProjector();
  readonly #renderer = new BriefRenderer();
  readonly #queue: Job[] = [];
  readonly #listeners = new Set<ChangeListener>();
  #isDraining = false;
  #state: GraphState;
  #health: Health = { state: 'ok', reason: '', sinceSteadyS: 0, sinceStamp: undefined };
  #lastFedS: number | undefined;
  #latestRefs: ReadonlySet<string> = new Set();

  constructor(options: WorkingGraphOptions) {
    this.#options = options;
    this.#state = options.initial;
  }

  /** The state now. It never changes under its reader. */
  get state(): GraphState {
    return this.#state;
  }

  /** Refs of the Brief handed out last, by whichever door; empty before the first. */
  get latestRefs(): ReadonlySet<string> {
    return this.#latestRefs;
  }

  get perceptionState(): PerceptionState {
    return this.#health.state;
  }

  /**
   * Puts an event at the end of the queue. Unless called from a listener, or while a journal writes, it has been
   * reduced on return; the promise gives the states before and after it and fails only if the reducer threw (nothing
   * changed then).
   */
  submit(event: GraphEvent): Promise<GraphChange> {
    return new Promise((done, failed) => {
      this.#queue.push({ event, done, failed });
      this.#drain();
    });
  }

  /** Confirms an execution: parsed, applied at most once, answered. */
  async applyExecution(call: ConfirmedExecution): Promise<ExecutionAnswer> {
    const badId = checkExecutionId(call.executionId);
    if (badId !== undefined) {
      return badId;
    }
    const earlier = this.#state.ledger.get(call.executionId);
    if (earlier !== undefined) {
      return answerOf(earlier, true);
    }
    const parsed = parseExecution(call);
    return parsed.ok ? this.applyExecutionEvent(parsed.event) : parsed.refusal;
  }

  /** The same for an event that is parsed already. */
  async applyExecutionEvent(event: ExecutionEvent): Promise<ExecutionAnswer> {
    const { before, after, refusal } = await this.submit(event);
    if (refusal !== undefined) return refusal;
    const entry = after.ledger.get(event.executionId);
    // Without an entry it was refused: the pure function says why, again, from the same state.
    return entry === undefined
      ? applyExecution(before, event, this.#options.effects, this.#options.grippers).answer
      : answerOf(entry, before.ledger.has(event.executionId));
  }

  /** Applies a correction and answers with the refs it changed. */
  async applyCorrection(event: CorrectionEvent): Promise<CorrectionAnswer> {
    const { before, refusal } = await this.submit(event);
    return refusal ?? applyCorrection(before, event).answer;
  }

  /** Told by whoever watches the frames; repeated reports of one state keep its beginning. */
  setPerceptionHealth(state: PerceptionState, reason = ''): void {
    if (state !== this.#health.state) {
      const sinceStamp = this.#state.graphTime;
      this.#health = { state, reason, sinceSteadyS: this.#options.steadyNowS(), sinceStamp };
    } else if (reason !== this.#health.reason) {
      this.#health = { ...this.#health, reason };
    }
  }

  /** The Brief as it stands, without handing it out. */
  lookAtBrief(): Brief {
    return this.#projector.project(this.#state, {
      perception: { state: this.#health.state },
      stale: this.isStale(),
    });
  }

  /**
   * Makes the Brief of this moment and remembers it as the latest: from now on queries accept its refs.
   * Revisions only grow, so no door can hand out an older one after it.
   */
  handOutBrief(options: { readonly tokenBudget?: number } = {}): BriefSnapshot {
    const state = this.#state;
    const brief = this.#projector.project(state, { perception: this.#perception(), stale: this.isStale() });
    this.#latestRefs = new Set(state.entities.keys());
    const text = this.#renderer.render(brief, { ...this.#renderNow(), ...options });
    const blindSince = this.#health.state === 'blind' ? this.#health.sinceStamp : undefined;
    return { brief, state, text, blindSince };
  }

  /** Stale before the first frame, when frames stay away, and (live) while nothing is known. */
  isStale(): boolean {
    const { staleAfterS, steadyNowS } = this.#options;
    if (this.#lastFedS === undefined) {
      return true;
    }
    if (staleAfterS === undefined) {
      return false;
    }
    return this.#state.entities.isEmpty() || steadyNowS() - this.#lastFedS > staleAfterS;
  }

  /** Whether queries accept the ref now. */
  hasRef(ref: string): boolean {
    return acceptRef(this.#state, this.#latestRefs, ref).ok;
  }

  /** Calls back after every event that changed the state; returns how to stop. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Reduces what waits, in order; an event submitted by a listener, or while one is written, waits for its turn. */
  #drain(): void {
    if (this.#isDraining) {
      return;
    }
    this.#isDraining = true;
    let writing: Promise<void> | undefined;
    try {
      for (let job = this.#queue.shift(); job !== undefined; job = this.#queue.shift()) {
        writing = this.#run(job);
        if (writing !== undefined) break;
      }
    } finally {
      this.#isDraining = writing !== undefined;
    }
    void writing?.finally(() => {
      this.#isDraining = false;
      this.#drain();
    });
  }

  /** @returns what must be waited for before the next event's turn */
  #run(job: Job): Promise<void> | undefined {
    const { event, done, failed } = job;
    const { reduce, journal } = this.#options;
    const before = this.#state;
    let after: GraphState;
    try {
      const reduced = reduce(before, event);
      after = reduced === before ? before : { ...reduced, revision: nextRevision(before, reduced) };
    } catch (error) {
      failed(error);
      return undefined;
    }
    const isConfirmed = CONFIRMED.has(event.kind);
    if (journal === undefined || after === before || !(isConfirmed || namesAnew(before, after))) {
      this.#state = after;
      this.#tell(job, before, after);
      return undefined;
    }
    return journal
      .commit(after, () => (this.#state = after))
      .then((reason) => {
        if (reason !== undefined && isConfirmed) {
          done({ before, after: before, refusal: storeFailed(reason) });
          return;
        }
        // What was seen is not unseen because a disk is full.
        this.#state = after;
        this.#tell(job, before, after);
      })
      .catch(failed);
  }

  #tell({ event, done }: Job, before: GraphState, after: GraphState): void {
    if (event.kind === 'observation') {
      this.#lastFedS = this.#options.steadyNowS();
    }
    done({ before, after });
    if (after !== before) {
      for (const listener of this.#listeners) {
        listener(before, after, event);
      }
    }
  }

  #perception(): Perception {
    const { state, reason, sinceStamp } = this.#health;
    if (state === 'ok') {
      return { state };
    }
    return {
      state,
      ...(reason === '' ? {} : { reason }),
      ...(state === 'blind' && sinceStamp !== undefined ? { blindSince: isoFromStamp(sinceStamp) } : {}),
    };
  }

  /** While blind no stamp comes in, so "since" is counted on the steady clock. */
  #renderNow(): { readonly now?: string } {
    const { state, sinceSteadyS, sinceStamp } = this.#health;
    if (state !== 'blind' || sinceStamp === undefined) {
      return {};
    }
    return { now: isoFromStamp(sinceStamp + durationFromSeconds(this.#options.steadyNowS() - sinceSteadyS)) };
  }
}

function storeFailed(reason: string): Refusal {
  return refuse('store_failed', `It could not be stored, so nothing was changed: ${reason}.`);
}
