import type { GraphState } from '../graph/types.js';
import type { RecordingPosition, SceneStore } from '../store/SceneStore.js';
import type { ViewKeeper } from './ViewKeeper.js';
import type { Journal } from './WorkingGraph.js';

export interface GraphKeeperOptions {
  readonly store: SceneStore;
  /** The state now. */
  readonly state: () => GraphState;
  /** Seconds of a clock that never jumps. */
  readonly steadyNowS: () => number;
  /** Seconds between two writes of what frames have changed, and of views. */
  readonly periodS: number;
  readonly viewsPeriodS: number;
  readonly views: Pick<ViewKeeper, 'save' | 'finish'>;
}

/**
 * Keeps a graph in a store: what is confirmed at once, what frames change from time to time. Writing is another
 * thread's work; here only what changed is turned into bytes, once per period.
 */
export class GraphKeeper implements Journal {
  readonly #options: GraphKeeperOptions;
  #position: RecordingPosition | undefined;
  #savedAtS: number;
  #viewsSavedAtS: number;

  constructor(options: GraphKeeperOptions, position?: RecordingPosition) {
    this.#options = options;
    this.#position = position;
    this.#savedAtS = options.steadyNowS();
    this.#viewsSavedAtS = this.#savedAtS;
  }

  commit(after: GraphState, onWritten: () => void): Promise<string | undefined> {
    return this.#options.store.commit({ state: after, ...this.#where() }, onWritten);
  }

  /**
   * Call it whenever the state is a whole one; most calls do nothing.
   * @param position where in a recording that is
   */
  saveWhenDue(position?: RecordingPosition): void {
    this.#position = position;
    const { store, state, steadyNowS, periodS, viewsPeriodS, views } = this.#options;
    const nowS = steadyNowS();
    if (nowS - this.#viewsSavedAtS >= viewsPeriodS) {
      this.#viewsSavedAtS = nowS;
      void views.save();
    }
    if (nowS - this.#savedAtS < periodS) return;
    this.#savedAtS = nowS;
    // A failure is the store's to tell; what it could not write is part of the next difference.
    void store.save({ state: state(), ...this.#where() });
  }

  async close(): Promise<void> {
    const { store, state, views } = this.#options;
    // First what matters most: whoever stops a process may not wait long.
    await store.commit({ state: state(), ...this.#where() }, () => {});
    await views.finish();
    await store.close({ state: state(), ...this.#where() });
  }

  #where(): { readonly position?: RecordingPosition } {
    return this.#position === undefined ? {} : { position: this.#position };
  }
}
