import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { confidenceOf } from '../graph/confidenceOf.js';
import type { Entity, GraphState, LatestView, Moment } from '../graph/types.js';
import { cropRect } from './cropRect.js';
import { encodeView } from './encodeView.js';
import { scoreView } from './scoreView.js';
import { roleOf, withView, type ViewOffer, type ViewSelection } from './selectViews.js';
import type { StoredView, ViewRole } from './StoredView.js';

export interface EvidenceParameters extends ViewSelection {
  /** Largest stored picture, bytes. */
  readonly maxBytes: number;
  /** Most views encoded for one frame: what misses out now comes with a later frame. */
  readonly maxPerFrame: number;
  /** Most views waiting for the encoder; a frame that comes while it is behind leaves none. */
  readonly maxQueued: number;
  /** Most refs with views; beyond it those seen longest ago lose theirs. */
  readonly maxRefs: number;
}

interface Task {
  readonly ref: string;
  readonly role: ViewRole;
  readonly offer: ViewOffer;
  readonly gain: number;
  readonly view: LatestView;
}

/**
 * Stored views: up to three pictures per ref — best, latest, and the most different side. `consider` decides from
 * the state what a frame is worth keeping of and encodes that off the frame path; what is kept depends only on
 * frames and states, so replays keep the same pictures.
 */
export class EvidenceStore {
  readonly #views = new Map<string, readonly StoredView[]>();
  #pending: Promise<void> = Promise.resolve();
  #queued = 0;

  constructor(private readonly parameters: EvidenceParameters) {}

  /** Views of a ref, best first; empty when there are none. */
  viewsOf(ref: string): readonly StoredView[] {
    return this.#views.get(ref) ?? [];
  }

  /** Refs that have views. */
  refs(): string[] {
    return [...this.#views.keys()];
  }

  get queued(): number {
    return this.#queued;
  }

  /**
   * Keeps what is worth keeping of a frame that was just folded into `state`.
   * Resolves when its pictures are stored; the caller need not wait.
   */
  consider(frame: RgbdFrame, state: GraphState): Promise<void> {
    if (frame.color === undefined || this.#queued >= this.parameters.maxQueued) return this.#pending;
    const tasks = this.#tasks(frame, state);
    if (tasks.length === 0) return this.#pending;
    this.#queued += tasks.length;
    this.#pending = this.#pending.then(async () => {
      for (const task of tasks) {
        await this.#store(frame, task).finally(() => (this.#queued -= 1));
      }
      this.#forgetOldest();
    });
    return this.#pending;
  }

  /** All pictures asked for so far are stored. */
  settled(): Promise<void> {
    return this.#pending;
  }

  clear(): void {
    this.#views.clear();
  }

  #tasks(frame: RgbdFrame, state: GraphState): Task[] {
    const tasks: Task[] = [];
    for (const entity of state.entities.values()) {
      const task = this.#taskFor(entity, frame, state);
      if (task !== undefined) tasks.push(task);
    }
    return tasks
      .sort((a, b) => b.gain - a.gain || (a.ref < b.ref ? -1 : 1))
      .slice(0, this.parameters.maxPerFrame);
  }

  #taskFor(entity: Entity, frame: RgbdFrame, state: GraphState): Task | undefined {
    const { latestView, lastSeen } = entity;
    if (latestView === undefined || lastSeen.epoch !== state.epoch || lastSeen.stamp !== frame.stamp)
      return undefined;
    const offer = offerOf(entity, latestView, frame, lastSeen);
    const stored = this.viewsOf(entity.ref);
    const role = roleOf(offer, stored, this.parameters);
    if (role === undefined) return undefined;
    const gain = stored.length === 0 ? Infinity : offer.score;
    return { ref: entity.ref, role, offer, gain, view: latestView };
  }

  async #store(frame: RgbdFrame, { ref, role, offer, view }: Task): Promise<void> {
    const { color } = frame;
    if (color === undefined) return;
    const rect = cropRect(frame, color, view.rect, offer.distanceM);
    if (rect === undefined) return;
    const jpeg = await encodeView(color.image, rect, this.parameters.maxBytes);
    this.#views.set(ref, withView(this.viewsOf(ref), { ...offer, role, jpeg }));
  }

  #forgetOldest(): void {
    const excess = this.#views.size - this.parameters.maxRefs;
    if (excess <= 0) return;
    const newest = (ref: string): Moment =>
      this.viewsOf(ref).reduce((a, b) => (isLater(b.moment, a.moment) ? b : a)).moment;
    const byAge = this.refs().sort((a, b) => (isLater(newest(a), newest(b)) ? 1 : -1));
    for (const ref of byAge.slice(0, excess)) this.#views.delete(ref);
  }
}

function offerOf(entity: Entity, view: LatestView, frame: RgbdFrame, moment: Moment): ViewOffer {
  const [cx, cy, cz] = frame.map_T_depth.translation;
  const [x, y, z] = entity.box.center;
  const pixels = frame.depth.width * frame.depth.height;
  return {
    score: scoreView(view, pixels, confidenceOf(entity)),
    azimuth: Math.atan2(cy - y, cx - x),
    distanceM: Math.hypot(cx - x, cy - y, cz - z),
    moment,
  };
}

function isLater(a: Moment, b: Moment): boolean {
  return a.epoch !== b.epoch ? a.epoch > b.epoch : a.stamp > b.stamp;
}
