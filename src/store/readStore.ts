import Sqlite, { type Database } from 'better-sqlite3';
import { APPLICATION_ID, MIGRATIONS, versionOf } from './schema.js';
import { readGraphs, type GraphReader } from './StoreFile.js';
import { isDamage, reasonOf, StoreProblem } from './StoreProblem.js';

/** A file that is only looked at: nothing of it is changed, and one that cannot be read is not set aside. */
export class StoreReader {
  readonly #database: Database;
  readonly version: number;

  /** @throws StoreProblem in words without a path */
  static open(file: string): StoreReader {
    try {
      return new StoreReader(new Sqlite(file, { readonly: true, fileMustExist: true, timeout: 2000 }));
    } catch (error) {
      throw new StoreProblem(isDamage(error) ? 'the file is damaged or no store' : reasonOf(error), {
        cause: error,
      });
    }
  }

  private constructor(database: Database) {
    this.#database = database;
    this.version = versionOf(database);
    const isOurs = database.pragma('application_id', { simple: true }) === APPLICATION_ID;
    if (isOurs && this.version === MIGRATIONS.length) return;
    database.close();
    throw new StoreProblem(
      isOurs
        ? `the store has version ${this.version}; this program reads version ${MIGRATIONS.length}`
        : 'the file is a database of another program',
    );
  }

  /** One for each map and map frame. */
  graphs(): readonly GraphReader[] {
    return readGraphs(this.#database);
  }

  close(): void {
    this.#database.close();
  }
}
