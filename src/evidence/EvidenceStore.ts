import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { confidenceOf } from '../graph/confidenceOf.js';
import type { Entity, GraphState, LatestView, Moment } from '../graph/types.js';
import { cropOf, type Crop } from './cropOf.js';
import { cropRect } from './cropRect.js';
import { encodeView } from './encodeView.js';
import { scoreView } from './scoreView.js';
import { roleOf, withView, type ViewOffer, type ViewSelection } from './selectViews.js';
import type { PlannedView, StoredView, ViewRole } from './StoredView.js';

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
  readonly offer: ViewOffer;
  readonly role: ViewRole;
  readonly gain: number;
  readonly view: LatestView;
}

/**
 * Stored views: up to three pictures per ref — best, latest, and the most different side. `consider` decides from
 * the state what a frame is worth keeping of and copies that; encoding it happens beside, one picture after the other.
 * The choice rests on what was chosen before and never on how far the encoder is, so that replays keep the same
 * pictures.
 */
export class EvidenceStore {
  readonly #planned = new Map<string, readonly PlannedView[]>();
  readonly #views = new Map<string, readonly StoredView[]>();
  /** One for each picture that waits for the encoder or is with it, in order. */
  readonly #encoding: Promise<void>[] = [];
  readonly #faults: unknown[] = [];

  /** @param onEncoded told how long each picture was with the encoder, milliseconds */
  constructor(
    private readonly parameters: EvidenceParameters,
    private readonly onEncoded?: (ms: number) => void,
  ) {}

  /** Views of a ref, best first; empty when there are none. */
  viewsOf(ref: string): readonly StoredView[] {
    return this.#views.get(ref) ?? [];
  }

  /** Refs that have views. */
  refs(): string[] {
    return [...this.#views.keys()];
  }

  get queued(): number {
    return this.#encoding.length;
  }

  /**
   * Keeps what is worth keeping of a frame that was just folded into `state`; nothing while the encoder is behind.
   * @throws what the encoder threw at an earlier picture, once
   */
  consider(frame: RgbdFrame, state: GraphState): void {
    this.#throwFault();
    const { color } = frame;
    if (color === undefined || this.queued >= this.parameters.maxQueued) return;
    for (const { ref, role, offer, view } of this.#tasks(frame, state)) {
      const rect = cropRect(frame, color, view.rect, offer.distanceM);
      if (rect === undefined) continue;
      const planned: PlannedView = { ...offer, role };
      this.#planned.set(ref, withView(this.#plannedOf(ref), planned));
      this.#enqueue(ref, planned, cropOf(color.image, rect));
    }
    this.#forgetOldest();
  }

  /** Resolves when the encoder is no longer behind: who waits for it before each frame loses no view. */
  async hasRoom(): Promise<void> {
    while (this.queued >= this.parameters.maxQueued) await this.#encoding[0];
  }

  /**
   * All pictures asked for so far are stored.
   * @throws what the encoder threw and nobody was told of, once
   */
  async settled(): Promise<void> {
    await this.#encoding.at(-1);
    this.#throwFault();
  }

  clear(): void {
    this.#planned.clear();
    this.#views.clear();
  }

  #plannedOf(ref: string): readonly PlannedView[] {
    return this.#planned.get(ref) ?? [];
  }

  #enqueue(ref: string, planned: PlannedView, crop: Crop): void {
    const before = this.#encoding.at(-1) ?? Promise.resolve();
    const done = before
      .then(() => this.#store(ref, planned, crop))
      .catch((fault: unknown) => void this.#faults.push(fault))
      .finally(() => void this.#encoding.shift());
    this.#encoding.push(done);
  }

  #throwFault(): void {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw new Error('a picture could not be encoded', { cause: fault });
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
    const kept = this.#plannedOf(entity.ref);
    const role = roleOf(offer, kept, this.parameters);
    if (role === undefined) return undefined;
    const gain = kept.length === 0 ? Infinity : offer.score;
    return { ref: entity.ref, role, offer, gain, view: latestView };
  }

  /** A view that another has replaced by now is not worth its picture. */
  async #store(ref: string, planned: PlannedView, crop: Crop): Promise<void> {
    const isWanted = (): boolean => this.#plannedOf(ref).includes(planned);
    if (!isWanted()) return;
    const start = performance.now();
    const jpeg = await encodeView(crop, this.parameters.maxBytes);
    this.onEncoded?.(performance.now() - start);
    if (isWanted()) this.#views.set(ref, withView(this.viewsOf(ref), { ...planned, jpeg }));
  }

  #forgetOldest(): void {
    const excess = this.#planned.size - this.parameters.maxRefs;
    if (excess <= 0) return;
    const newest = (ref: string): Moment =>
      this.#plannedOf(ref).reduce((a, b) => (isLater(b.moment, a.moment) ? b : a)).moment;
    const byAge = [...this.#planned.keys()].sort((a, b) => (isLater(newest(a), newest(b)) ? 1 : -1));
    for (const ref of byAge.slice(0, excess)) {
      this.#planned.delete(ref);
      this.#views.delete(ref);
    }
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
