import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** The target is not a folder that may be replaced. */
export class StagedFolderError extends Error {
  override readonly name = 'StagedFolderError';
}

/**
 * A folder that appears whole or not at all: files go into a hidden sibling, which takes the folder's name at
 * the end. A folder of that name is replaced then, not before, so a failed run leaves the old one; and only
 * when it is empty or has been made in this way, so that nobody's own files are lost to a mistyped name.
 */
export class StagedFolder {
  readonly #staging: string;

  private constructor(readonly folder: string) {
    this.#staging = path.join(path.dirname(folder), `.${path.basename(folder)}.part-${process.pid}`);
  }

  /**
   * @param marker a file that every folder of this kind holds.
   * @throws Error when the folder exists with other things in it.
   */
  static async create(folder: string, marker: string): Promise<StagedFolder> {
    await refuseForeign(folder, marker);
    const staged = new StagedFolder(path.resolve(folder));
    await rm(staged.#staging, { recursive: true, force: true });
    await mkdir(staged.#staging, { recursive: true });
    return staged;
  }

  /** @param name relative to the folder, with forward slashes. */
  async write(name: string, content: string | Uint8Array): Promise<void> {
    const file = path.join(this.#staging, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Gives the folder its name. */
  async commit(): Promise<void> {
    const old = `${this.#staging}.old`;
    await rm(old, { recursive: true, force: true });
    await rename(this.folder, old).catch(ignoreMissing);
    await rename(this.#staging, this.folder);
    await rm(old, { recursive: true, force: true });
  }

  /** Gives up: only what was there before remains. */
  async discard(): Promise<void> {
    await rm(this.#staging, { recursive: true, force: true });
  }
}

async function refuseForeign(folder: string, marker: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    ignoreMissing(error);
    return [];
  });
  if (names.length > 0 && !names.includes(marker)) {
    throw new StagedFolderError(`${folder} holds other files and is not replaced (it has no ${marker})`);
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
