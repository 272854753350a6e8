import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import type { Stamp } from '../time/Stamp.js';
import { decompressorsReady } from './decompress.js';
import type { MessageCompression } from './openPart.js';
import { rawMessage } from './rawMessage.js';
import type { RawMessage, ReadRange, RecordingPart, TopicInfo, Truncation } from './Recording.js';
import { RecordingError } from './RecordingError.js';
import { rosTypeName } from './rosTypeName.js';
import { SkipCounts } from './SkipCounts.js';
import { unpackPayload } from './unpackPayload.js';

/**
 * One `.db3` file as rosbag2's sqlite3 storage writes it: tables `topics` and `messages`, and in newer ones
 * `message_definitions`. Opened read-only. Rows are taken one by one, in the order of the stamp index.
 * A cut or damaged database is read as far as SQLite gets; the rest is counted as one `storage_error`.
 */
export class SqliteFile implements RecordingPart {
  readonly #openDatabase: () => Database.Database;
  readonly #topicById: ReadonlyMap<bigint, TopicInfo>;
  readonly #messageCompression: MessageCompression;
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;

  private constructor(
    open: () => Database.Database,
    contents: Contents,
    readonly truncation: Truncation | undefined,
    messageCompression: MessageCompression,
  ) {
    this.#openDatabase = open;
    this.#topicById = contents.topicById;
    this.#messageCompression = messageCompression;
    this.start = contents.start;
    this.end = contents.end;
  }

  static async open(path: string, messageCompression: MessageCompression = 'none'): Promise<SqliteFile> {
    const Sqlite = await loadSqlite(path);
    await decompressorsReady();
    const fileBytes = (await stat(path)).size;
    // A connection per reader: one connection cannot run a second query while rows are being taken.
    const open = (): Database.Database => new Sqlite(path, { readonly: true, fileMustExist: true });
    const openDamaged = (): Database.Database => tolerateDamage(open());
    try {
      const contents = withDatabase(open, readContents);
      if (contents.ok) return new SqliteFile(open, contents.value, undefined, messageCompression);
      const salvaged = withDatabase(openDamaged, salvageContents);
      const { end: stamp } = salvaged;
      const truncation = { file: basename(path), byteOffset: fileBytes, stamp, reason: contents.damage };
      return new SqliteFile(openDamaged, salvaged, truncation, messageCompression);
    } catch (error) {
      throw new RecordingError(`${path} cannot be read as a rosbag2 database: ${reasonOf(error)}`);
    }
  }

  get topics(): readonly TopicInfo[] {
    return [...this.#topicById.values()];
  }

  async *messages(range: ReadRange = {}): AsyncGenerator<RawMessage, void, void> {
    const skipped = range.skipped ?? new SkipCounts();
    const wanted = range.topics && new Set(range.topics);
    const ids = [...this.#topicById]
      .filter(([, topic]) => !wanted || wanted.has(topic.name))
      .map(([id]) => id);
    if (ids.length === 0) return;
    const database = this.#openDatabase();
    let rowsTaken = 0;
    try {
      const rows = database
        .prepare<bigint[], MessageRow>(
          `SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN (${ids.map(() => '?').join()})
           AND timestamp BETWEEN ? AND ? ORDER BY timestamp, id`,
        )
        .safeIntegers()
        .iterate(...ids, range.from ?? MIN_INT64, range.to ?? MAX_INT64);
      for (const row of this.#readableRows(rows, skipped)) {
        const message = this.#messageOf(row, skipped);
        if (message) yield message;
        // SQLite answers at once: without a pause signals and timers would wait for the whole bag.
        if (++rowsTaken % ROWS_PER_TURN === 0) await setImmediate();
      }
    } finally {
      database.close();
    }
  }

  async close(): Promise<void> {
    // Connections live only while messages are being read.
  }

  *#readableRows(rows: Iterable<MessageRow>, skipped: SkipCounts): Generator<MessageRow, void, void> {
    try {
      yield* rows;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
      skipped.add('storage_error');
    }
  }

  #messageOf(row: MessageRow, skipped: SkipCounts): RawMessage | undefined {
    const topic = this.#topicById.get(row.topic_id);
    if (!topic) return undefined;
    const data = unpackPayload(row.data ?? new Uint8Array(0), this.#messageCompression, skipped);
    return data && rawMessage(topic, row.timestamp, data, skipped);
  }
}

/** A few milliseconds of rows with pictures in them. */
const ROWS_PER_TURN = 32;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

interface MessageRow {
  readonly topic_id: bigint;
  readonly timestamp: bigint;
  readonly data: Uint8Array | null;
}

interface TopicRow {
  readonly id: bigint;
  readonly name: string;
  readonly type: string;
  readonly serialization_format: string;
  readonly offered_qos_profiles?: string | null;
}

interface Contents {
  readonly topicById: ReadonlyMap<bigint, TopicInfo>;
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;
}

/** By dynamic import: the database is native code, and reading MCAP must not need it. */
async function loadSqlite(path: string): Promise<typeof Database> {
  try {
    const { default: Sqlite } = await import('better-sqlite3');
    new Sqlite(':memory:').close();
    return Sqlite;
  } catch (error) {
    throw new RecordingError(
      `${path}: .db3 files are read with better-sqlite3, which does not load: ${reasonOf(error)}`,
    );
  }
}

function withDatabase<T>(open: () => Database.Database, use: (database: Database.Database) => T): T {
  const database = open();
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** SQLite refuses a file that is shorter than its header says, unless the schema counts as being repaired. */
function tolerateDamage(database: Database.Database): Database.Database {
  database.unsafeMode(true);
  database.pragma('writable_schema = ON');
  return database;
}

/** Topics, counts and span; or what SQLite says about a damaged file. Throws for what is no bag at all. */
function readContents(
  database: Database.Database,
): { ok: true; value: Contents } | { ok: false; damage: string } {
  try {
    const counts = database
      .prepare<[], CountRow>(
        `SELECT topic_id AS id, count(*) AS count, min(timestamp) AS start, max(timestamp) AS end
         FROM messages GROUP BY 1`,
      )
      .safeIntegers()
      .all();
    return { ok: true, value: contentsOf(database, counts) };
  } catch (error) {
    if (isSqliteError(error) && error.code.startsWith('SQLITE_CORRUPT'))
      return { ok: false, damage: error.message };
    throw error;
  }
}

/** What can still be read of a damaged file, row by row: the same rows that `messages` will give. */
function salvageContents(database: Database.Database): Contents {
  const counts = new Map<bigint, CountRow>();
  const rows = database
    .prepare<[], { id: bigint; stamp: bigint }>(
      'SELECT topic_id AS id, timestamp AS stamp FROM messages ORDER BY timestamp, messages.id',
    )
    .safeIntegers();
  try {
    for (const { id, stamp } of rows.iterate()) {
      const { start, count } = counts.get(id) ?? { start: stamp, count: 0n };
      counts.set(id, { id, start, end: stamp, count: count + 1n });
    }
  } catch (error) {
    if (!isSqliteError(error)) throw error;
  }
  return contentsOf(database, [...counts.values()]);
}

interface CountRow {
  readonly id: bigint;
  readonly count: bigint;
  readonly start: bigint;
  readonly end: bigint;
}

function contentsOf(database: Database.Database, counts: readonly CountRow[]): Contents {
  const definitions = readDefinitions(database);
  const countById = new Map(counts.map(({ id, count }) => [id, Number(count)]));
  const topicRows = database.prepare<[], TopicRow>('SELECT * FROM topics').safeIntegers().all();
  const topicById = new Map(
    topicRows.map((row) => [row.id, topicOf(row, countById.get(row.id) ?? 0, definitions)] as const),
  );
  let [start, end]: (Stamp | undefined)[] = [];
  for (const row of counts) {
    if (!topicById.has(row.id)) continue;
    if (start === undefined || row.start < start) start = row.start;
    if (end === undefined || row.end > end) end = row.end;
  }
  return { topicById, start, end };
}

function topicOf(row: TopicRow, count: number, definitions: ReadonlyMap<string, string>): TopicInfo {
  const type = rosTypeName(row.type);
  return {
    name: row.name,
    type,
    count,
    encoding: row.serialization_format,
    qos: row.offered_qos_profiles ?? '',
    schema: definitions.get(type),
  };
}

/** Definition texts by type; the table came with ROS 2 Iron. */
function readDefinitions(database: Database.Database): Map<string, string> {
  const hasTable = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'message_definitions'").get();
  if (!hasTable) return new Map();
  const rows = database
    .prepare<[], { topic_type: string; encoding: string; encoded_message_definition: string }>(
      'SELECT topic_type, encoding, encoded_message_definition FROM message_definitions',
    )
    .all();
  return new Map(
    rows
      .filter((row) => row.encoding === 'ros2msg' && row.encoded_message_definition !== '')
      .map((row) => [rosTypeName(row.topic_type), row.encoded_message_definition]),
  );
}

function isSqliteError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Error && error.name === 'SqliteError';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n')[0] : String(error);
}
