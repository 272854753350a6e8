import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { confidenceOf } from '../graph/confidenceOf.js';
import type { Entity, GraphState, LatestView, Moment } from '../graph/types.js';
import type { Stamp } from '../time/Stamp.js';
import { cropOf } from './cropOf.js';
import { cropRect } from './cropRect.js';
import { Pictures, type PictureParameters, type ReadPicture } from './Pictures.js';
import { scoreView } from './scoreView.js';
import { roleOf, withView, type ChosenView, type ViewSelection } from './selectViews.js';
import type { StoredView, ViewOffer, ViewRole } from './StoredView.js';

export interface EvidenceParameters extends ViewSelection, PictureParameters {
  /** Most views taken of one frame: what misses out now comes with a later frame. */
  readonly maxPerFrame: number;
  /** Most refs with views; beyond it those seen longest ago lose theirs. */
  readonly maxRefs: number;
  /** Time of the graph for which the views of a removed ref stay, nanoseconds. */
  readonly removedKeepNs: Stamp;
}

/** Views of removed refs are looked through this often, nanoseconds. */
const SWEEP_NS = 1_000_000_000n;

/** A frame, and the graph before and after it was folded in. */
export interface FoldedFrame {
  readonly frame: RgbdFrame;
  readonly before: GraphState;
  readonly after: GraphState;
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
 * the state what a frame is worth keeping of and copies that. The choice rests on what was chosen before and never on
 * how far the encoder is, so that replays keep the same pictures.
 */
export class EvidenceStore {
  readonly #views = new Map<string, readonly StoredView[]>();
  readonly #pictures: Pictures;
  #sweptAt: Stamp | undefined;

  /** @param onEncoded told how long each picture was with the encoder, milliseconds */
  constructor(
    private readonly parameters: EvidenceParameters,
    onEncoded?: (ms: number) => void,
  ) {
    this.#pictures = new Pictures(parameters, onEncoded);
  }

  /** Views of a ref, best first; empty when there are none. */
  viewsOf(ref: string): readonly StoredView[] {
    return this.#views.get(ref) ?? [];
  }

  /** The picture of a view as JPEG; undefined when it was replaced before it was asked for, or cannot be encoded. */
  jpegOf({ picture }: StoredView): Promise<Uint8Array | undefined> {
    return this.#pictures.jpegOf(picture);
  }

  /** Refs that have views. */
  refs(): string[] {
    return [...this.#views.keys()];
  }

  /** A view that was kept by an earlier process, its picture elsewhere. */
  restore(ref: string, view: ChosenView, read: ReadPicture): void {
    this.#views.set(
      ref,
      withView(this.viewsOf(ref), { ...view, picture: this.#pictures.addElsewhere(read) }),
    );
  }

  /** The picture of a view is kept elsewhere by now, and need not be kept here. */
  leaveElsewhere({ picture }: StoredView, read: ReadPicture): void {
    this.#pictures.leaveElsewhere(picture, read);
  }

  /** Refs that have views, those seen longest ago first. */
  refsByAge(): string[] {
    const newest = (ref: string): Moment =>
      this.viewsOf(ref).reduce((a, b) => (isLater(b.moment, a.moment) ? b : a)).moment;
    return this.refs().sort((a, b) => (isLater(newest(a), newest(b)) ? 1 : -1));
  }

  /** Bytes of the pictures that are not encoded. */
  get rawBytes(): number {
    return this.#pictures.rawBytes;
  }

  /**
   * Keeps what is worth keeping of a frame; nothing while the encoder is behind.
   * @throws what the encoder threw at an earlier picture, once
   */
  consider(folded: FoldedFrame): void {
    this.#pictures.throwFault();
    this.#forgetRemoved(folded.after);
    const { frame } = folded;
    const { color } = frame;
    if (color === undefined || this.#pictures.isFull) return;
    for (const { ref, role, offer, view } of this.#tasks(folded)) {
      const rect = cropRect(frame, color, view.rect, offer.distanceM);
      if (rect === undefined) continue;
      this.#keep(ref, { ...offer, role, picture: this.#pictures.add(cropOf(color.image, rect)) });
    }
    this.#forgetOldest();
  }

  /** Resolves when the encoder is not behind: who waits for it before each frame loses no view. */
  hasRoom(): Promise<void> {
    return this.#pictures.hasRoom();
  }

  /**
   * Every kept picture is encoded.
   * @throws what the encoder threw and nobody was told of, once
   */
  async settled(): Promise<void> {
    for (const views of this.#views.values()) for (const view of views) await this.jpegOf(view);
    await this.#pictures.settled();
    this.#pictures.throwFault();
  }

  clear(): void {
    for (const ref of this.refs()) this.forget(ref);
  }

  /** Lets go of the views of a ref. */
  forget(ref: string): void {
    for (const { picture } of this.viewsOf(ref)) this.#pictures.drop(picture);
    this.#views.delete(ref);
  }

  /** The view it takes the place of is not worth its picture any more. */
  #keep(ref: string, view: StoredView): void {
    const before = this.viewsOf(ref);
    const after = withView(before, view);
    for (const { picture } of before.filter((kept) => !after.includes(kept))) this.#pictures.drop(picture);
    this.#views.set(ref, after);
  }

  #tasks(folded: FoldedFrame): Task[] {
    const tasks: Task[] = [];
    for (const entity of folded.after.entities.values()) {
      const task = this.#taskFor(entity, folded);
      if (task !== undefined) tasks.push(task);
    }
    return tasks
      .sort((a, b) => b.gain - a.gain || (a.ref < b.ref ? -1 : 1))
      .slice(0, this.parameters.maxPerFrame);
  }

  /** Only what this frame gave a rectangle: a thing can be seen to be there without one, or in another camera. */
  #taskFor(entity: Entity, { frame, before, after }: FoldedFrame): Task | undefined {
    const { latestView, lastSeen } = entity;
    if (latestView === undefined || latestView === before.entities.get(entity.ref)?.latestView)
      return undefined;
    if (lastSeen.epoch !== after.epoch || lastSeen.stamp !== frame.stamp) return undefined;
    const offer = offerOf(entity, latestView, frame, lastSeen);
    const kept = this.viewsOf(entity.ref);
    const role = roleOf(offer, kept, this.parameters);
    if (role === undefined) return undefined;
    const gain = kept.length === 0 ? Infinity : offer.score;
    return { ref: entity.ref, role, offer, gain, view: latestView };
  }

  /** Only the graph's time counts, so replays keep the same; a jump back starts the wait anew. */
  #forgetRemoved({ graphTime, tombstones }: GraphState): void {
    if (graphTime === undefined) return;
    const since = this.#sweptAt === undefined ? SWEEP_NS : graphTime - this.#sweptAt;
    if (since >= 0n && since < SWEEP_NS) return;
    this.#sweptAt = graphTime;
    for (const ref of this.refs()) {
      const at = tombstones.get(ref)?.at.stamp;
      if (at !== undefined && graphTime - at > this.parameters.removedKeepNs) this.forget(ref);
    }
  }

  #forgetOldest(): void {
    const excess = this.#views.size - this.parameters.maxRefs;
    if (excess <= 0) return;
    for (const ref of this.refsByAge().slice(0, excess)) this.forget(ref);
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
