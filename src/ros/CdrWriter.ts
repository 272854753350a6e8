/** The encapsulation header: CDR, little endian. Alignment counts from behind it. */
const HEADER = Uint8Array.of(0, 1, 0, 0);

/**
 * Writes a message as little-endian CDR, the bytes that go over the wire, field after field in the order of its
 * definition. For what is published often and nests deeply: converting 200 markers field by field costs 100 ms.
 * Strings are written as UTF-8 with their length in bytes (general writers count UTF-16 units and so cut them).
 */
export class CdrWriter {
  #bytes: Buffer;
  #view: DataView;
  #offset = HEADER.length;

  constructor(capacity = 4096) {
    this.#bytes = Buffer.alloc(Math.max(capacity, HEADER.length));
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    this.#bytes.set(HEADER);
  }

  bool(value: boolean): this {
    return this.uint8(value ? 1 : 0);
  }

  uint8(value: number): this {
    const at = this.#claim(1);
    this.#view.setUint8(at, value);
    return this;
  }

  int32(value: number): this {
    const at = this.#claim(4);
    this.#view.setInt32(at, value, true);
    return this;
  }

  uint32(value: number): this {
    const at = this.#claim(4);
    this.#view.setUint32(at, value, true);
    return this;
  }

  float32(value: number): this {
    const at = this.#claim(4);
    this.#view.setFloat32(at, value, true);
    return this;
  }

  float64(value: number): this {
    const at = this.#claim(8);
    this.#view.setFloat64(at, value, true);
    return this;
  }

  /** UTF-8 with a terminating zero; a NUL inside would end it early for every reader, so it is left out. */
  string(value: string): this {
    const text = value.includes('\0') ? value.replaceAll('\0', '') : value;
    const length = Buffer.byteLength(text, 'utf8') + 1;
    this.uint32(length);
    const start = this.#claimBytes(length);
    this.#bytes.write(text, start, 'utf8');
    this.#bytes[start + length - 1] = 0;
    return this;
  }

  /** `uint8[]`: its length, then the bytes as they are. */
  bytes(value: Uint8Array): this {
    this.uint32(value.length);
    const start = this.#claimBytes(value.length);
    this.#bytes.set(value, start);
    return this;
  }

  /** A sequence: its length, then each item. */
  sequence<Item>(items: readonly Item[], write: (writer: this, item: Item) => void): this {
    this.uint32(items.length);
    for (const item of items) write(this, item);
    return this;
  }

  /** The finished message in memory of its own, at offset 0: `alloc` never takes from the shared pool. */
  finish(): Buffer {
    const owned = Buffer.alloc(this.#offset);
    this.#bytes.copy(owned, 0, 0, this.#offset);
    return owned;
  }

  /** Room for one aligned primitive; alignment bytes stay zero. */
  #claim(size: number): number {
    const misaligned = (this.#offset - HEADER.length) % size;
    if (misaligned !== 0) this.#claimBytes(size - misaligned);
    return this.#claimBytes(size);
  }

  #claimBytes(size: number): number {
    const start = this.#offset;
    this.#offset += size;
    if (this.#offset > this.#bytes.length) this.#grow(this.#offset * 2);
    return start;
  }

  #grow(capacity: number): void {
    const larger = Buffer.alloc(capacity);
    this.#bytes.copy(larger);
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer, larger.byteOffset, larger.byteLength);
  }
}
