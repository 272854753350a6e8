import type { Crop } from './cropOf.js';
import { encodeView } from './encodeView.js';

/** Stands for one picture, raw until somebody asks for it or its memory is needed. */
export type Picture = object;

export type ReadPicture = () => Promise<Uint8Array | undefined>;

export interface PictureParameters {
  /** Largest encoded picture, bytes. */
  readonly maxBytes: number;
  /** Most memory for pictures that are not encoded, bytes. */
  readonly maxRawBytes: number;
}

/**
 * Pictures that are encoded when they are asked for. Most are replaced by a better or newer one before that and never
 * cost more than their copy. When the raw ones fill half of their memory, the oldest are encoded beside, one after
 * the other.
 */
export class Pictures {
  /** Not encoded and nobody is at it; oldest first. */
  readonly #raw = new Map<Picture, Crop>();
  readonly #jpegs = new WeakMap<Picture, Promise<Uint8Array | undefined>>();
  /** Encoded and kept elsewhere: read each time somebody asks. */
  readonly #elsewhere = new WeakMap<Picture, ReadPicture>();
  readonly #encoding = new Set<Promise<unknown>>();
  readonly #faults: unknown[] = [];
  #rawBytes = 0;
  #isMakingRoom = false;

  /** @param onEncoded told how long each picture was with the encoder, milliseconds */
  constructor(
    private readonly parameters: PictureParameters,
    private readonly onEncoded?: (ms: number) => void,
  ) {}

  /** Bytes of the pictures that are not encoded. */
  get rawBytes(): number {
    return this.#rawBytes;
  }

  get isFull(): boolean {
    return this.#rawBytes >= this.parameters.maxRawBytes;
  }

  add(crop: Crop): Picture {
    const picture = {};
    this.#raw.set(picture, crop);
    this.#rawBytes += crop.pixels.length;
    void this.#makeRoom();
    return picture;
  }

  /** A picture that is kept elsewhere from the beginning. */
  addElsewhere(read: ReadPicture): Picture {
    const picture = {};
    this.#elsewhere.set(picture, read);
    return picture;
  }

  /** Lets go of an encoded picture that is kept elsewhere by now. */
  leaveElsewhere(picture: Picture, read: ReadPicture): void {
    if (!this.#jpegs.delete(picture)) return;
    this.#elsewhere.set(picture, read);
  }

  /** Nobody will ask for it any more. */
  drop(picture: Picture): void {
    this.#rawBytes -= this.#raw.get(picture)?.pixels.length ?? 0;
    this.#raw.delete(picture);
  }

  /** The encoded picture, the same bytes each time; undefined when it was dropped or the encoder failed at it. */
  jpegOf(picture: Picture): Promise<Uint8Array | undefined> {
    const known = this.#jpegs.get(picture);
    if (known !== undefined) return known;
    const read = this.#elsewhere.get(picture);
    if (read !== undefined) return read();
    const crop = this.#raw.get(picture);
    if (crop === undefined) return Promise.resolve(undefined);
    this.#raw.delete(picture);
    const jpeg = this.#encode(crop);
    this.#jpegs.set(picture, jpeg);
    this.#encoding.add(jpeg);
    void jpeg.then(() => this.#encoding.delete(jpeg));
    return jpeg;
  }

  /** Resolves when there is room for more. */
  async hasRoom(): Promise<void> {
    while (this.isFull) {
      const [oldest] = this.#raw.keys();
      await (oldest === undefined ? Promise.race(this.#encoding) : this.jpegOf(oldest));
    }
  }

  /** Resolves when the encoder is at none. */
  async settled(): Promise<void> {
    while (this.#encoding.size > 0) await Promise.all(this.#encoding);
  }

  /** @throws what the encoder threw and nobody was told of, once */
  throwFault(): void {
    const [fault] = this.#faults.splice(0);
    if (fault !== undefined) throw new Error('a picture could not be encoded', { cause: fault });
  }

  async #makeRoom(): Promise<void> {
    if (this.#isMakingRoom) return;
    this.#isMakingRoom = true;
    while (this.#rawBytes > this.parameters.maxRawBytes / 2) {
      const [oldest] = this.#raw.keys();
      if (oldest === undefined) break;
      await this.jpegOf(oldest);
    }
    this.#isMakingRoom = false;
  }

  async #encode(crop: Crop): Promise<Uint8Array | undefined> {
    const start = performance.now();
    try {
      const jpeg = await encodeView(crop, this.parameters.maxBytes);
      this.onEncoded?.(performance.now() - start);
      return jpeg;
    } catch (fault) {
      this.#faults.push(fault);
      return undefined;
    } finally {
      this.#rawBytes -= crop.pixels.length;
    }
  }
}
