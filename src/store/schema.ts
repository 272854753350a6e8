import type { Database } from 'better-sqlite3';

/**
 * The tables, as a list of steps: a file of version n has had the first n of them. A step that was released is never
 * changed again; a new version adds one.
 */
export type Migration = (database: Database) => void;

export const MIGRATIONS: readonly Migration[] = [
  (database) =>
    database.exec(`
      -- One graph per map and map frame: positions of one say nothing in another.
      CREATE TABLE graph (
        id INTEGER PRIMARY KEY,
        map_id TEXT NOT NULL,
        map_frame TEXT NOT NULL,
        -- No revision above this one was handed out.
        revision_limit INTEGER NOT NULL DEFAULT 0,
        -- Where in which recording the graph stands, JSON; NULL: it was made live.
        position TEXT,
        UNIQUE (map_id, map_frame)
      ) STRICT;
      -- The ids keep the order of arrival.
      CREATE TABLE item (
        id INTEGER PRIMARY KEY,
        graph INTEGER NOT NULL REFERENCES graph (id),
        part TEXT NOT NULL,
        key TEXT NOT NULL,
        body BLOB NOT NULL,
        UNIQUE (graph, part, key)
      ) STRICT;
      CREATE TABLE view (
        id INTEGER PRIMARY KEY,
        graph INTEGER NOT NULL REFERENCES graph (id),
        ref TEXT NOT NULL,
        role TEXT NOT NULL,
        about BLOB NOT NULL,
        picture BLOB NOT NULL,
        UNIQUE (graph, ref, role)
      ) STRICT;
    `),
];

/** "rsgr" in the file's header: tells our files from other programs'. */
export const APPLICATION_ID = 0x72736772;

/** Brings a file to the newest version, each step whole or not at all. */
export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  for (let version = versionOf(database); version < migrations.length; version++) {
    database.transaction(() => {
      migrations[version](database);
      database.pragma(`application_id = ${APPLICATION_ID}`);
      database.pragma(`user_version = ${version + 1}`);
    })();
  }
}

export function versionOf(database: Database): number {
  return database.pragma('user_version', { simple: true }) as number;
}
