import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { openDatabase } from '../../src/store/openDatabase.js';
import { APPLICATION_ID, migrate, MIGRATIONS, versionOf, type Migration } from '../../src/store/schema.js';
import { reasonOf } from '../../src/store/StoreProblem.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** The reason, in the words that are handed out. */
function refusalOf(file: string): string {
  try {
    openDatabase(file).database.close();
  } catch (error) {
    return reasonOf(error);
  }
  return 'opened';
}

function graphsIn(file: string): number {
  const { database } = openDatabase(file);
  const { n } = database.prepare('SELECT count(*) AS n FROM graph').get() as { n: number };
  database.close();
  return n;
}

describe('openDatabase', () => {
  const folder = temporaryFolder();
  let next = 0;
  /** A file of its own for each test, with a graph in it. */
  function storeFile(): string {
    const file = folder.path(`${next++}/deep/scene.db`);
    const { database } = openDatabase(file);
    database.exec("INSERT INTO graph (map_id, map_frame) VALUES ('', 'map')");
    database.close();
    return file;
  }

  it('makes the file, its folders and its tables, and marks it as ours', () => {
    const file = storeFile();
    const { database, setAside } = openDatabase(file);
    assert.equal(setAside, undefined);
    assert.equal(versionOf(database), MIGRATIONS.length);
    assert.equal(database.pragma('application_id', { simple: true }), APPLICATION_ID);
    assert.equal(database.pragma('journal_mode', { simple: true }), 'wal');
    database.close();
    assert.deepEqual(
      readdirSync(dirname(file)),
      ['scene.db'],
      'nothing is left beside a file that was closed',
    );
  });

  for (const [what, damage] of [
    ['is no database', () => Buffer.from('not a database, but longer than the header of one '.repeat(9))],
    ['is shorter than a header', () => Buffer.from('short')],
    ['lost its tail', (bytes: Buffer) => bytes.subarray(0, bytes.length - 4096)],
    ['has pages of rubbish', (bytes: Buffer) => bytes.fill(0xa5, 4096, 8192)],
  ] as const) {
    it(`sets a file aside that ${what}, under a new name and byte for byte, and begins anew`, () => {
      const file = storeFile();
      const damaged = damage(readFileSync(file));
      writeFileSync(file, damaged);
      const { database, setAside } = openDatabase(file);
      database.close();
      assert.equal(setAside, 'scene.db.unreadable-1');
      assert.deepEqual(readFileSync(`${file}.unreadable-1`), damaged);
      assert.equal(graphsIn(file), 0);
    });
  }

  it('never gives a name twice to what it sets aside', () => {
    const file = storeFile();
    for (const k of [1, 2, 3]) {
      writeFileSync(file, `rubbish ${k}`);
      const { database, setAside } = openDatabase(file);
      database.close();
      assert.equal(setAside, `scene.db.unreadable-${k}`);
    }
    for (const k of [1, 2, 3]) assert.equal(readFileSync(`${file}.unreadable-${k}`, 'utf8'), `rubbish ${k}`);
  });

  it('refuses a newer version and leaves its bytes and its folder as they were', () => {
    const file = storeFile();
    const database = new Sqlite(file);
    database.pragma('journal_mode = DELETE');
    database.pragma(`user_version = ${MIGRATIONS.length + 1}`);
    database.close();
    const bytes = readFileSync(file);
    assert.equal(refusalOf(file), 'the store has version 2; this program knows versions up to 1');
    assert.deepEqual(readFileSync(file), bytes);
    assert.deepEqual(readdirSync(dirname(file)), ['scene.db']);
  });

  it("refuses another program's database and leaves it as it was", () => {
    const file = folder.path('foreign.db');
    const foreign = new Sqlite(file);
    foreign.exec('CREATE TABLE theirs (x)');
    foreign.close();
    const bytes = readFileSync(file);
    assert.equal(refusalOf(file), 'the file is a database of another program');
    assert.deepEqual(readFileSync(file), bytes);
  });

  it('lets one process write: whoever comes second is told so, and can come again later', () => {
    const file = storeFile();
    const first = openDatabase(file);
    assert.equal(refusalOf(file), 'another process uses the store');
    first.database.exec("INSERT INTO graph (map_id, map_frame) VALUES ('kitchen', 'map')");
    first.database.close();
    assert.equal(graphsIn(file), 2);
  }).timeout(10_000);

  it('says that a folder cannot be made or written to', () => {
    const file = folder.path('plain');
    writeFileSync(file, '');
    assert.equal(refusalOf(`${file}/deep/scene.db`), 'the folder of the store cannot be made');
    // Root may write into any folder but those of the kernel.
    assert.equal(refusalOf('/proc/scene.db'), 'the store cannot be opened');
    mkdirSync(folder.path('scene.db'));
    assert.equal(refusalOf(folder.path('scene.db')), 'the store cannot be opened');
    assert.ok(existsSync(file));
  });

  it('says that the disk is full', () => {
    const file = storeFile();
    const { database } = openDatabase(file, { maxBytes: 100_000 });
    const insert = database.prepare('INSERT INTO item (graph, part, key, body) VALUES (1, ?, ?, ?)');
    assert.throws(
      () => insert.run('entities', 'a', Buffer.alloc(200_000)),
      (error) => reasonOf(error) === 'the disk (or what the store may take of it) is full',
    );
    database.close();
  });
});

describe('migrate', () => {
  const folder = temporaryFolder();
  const steps: Migration[] = [
    (database) => database.exec('CREATE TABLE a (x)'),
    (database) => database.exec('ALTER TABLE a ADD COLUMN y'),
    (database) => database.exec('INSERT INTO a VALUES (1, 2)'),
  ];

  it('brings a file of any earlier version forward, each step once', () => {
    for (const from of [0, 1, 2, 3]) {
      const database = new Sqlite(folder.path(`from-${from}.db`));
      migrate(database, steps.slice(0, from));
      migrate(database, steps);
      migrate(database, steps);
      assert.equal(versionOf(database), 3);
      assert.deepEqual(database.prepare('SELECT x, y FROM a').all(), [{ x: 1, y: 2 }]);
      database.close();
    }
  });

  it('leaves a file at the last whole step when one fails', () => {
    const database = new Sqlite(folder.path('failing.db'));
    const failing: Migration = (db) => {
      db.exec('CREATE TABLE half (x)');
      throw new Error('the step failed');
    };
    assert.throws(() => migrate(database, [...steps, failing]), /the step failed/);
    assert.equal(versionOf(database), 3);
    assert.equal(database.prepare("SELECT name FROM sqlite_master WHERE name = 'half'").get(), undefined);
    database.close();
  });
});
