import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import Sqlite, { type Database } from 'better-sqlite3';
import { APPLICATION_ID, migrate, MIGRATIONS, versionOf } from './schema.js';
import { isDamage, StoreProblem, UnreadableStore } from './StoreProblem.js';

/**
 * The file as a database that this process alone writes to. What cannot be read is set aside under a new name; what is
 * not ours, or newer than we are, is refused without being touched.
 */

export interface OpenedDatabase {
  readonly database: Database;
  /** The new name of an unreadable file that stood in the way, without its folder. */
  readonly setAside?: string;
}

export interface DatabaseLimits {
  /** Most bytes of the file; undefined: no limit. */
  readonly maxBytes?: number;
}

/** A predecessor that is just ending is waited for this long, ms. */
const BUSY_MS = 2000;
const SIDE_FILES = ['', '-wal', '-shm', '-journal'] as const;

/** @throws what keeps the store from being used; `reasonOf` has the words */
export function openDatabase(file: string, limits: DatabaseLimits = {}): OpenedDatabase {
  if (!existsSync(dirname(file))) mkdirSync(dirname(file), { recursive: true });
  try {
    refuseOthers(file);
    return { database: checkedDatabase(file, limits) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const setAside = setAsideFile(file);
    return { database: checkedDatabase(file, limits), setAside };
  }
}

/** Gives the file, and what belongs to it, a name that is free. */
export function setAsideFile(file: string): string {
  for (let k = 1; ; k++) {
    const name = `${file}.unreadable-${k}`;
    if (SIDE_FILES.some((side) => existsSync(`${name}${side}`))) continue;
    for (const side of SIDE_FILES)
      if (existsSync(`${file}${side}`)) renameSync(`${file}${side}`, `${name}${side}`);
    return basename(name);
  }
}

function checkedDatabase(file: string, { maxBytes }: DatabaseLimits): Database {
  const database = new Sqlite(file, { timeout: BUSY_MS });
  try {
    // Before the first access: then SQLite itself sees to it that there is one process only, also after a crash.
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE; COMMIT');
    const check = database.pragma('quick_check(1)', { simple: true });
    if (check !== 'ok') throw new UnreadableStore(`integrity check: ${String(check)}`);
    refuseNewer(versionOf(database));
    const before = versionOf(database);
    migrate(database);
    // The header, which is all that later versions look at first, must not wait in the log.
    if (versionOf(database) !== before) database.pragma('wal_checkpoint(TRUNCATE)');
    const pageSize = database.pragma('page_size', { simple: true }) as number;
    if (maxBytes !== undefined)
      database.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Offsets in SQLite's header, see https://sqlite.org/fileformat.html#the_database_header */
const HEADER_BYTES = 100;
const USER_VERSION_AT = 60;
const APPLICATION_ID_AT = 68;

/** Looks at the file's first bytes only: opening it as a database could already write to it. */
function refuseOthers(file: string): void {
  // The header may be half written; SQLite puts it right from the journal.
  if (!existsSync(file) || existsSync(`${file}-journal`)) return;
  const header = Buffer.alloc(HEADER_BYTES);
  const descriptor = openSync(file, 'r');
  const length = readSync(descriptor, header, 0, HEADER_BYTES, 0);
  closeSync(descriptor);
  if (length === 0) return;
  if (length < HEADER_BYTES || header.toString('latin1', 0, 16) !== 'SQLite format 3\0')
    throw new UnreadableStore('it is no SQLite database');
  if (header.readUInt32BE(APPLICATION_ID_AT) !== APPLICATION_ID)
    throw new StoreProblem('the file is a database of another program');
  refuseNewer(header.readUInt32BE(USER_VERSION_AT));
}

function refuseNewer(version: number): void {
  if (version > MIGRATIONS.length)
    throw new StoreProblem(
      `the store has version ${version}; this program knows versions up to ${MIGRATIONS.length}`,
    );
}
