import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { RecordingWriter, type WriterOptions } from '../../src/recordings/RecordingWriter.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { collect, facts, stringCdr } from './collect.js';

const STRING = 'std_msgs/msg/String';

describe('RecordingWriter', () => {
  const folder = temporaryFolder();
  let files = 0;
  const newPath = (): string => folder.path(`written_${files++}.mcap`);
  const exists = (path: string): Promise<boolean> =>
    access(path).then(
      () => true,
      () => false,
    );

  const forms: Record<string, WriterOptions> = {
    'zstd chunks': { chunkBytes: 200 },
    'plain chunks': { chunkBytes: 200, compression: 'none' },
    'no chunks': { useChunks: false },
  };
  for (const [form, options] of Object.entries(forms)) {
    it(`writes what a reader gives back in log-time order (${form})`, async () => {
      const message = fc.record({
        topic: fc.constantFrom('/a', '/b', '/c'),
        // Few values, so that equal stamps come up; some beyond 2^53, where a number would round.
        stamp: fc.oneof(
          fc.bigInt(0n, 9n),
          fc.bigInt(2n ** 53n, 2n ** 53n + 9n),
          fc.bigInt(0n, 2n ** 63n - 1n),
        ),
        text: fc.string({ maxLength: 80 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(message, { maxLength: 40 }), async (messages) => {
          const path = newPath();
          const writer = await RecordingWriter.create(path, options);
          for (const topic of ['/a', '/b', '/c'])
            await writer.declare(topic, STRING, { definition: 'string data' });
          for (const { topic, stamp, text } of messages)
            await writer.write(topic, STRING, stamp, stringCdr(text));
          await writer.close();
          const back = await collect(path);
          const inOrder = messages
            .map(({ topic, stamp, text }) => ({ topic, logTime: stamp, data: stringCdr(text) }))
            .sort((a, b) => (a.logTime < b.logTime ? -1 : a.logTime > b.logTime ? 1 : 0));
          assert.deepEqual(
            facts(back.messages),
            inOrder.map((m) => [m.topic, m.logTime, Buffer.from(m.data).toString('hex')]),
          );
          assert.deepEqual(back.skipped, {});
          assert.deepEqual(back.recording.warnings, []);
          assert.equal(back.recording.messageCount, messages.length);
          assert.equal(back.recording.start, inOrder[0]?.logTime);
          assert.equal(back.recording.end, inOrder.at(-1)?.logTime);
        }),
        { numRuns: 30 },
      );
    });
  }

  it('gives the file its name only when it is whole', async () => {
    const path = newPath();
    const writer = await RecordingWriter.create(path);
    await writer.declare('/a', STRING, { definition: 'string data' });
    await writer.write('/a', STRING, 1n, stringCdr('x'));
    assert.equal(await exists(path), false);
    await writer.close();
    assert.equal(await exists(path), true);
    assert.equal(await exists(`${path}.part`), false);
    await assert.rejects(writer.write('/a', STRING, 2n, stringCdr('y')), /closed already/);
  });

  it('leaves nothing behind when it is discarded', async () => {
    const path = newPath();
    const writer = await RecordingWriter.create(path);
    await writer.discard();
    assert.equal(await exists(path), false);
    assert.equal(await exists(`${path}.part`), false);
  });

  it('latches /tf_static and writes the definitions of our types with all they need', async () => {
    const path = newPath();
    const writer = await RecordingWriter.create(path);
    const empty = Uint8Array.of(0, 1, 0, 0, 0, 0, 0, 0);
    await writer.write('/tf_static', 'tf2_msgs/TFMessage', 5n, empty);
    await writer.write('/tf', 'tf2_msgs/msg/TFMessage', 6n, empty);
    await writer.close();
    const { topics } = (await collect(path)).recording;
    assert.deepEqual(
      topics.map(({ name, type, encoding }) => [name, type, encoding]),
      [
        ['/tf', 'tf2_msgs/msg/TFMessage', 'cdr'],
        ['/tf_static', 'tf2_msgs/msg/TFMessage', 'cdr'],
      ],
    );
    assert.match(topics[0].qos, /durability: 2/);
    assert.match(topics[1].qos, /depth: 1\n {2}reliability: 1\n {2}durability: 1/);
    for (const type of ['TransformStamped', 'Transform', 'Vector3', 'Quaternion']) {
      assert.match(topics[0].schema ?? '', new RegExp(`^MSG: geometry_msgs/${type}$`, 'm'));
    }
    const bytes = await readFile(path);
    assert.ok(bytes.includes('ros2msg') && bytes.subarray(0, 40).includes('ros2'));
  });

  it('refuses an unknown type, a second declaration and a message of another type', async () => {
    const writer = await RecordingWriter.create(newPath());
    await assert.rejects(
      writer.write('/a', 'my_msgs/Thing', 1n, stringCdr('x')),
      /no definition of message type my_msgs/,
    );
    await writer.declare('/a', STRING, { definition: 'string data' });
    await assert.rejects(writer.declare('/a', STRING), /declared already/);
    await assert.rejects(
      writer.write('/a', 'tf2_msgs/TFMessage', 1n, stringCdr('x')),
      /has type std_msgs\/msg\/String/,
    );
    await writer.discard();
  });

  it('keeps calls that are not waited for in their order', async () => {
    const path = newPath();
    const writer = await RecordingWriter.create(path, { chunkBytes: 64 });
    const declared = writer.declare('/a', STRING, { definition: 'string data' });
    const writes = Array.from({ length: 50 }, (_, i) => writer.write('/a', STRING, 7n, stringCdr(`${i}`)));
    await Promise.all([declared, ...writes, writer.close()]);
    const texts = (await collect(path)).messages.map(({ data }) =>
      Buffer.from(data.subarray(8, -1)).toString(),
    );
    assert.deepEqual(
      texts,
      Array.from({ length: 50 }, (_, i) => `${i}`),
    );
  });
});
