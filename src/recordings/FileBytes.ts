import { open, type FileHandle } from 'node:fs/promises';

/** Reads from a file are made in steps of this size: few system calls for small records, little memory. */
const WINDOW_BYTES = 1024 * 1024;

/** Random access to a file's bytes through one window; a record larger than the window is read alone. */
export class FileBytes {
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;

  private constructor(
    readonly handle: FileHandle,
    readonly size: number,
  ) {}

  static async open(path: string): Promise<FileBytes> {
    const handle = await open(path, 'r');
    try {
      return new FileBytes(handle, (await handle.stat()).size);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** Bytes [offset, offset + length), fewer when the file ends before. Never overwritten later. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.size - offset));
    const bytes = Buffer.alloc(wanted);
    let done = 0;
    while (done < wanted) {
      const { bytesRead } = await this.handle.read(bytes, done, wanted - done, offset + done);
      if (bytesRead === 0) break;
      done += bytesRead;
    }
    return done === wanted ? bytes : bytes.subarray(0, done);
  }

  /** As `read`, but answered from the window where it can be: for walking through the file. */
  async peek(offset: number, length: number): Promise<Uint8Array> {
    const from = offset - this.#windowOffset;
    if (from >= 0 && from + length <= this.#window.length) return this.#window.subarray(from, from + length);
    this.#window = await this.read(offset, Math.max(length, WINDOW_BYTES));
    this.#windowOffset = offset;
    return this.#window.subarray(0, length);
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}
