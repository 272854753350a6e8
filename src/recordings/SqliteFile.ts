import { basename } from 'node:path';
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
 * A damaged database is read as far as SQLite gets; the rest is counted as one `storage_error`.
 */
export class SqliteFile implements RecordingPart {
  readonly #openDatabase: () => Database.Database;
  readonly #topicById: ReadonlyMap<bigint, TopicInfo>;
  readonly #messageCompression: MessageCompression;
  readonly start: Stamp | undefined;
  readonly end: Stamp | undefined;
  readonly truncation: Truncation | undefined;

  private constructor(
    open: () => Database.Database,
    contents: Contents,
    file: string,
    messageCompression: MessageCompression,
  ) {
    this.#openDatabase = open;
    this.#topicById = contents.topicById;
    this.#messageCompression = messageCompression;
    this.start = contents.start;
    this.end = contents.end;
    this.truncation =
      contents.damage === undefined
        ? undefined
        : { file, byteOffset: contents.fileBytes, stamp: contents.end, reason: contents.damage };
  }

  static async open(path: string, messageCompression: MessageCompression): Promise<SqliteFile> {
    const Sqlite = await loadSqlite(path);
    await decompressorsReady();
    // A connection per reader: one connection cannot run a second query while rows are being taken.
    const open = (): Database.Database => new Sqlite(path, { readonly: true, fileMustExist: true });
    let database: Database.Database;
    try {
      database = open();
    } catch (error) {
      throw new RecordingError(`${path} cannot be opened as a database: ${reasonOf(error)}`);
    }
    try {
      return new SqliteFile(open, readContents(database), basename(path), messageCompression);
    } catch (error) {
      throw new RecordingError(`${path} cannot be read as a rosbag2 database: ${reasonOf(error)}`);
    } finally {
      database.close();
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
  readonly fileBytes: number;
  /** What SQLite says about a damaged table of messages. */
  readonly damage: string | undefined;
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

function readContents(database: Database.Database): Contents {
  const definitions = readDefinitions(database);
  const rows = database.prepare<[], TopicRow>('SELECT * FROM topics').safeIntegers().all();
  const counts = new Map<bigint, number>();
  let span: { start: bigint | null; end: bigint | null } = { start: null, end: null };
  let damage: string | undefined;
  try {
    span =
      database
        .prepare<[], typeof span>('SELECT min(timestamp) AS start, max(timestamp) AS end FROM messages')
        .safeIntegers()
        .get() ?? span;
    const counted = database
      .prepare<[], { id: bigint; count: bigint }>(
        'SELECT topic_id AS id, count(*) AS count FROM messages GROUP BY 1',
      )
      .safeIntegers();
    for (const { id, count } of counted.iterate()) counts.set(id, Number(count));
  } catch (error) {
    if (!isSqliteError(error)) throw error;
    damage = error.message;
  }
  const topicById = new Map(
    rows.map((row) => [row.id, topicOf(row, counts.get(row.id) ?? 0, definitions)] as const),
  );
  const fileBytes = Number(database.pragma('page_count', { simple: true })) * pageSize(database);
  return { topicById, start: span.start ?? undefined, end: span.end ?? undefined, fileBytes, damage };
}

function pageSize(database: Database.Database): number {
  return Number(database.pragma('page_size', { simple: true }));
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

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'SqliteError';
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n')[0]! : String(error);
}
