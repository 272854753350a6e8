import type { Database, Statement } from 'better-sqlite3';
import { openDatabase, setAsideFile, type DatabaseLimits } from './openDatabase.js';
import type { RowChanges, StoredRow } from './stateRows.js';

/** Whose graph it is: positions in one map, or one frame, say nothing in another. */
export interface GraphIdentity {
  readonly mapId: string;
  readonly mapFrame: string;
}

/** A kept view of a ref, but for its picture. */
export interface ViewKey {
  readonly ref: string;
  readonly role: string;
}

export interface ViewRow extends ViewKey {
  readonly about: Uint8Array;
}

export interface PictureRow extends ViewRow {
  readonly picture: Uint8Array;
}

/** What is written at once, wholly or not at all. */
export interface StoreChanges extends RowChanges {
  readonly views?: readonly PictureRow[];
  readonly removedViews?: readonly ViewKey[];
  /** No revision above it will be handed out before the next write. */
  readonly revisionLimit: number;
  /** Where in which recording the graph stands then, JSON; null: it is made live. */
  readonly position: string | null;
}

export interface StoredGraph {
  readonly rows: readonly StoredRow[];
  readonly views: readonly ViewRow[];
  readonly revisionLimit: number;
  readonly position: string | null;
}

/** One graph in a file, for whoever may wait: everything here blocks until the disk has answered. */
export class StoreFile {
  readonly #limits: DatabaseLimits;
  #database: Database;
  #graph: GraphTables;

  /** @throws what keeps the store from being used; `reasonOf` has the words */
  static open(file: string, identity: GraphIdentity, limits: DatabaseLimits = {}): StoreFile {
    return new StoreFile(file, identity, limits);
  }

  /** The new name of an unreadable file that stood in the way. */
  setAside: string | undefined;

  private constructor(
    readonly file: string,
    readonly identity: GraphIdentity,
    limits: DatabaseLimits,
  ) {
    this.#limits = limits;
    const { database, setAside } = openDatabase(file, limits);
    this.#database = database;
    this.setAside = setAside;
    this.#graph = new GraphTables(database, identity);
  }

  load(): StoredGraph {
    return this.#graph.load();
  }

  /** @param durable it is on the disk when this returns, also if the power fails then */
  write(changes: StoreChanges, durable: boolean): void {
    this.#database.pragma(`synchronous = ${durable ? 'FULL' : 'NORMAL'}`);
    this.#database.transaction(() => this.#graph.write(changes)).immediate();
  }

  findPicture(view: ViewKey): Uint8Array | undefined {
    return this.#graph.findPicture(view);
  }

  /** What is in the file makes no sense: it is set aside, and an empty one takes its place. */
  startAnew(): string {
    this.#database.close();
    this.setAside = setAsideFile(this.file);
    this.#database = openDatabase(this.file, this.#limits).database;
    this.#graph = new GraphTables(this.#database, this.identity);
    return this.setAside;
  }

  close(): void {
    this.#database.close();
  }
}

/** A graph in a file, to look at. */
export interface GraphReader {
  readonly identity: GraphIdentity;
  load(): StoredGraph;
  findPicture(view: ViewKey): Uint8Array | undefined;
}

/** Every graph of a database, in the order of their arrival. */
export function readGraphs(database: Database): readonly GraphReader[] {
  const all = database.prepare('SELECT map_id AS mapId, map_frame AS mapFrame FROM graph ORDER BY id').all();
  return (all as GraphIdentity[]).map((identity) => new GraphTables(database, identity));
}

/** The statements for one graph of a database. */
class GraphTables implements GraphReader {
  readonly #id: number;
  readonly #statements: Readonly<Record<keyof typeof SQL, Statement>>;

  constructor(
    database: Database,
    readonly identity: GraphIdentity,
  ) {
    const { mapId, mapFrame } = identity;
    if (!database.readonly)
      database.prepare('INSERT OR IGNORE INTO graph (map_id, map_frame) VALUES (?, ?)').run(mapId, mapFrame);
    const found = database
      .prepare('SELECT id FROM graph WHERE map_id = ? AND map_frame = ?')
      .get(mapId, mapFrame);
    this.#id = (found as { id: number }).id;
    const prepared = Object.entries(SQL).map(([name, sql]) => [name, database.prepare(sql)]);
    this.#statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
  }

  load(): StoredGraph {
    const { items, views, graph } = this.#statements;
    const { revisionLimit, position } = graph.get(this.#id) as Pick<
      StoredGraph,
      'revisionLimit' | 'position'
    >;
    return {
      rows: items.all(this.#id) as StoredRow[],
      views: views.all(this.#id) as ViewRow[],
      revisionLimit,
      position,
    };
  }

  write({ written, removed, views = [], removedViews = [], revisionLimit, position }: StoreChanges): void {
    const { setItem, removeItem, setView, removeView, setGraph } = this.#statements;
    for (const { part, key, body } of written) setItem.run(this.#id, part, key, body);
    for (const { part, key } of removed) removeItem.run(this.#id, part, key);
    for (const { ref, role, about, picture } of views) setView.run(this.#id, ref, role, about, picture);
    for (const { ref, role } of removedViews) removeView.run(this.#id, ref, role);
    setGraph.run(revisionLimit, position, this.#id);
  }

  findPicture({ ref, role }: ViewKey): Uint8Array | undefined {
    const found = this.#statements.picture.get(this.#id, ref, role) as { picture: Uint8Array } | undefined;
    return found?.picture;
  }
}

const SQL = {
  graph: 'SELECT revision_limit AS revisionLimit, position FROM graph WHERE id = ?',
  items: 'SELECT part, key, body FROM item WHERE graph = ? ORDER BY id',
  views: 'SELECT ref, role, about FROM view WHERE graph = ? ORDER BY id',
  picture: 'SELECT picture FROM view WHERE graph = ? AND ref = ? AND role = ?',
  // The row keeps its id, and with it its place in the order.
  setItem: `INSERT INTO item (graph, part, key, body) VALUES (?, ?, ?, ?)
    ON CONFLICT (graph, part, key) DO UPDATE SET body = excluded.body`,
  removeItem: 'DELETE FROM item WHERE graph = ? AND part = ? AND key = ?',
  setView: `INSERT INTO view (graph, ref, role, about, picture) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (graph, ref, role) DO UPDATE SET about = excluded.about, picture = excluded.picture`,
  removeView: 'DELETE FROM view WHERE graph = ? AND ref = ? AND role = ?',
  setGraph: 'UPDATE graph SET revision_limit = ?, position = ? WHERE id = ?',
} as const;
