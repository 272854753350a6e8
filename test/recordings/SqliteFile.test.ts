import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as zstd from '@foxglove/wasm-zstd';
import Database from 'better-sqlite3';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { collect, facts, stringCdr } from './collect.js';

/** The tables of rosbag2's sqlite3 storage, the newer form with definitions when asked for. */
function makeBag(path: string, hasDefinitions: boolean): Database.Database {
  const database = new Database(path);
  database.exec(`
    CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT NOT NULL,
      serialization_format TEXT NOT NULL, offered_qos_profiles TEXT NOT NULL);
    CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INTEGER NOT NULL, timestamp INTEGER NOT NULL, data BLOB);
    CREATE INDEX timestamp_idx ON messages (timestamp ASC);
    INSERT INTO topics VALUES (1, '/a', 'std_msgs/msg/String', 'cdr', 'qos of a'), (2, '/b', 'std_msgs/msg/String', 'cdr', '');
  `);
  if (hasDefinitions) {
    database.exec(`
      CREATE TABLE message_definitions(id INTEGER PRIMARY KEY, topic_type TEXT, encoding TEXT,
        encoded_message_definition TEXT, type_description_hash TEXT);
      INSERT INTO message_definitions VALUES (1, 'std_msgs/msg/String', 'ros2msg', 'string data', '');
    `);
  }
  return database;
}

function insert(database: Database.Database, topic: number, stamp: bigint, data: Uint8Array | null): void {
  const statement = database.prepare('INSERT INTO messages(topic_id, timestamp, data) VALUES (?, ?, ?)');
  statement.run(topic, stamp, data);
}

describe('SqliteFile', () => {
  const folder = temporaryFolder();

  it('reads in time order, keeps the written order at equal times, and stamps beyond 2^53 exactly', async () => {
    const path = folder.path('order.db3');
    const database = makeBag(path, true);
    const base = 2n ** 60n + 1n;
    for (const [topic, stamp, text] of [
      [1, base + 2n, 'c'],
      [2, base, 'a'],
      [1, base + 2n, 'd'],
      [2, base + 1n, 'b'],
    ] as const) {
      insert(database, topic, stamp, stringCdr(text));
    }
    database.close();
    const { messages, recording } = await collect(path);
    assert.deepEqual(facts(messages), [
      ['/b', base, hex('a')],
      ['/b', base + 1n, hex('b')],
      ['/a', base + 2n, hex('c')],
      ['/a', base + 2n, hex('d')],
    ]);
    assert.deepEqual([recording.start, recording.end], [base, base + 2n]);
    assert.deepEqual(
      recording.topics.map(({ name, count, qos, schema }) => [name, count, qos, schema]),
      [
        ['/a', 2, 'qos of a', 'string data'],
        ['/b', 2, '', 'string data'],
      ],
    );
    const span = await collect(path, { from: base + 1n, to: base + 2n, topics: ['/b'] });
    assert.deepEqual(facts(span.messages), [['/b', base + 1n, hex('b')]]);
  });

  it('skips and counts rows without a payload, and has no definitions where the bag is older', async () => {
    const path = folder.path('odd.db3');
    const database = makeBag(path, false);
    insert(database, 1, 1n, null);
    insert(database, 1, 2n, new Uint8Array(0));
    insert(database, 1, 3n, Uint8Array.of(0));
    insert(database, 1, 4n, stringCdr('x'));
    insert(database, 9, 5n, stringCdr('of no topic'));
    database.close();
    const { messages, skipped, recording } = await collect(path);
    assert.deepEqual(skipped, { empty_payload: 2, short_payload: 1 });
    assert.deepEqual(facts(messages), [['/a', 4n, hex('x')]]);
    assert.equal(recording.topics[0].schema, undefined);
  });

  it('unpacks messages that were packed one by one, and counts a damaged one', async () => {
    await zstd.isLoaded;
    const bag = folder.path('packed_messages');
    await mkdir(bag);
    const database = makeBag(join(bag, 'bag_0.db3'), false);
    const long = 'long '.repeat(200);
    for (const [i, text] of ['x', long].entries())
      insert(database, 1, BigInt(i), zstd.compress(stringCdr(text)));
    insert(database, 1, 2n, stringCdr('not packed'));
    database.close();
    await writeFile(
      join(bag, 'metadata.yaml'),
      'rosbag2_bagfile_information:\n  relative_file_paths: [packed_messages/bag_0.db3]\n' +
        '  compression_format: zstd\n  compression_mode: MESSAGE\n',
    );
    const { messages, skipped } = await collect(bag);
    assert.deepEqual(facts(messages), [
      ['/a', 0n, hex('x')],
      ['/a', 1n, hex(long)],
    ]);
    assert.deepEqual(skipped, { payload_undecodable: 1 });
  });

  it('reads a cut database as far as it goes, and says that it is damaged', async () => {
    const path = folder.path('whole.db3');
    const database = makeBag(path, false);
    for (let i = 0; i < 400; i++) insert(database, 1, BigInt(i), stringCdr(`text ${i} `.repeat(40)));
    database.close();
    const bytes = await readFile(path);
    const whole = await collect(path);
    const cutPath = folder.path('cut.db3');
    await writeFile(cutPath, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const { messages, recording, skipped } = await collect(cutPath);
    assert.ok(messages.length < 400);
    assert.deepEqual(facts(messages), facts(whole.messages.slice(0, messages.length)));
    assert.equal(recording.warnings.length, 1);
    assert.match(recording.warnings[0], /cut.db3 ends early/);
    assert.deepEqual(skipped, { storage_error: 1 });
  });
});

function hex(text: string): string {
  return Buffer.from(stringCdr(text)).toString('hex');
}
