import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as zstd from '@foxglove/wasm-zstd';
import { parse } from 'yaml';
import { openRecording } from '../../src/recordings/openRecording.js';
import { RecordingError } from '../../src/recordings/RecordingError.js';
import { messageReader } from '../../src/input/MessageCodec.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { collect, facts, isInTimeOrder } from './collect.js';

/** Counts by topic as a bag's own metadata.yaml has them. */
async function countsOfMetadata(folder: string): Promise<Record<string, number>> {
  const { rosbag2_bagfile_information: info } = parse(
    await readFile(join(folder, 'metadata.yaml'), 'utf8'),
  ) as { rosbag2_bagfile_information: { topics_with_message_count: BagTopic[] } };
  return Object.fromEntries(
    info.topics_with_message_count.map((t) => [t.topic_metadata.name, t.message_count]),
  );
}

interface BagTopic {
  readonly message_count: number;
  readonly topic_metadata: { readonly name: string };
}

function countsOf(messages: readonly { topic: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { topic } of messages) counts[topic] = (counts[topic] ?? 0) + 1;
  return counts;
}

describe('openRecording', () => {
  const folder = temporaryFolder();

  describe('on bags that rosbag2 wrote', () => {
    for (const name of ['talker_mcap', 'talker_sqlite3', 'arrays_mcap', 'split_mcap']) {
      it(`reads ${name} with the counts of its metadata, in log-time order`, async function () {
        const bag = requireData(this, 'rosbag2_samples', name);
        const expected = await countsOfMetadata(bag);
        const { messages, recording, skipped } = await collect(bag);
        assert.deepEqual(Object.fromEntries(recording.topics.map((t) => [t.name, t.count])), expected);
        const seen = Object.fromEntries(Object.entries(expected).filter(([, count]) => count > 0));
        assert.deepEqual(countsOf(messages), seen);
        assert.ok(isInTimeOrder(messages));
        assert.deepEqual(skipped, {});
        assert.deepEqual(recording.warnings, []);
        assert.equal(messages[0]?.logTime, recording.start);
        assert.equal(messages.at(-1)?.logTime, recording.end);
      });
    }

    it('gives the same messages from MCAP and from sqlite3', async function () {
      const mcap = await collect(requireData(this, 'rosbag2_samples', 'talker_mcap'));
      const sqlite = await collect(requireData(this, 'rosbag2_samples', 'talker_sqlite3'));
      assert.equal(mcap.messages.length, 20);
      assert.deepEqual(facts(mcap.messages), facts(sqlite.messages));
    });

    it('opens a bare .mcap and a bare .db3 as it opens their folder', async function () {
      for (const [bag, file] of [
        ['talker_mcap', 'talker.mcap'],
        ['talker_sqlite3', 'talker.db3'],
      ] as const) {
        const whole = await collect(requireData(this, 'rosbag2_samples', bag));
        const bare = await collect(requireData(this, 'rosbag2_samples', bag, file));
        assert.deepEqual(facts(bare.messages), facts(whole.messages));
      }
    });

    it('C56 decodes 64-bit integers beyond 2^53 exactly with the definition in the file', async function () {
      const { messages } = await collect(requireData(this, 'rosbag2_samples', 'arrays_mcap'), {
        topics: ['/test_topic'],
      });
      const first = messages[0];
      const fields = messageReader(first.type, first.schema).readMessage<Record<string, unknown>>(first.data);
      assert.equal(typeof fields['int64_value'], 'bigint');
      assert.equal(first.logTime, 1586406456763032325n);
      assert.ok(first.logTime > BigInt(Number.MAX_SAFE_INTEGER));
    });

    it('reads a folder without metadata.yaml by the names of its files, and says so', async function () {
      const bag = requireData(this, 'rosbag2_samples', 'split_mcap');
      const copy = folder.path('no_metadata');
      await cp(bag, copy, { recursive: true, filter: (source) => !source.endsWith('.yaml') });
      const { messages, recording } = await collect(copy);
      assert.deepEqual(facts(messages), facts((await collect(bag)).messages));
      assert.match(recording.warnings.join(), /metadata.yaml is missing/);
    });

    it('plays what is there when a file of the metadata is missing, and names it', async function () {
      const bag = requireData(this, 'rosbag2_samples', 'split_mcap');
      const copy = folder.path('missing_split');
      await cp(bag, copy, { recursive: true, filter: (source) => !source.endsWith('wbag_2.mcap') });
      const { messages, recording } = await collect(copy);
      assert.ok(messages.length > 4000 && messages.length < 6074);
      assert.deepEqual(recording.warnings, ['wbag_2.mcap is named in metadata.yaml but is not there']);
    });

    it('unpacks a file that rosbag2 packed as a whole', async function () {
      const bag = requireData(this, 'rosbag2_samples', 'talker_sqlite3');
      const packed = folder.path('packed');
      await mkdir(packed);
      await zstd.isLoaded;
      await writeFile(
        join(packed, 'talker.db3.zstd'),
        zstd.compress(await readFile(join(bag, 'talker.db3'))),
      );
      const { messages } = await collect(packed);
      assert.deepEqual(facts(messages), facts((await collect(bag)).messages));
    });
  });

  describe('on the recordings with ground truth', () => {
    // tf, odom, colour, depth, two infos, static
    const counts: Record<string, readonly number[]> = {
      'desk_7scenes_short.mcap': [375, 375, 94, 94, 94, 94, 1],
      'desk_7scenes_full.mcap': [1000, 1000, 167, 167, 167, 167, 1],
      'desk_7scenes_unregistered.mcap': [240, 240, 60, 60, 60, 60, 1],
      'desk_7scenes_cup_removed.mcap': [735, 735, 165, 165, 165, 165, 1],
      'mug_moved_static_camera.mcap': [129, 129, 129, 129, 129, 129, 1],
    };
    const topics = [
      '/tf',
      '/odom',
      '/camera/color/image_raw/compressed',
      '/camera/depth/image_raw',
      '/camera/color/camera_info',
      '/camera/depth/camera_info',
      '/tf_static',
    ];
    for (const [name, expected] of Object.entries(counts)) {
      it(`reads every message of ${name}`, async function () {
        const { messages, recording, skipped } = await collect(requireData(this, name));
        const byTopic = countsOf(messages);
        assert.deepEqual(
          topics.map((topic) => byTopic[topic]),
          expected,
        );
        assert.equal(recording.messageCount, messages.length);
        assert.ok(isInTimeOrder(messages));
        assert.deepEqual(skipped, {});
        for (const topic of recording.topics) assert.match(topic.schema ?? '', /\S/);
        assert.match(recording.topics.find(({ name: n }) => n === '/tf_static')?.qos ?? '', /durability: 1/);
      });
    }

    it('reads only the chunks of the span that is asked for, both ends included', async function () {
      const path = requireData(this, 'desk_7scenes_short.mcap');
      const all = (await collect(path)).messages;
      const from = all[300].logTime;
      const to = all[500].logTime;
      const { messages } = await collect(path, { from, to, topics: ['/odom'] });
      const expected = all.filter((m) => m.topic === '/odom' && m.logTime >= from && m.logTime <= to);
      assert.ok(expected.length > 50);
      assert.deepEqual(facts(messages), facts(expected));
    });

    it('serves two readers of one recording at once', async function () {
      const recording = await openRecording(requireData(this, 'rosbag2_samples', 'talker_sqlite3'));
      const [a, b] = [recording.messages(), recording.messages()];
      for (let i = 0; i < 20; i++) {
        const [left, right] = [await a.next(), await b.next()];
        assert.equal(left.done, false);
        assert.deepEqual(facts([left.value]), facts([right.value]));
      }
      assert.equal((await a.next()).done, true);
      await b.return?.();
      await recording.close();
    });
  });

  describe('on what is no recording', () => {
    it('refuses a path that does not exist, an empty folder, other files and a wrong beginning', async () => {
      await mkdir(folder.path('empty'));
      await writeFile(folder.path('notes.txt'), 'no recording');
      await writeFile(folder.path('wrong.mcap'), 'this is not an MCAP file at all');
      await writeFile(folder.path('wrong.db3'), 'this is not a database file at all');
      for (const [name, reason] of [
        ['nothing.mcap', /does not exist/],
        ['empty', /holds no .mcap or .db3 file/],
        ['notes.txt', /expected a .mcap or .db3 file or a rosbag2 folder/],
        ['wrong.mcap', /not an MCAP file/],
        ['wrong.db3', /cannot be (read|opened) as a/],
      ] as const) {
        await assert.rejects(openRecording(folder.path(name)), (error: Error) => {
          assert.ok(error instanceof RecordingError, name);
          assert.match(error.message, reason);
          return true;
        });
      }
    });
  });
});
