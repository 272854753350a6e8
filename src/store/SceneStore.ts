import type { ChosenView } from '../evidence/selectViews.js';
import type { GraphState } from '../graph/types.js';
import type { PictureRow, ViewKey } from './StoreFile.js';

/** How the store fares, for diagnostics. */
export interface StoreStatus {
  /** `failing`: the last write failed and will be tried again; `unavailable`: nothing is stored until a restart. */
  readonly state: 'ok' | 'failing' | 'unavailable';
  /** Why, without a path; '' while all is well. */
  readonly reason: string;
}

/** A graph as it is to be kept. */
export interface SceneUpdate {
  readonly state: GraphState;
  /** Where in which recording the state stands; left out: it was made live. */
  readonly position?: RecordingPosition;
}

/** How much of a recording has been worked off. */
export interface RecordingPosition {
  /** Tells the recording and what is read of it from others. */
  readonly recording: string;
  /** Where in it the first replay began, seconds after its start. */
  readonly fromS: number;
  /** Messages from there on. */
  readonly messages: number;
  /** Where it was told to stop, seconds after its start; absent: it is in the middle of it. */
  readonly untilS?: number | undefined;
}

/** What keeps one graph beyond the process. A failure is told, never thrown. */
export interface SceneStore {
  readonly status: StoreStatus;
  /**
   * The state is on the disk, all of it in one transaction, when this resolves.
   * @param onWritten called as soon as that is so, before anything else can be written
   * @returns why it is not; then nothing of it is. Undefined: it is
   */
  commit(update: SceneUpdate, onWritten: () => void): Promise<string | undefined>;
  /** Writes without waiting for the disk; left out while something else is being written. */
  save(update: SceneUpdate): Promise<boolean>;
  /** Writes pictures and lets go of others, without waiting for the disk; false when that failed. */
  saveViews(written: readonly PictureRow[], removed: readonly ViewKey[]): Promise<boolean>;
  findPicture(view: ViewKey): Promise<Uint8Array | undefined>;
  close(last?: SceneUpdate): Promise<void>;
}

/** A view that was kept, but for its picture. */
export interface KeptView {
  readonly ref: string;
  readonly view: ChosenView;
  /** Size of its picture. */
  readonly bytes: number;
}

/** A store and what was in it. */
export interface OpenedStore {
  readonly store: SceneStore;
  /** Absent: the graph begins empty. */
  readonly restored?: GraphState;
  readonly views: readonly KeptView[];
  readonly position?: RecordingPosition;
  /** What whoever starts the node should know, without a path. */
  readonly notes: readonly string[];
}

/** In the place of a store that cannot be used: the graph lives in memory and nothing is confirmed. */
export class UnavailableStore implements SceneStore {
  readonly status: StoreStatus;

  constructor(reason: string) {
    this.status = { state: 'unavailable', reason };
  }

  commit(): Promise<string> {
    return Promise.resolve(this.status.reason);
  }

  save(): Promise<boolean> {
    return Promise.resolve(false);
  }

  saveViews(): Promise<boolean> {
    return Promise.resolve(false);
  }

  findPicture(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
