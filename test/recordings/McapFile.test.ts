import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { McapWriter, TempBuffer } from '@mcap/core';
import fc from 'fast-check';
import { messageReader } from '../../src/input/MessageCodec.js';
import type { RawMessage } from '../../src/recordings/Recording.js';
import { RecordingError } from '../../src/recordings/RecordingError.js';
import { RecordingWriter, type WriterOptions } from '../../src/recordings/RecordingWriter.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { collect, facts, stringCdr } from './collect.js';

const STRING = 'std_msgs/msg/String';
/** Record header, content and closing magic of the footer. */
const TAIL_BYTES = 9 + 20 + 8;

async function writeStrings(path: string, count: number, options: WriterOptions): Promise<Buffer> {
  const writer = await RecordingWriter.create(path, options);
  for (const topic of ['/a', '/b']) await writer.declare(topic, STRING, { definition: 'string data' });
  for (let i = 0; i < count; i++) {
    await writer.write(i % 3 === 0 ? '/a' : '/b', STRING, BigInt(1000 + i), stringCdr(`text ${i}`));
  }
  await writer.close();
  return readFile(path);
}

/** A file by the container's own writer, with whatever records a test needs. */
async function writeMcap(
  path: string,
  fill: (writer: McapWriter) => Promise<void>,
  options: Partial<ConstructorParameters<typeof McapWriter>[0]> = {},
): Promise<void> {
  const writable = new TempBuffer();
  const writer = new McapWriter({ writable, ...options });
  await writer.start({ profile: 'ros2', library: 'test' });
  await fill(writer);
  await writer.end();
  await writeFile(path, writable.get());
}

const forms: Record<string, WriterOptions> = {
  'zstd chunks': { chunkBytes: 150 },
  'plain chunks': { chunkBytes: 150, compression: 'none' },
  'no chunks': { useChunks: false },
};

describe('McapFile', () => {
  const folder = temporaryFolder();

  for (const compression of ['zstd', 'lz4']) {
    it(`reads ${compression} chunks that another writer packed`, async () => {
      const { messages, recording, skipped } = await collect(
        resolve('test/recordings/fixtures', `strings_${compression}.mcap`),
      );
      const expected = Array.from({ length: 40 }, (_, i) => [
        10n ** 18n + 10n ** 8n * BigInt(i),
        `message ${i}`,
      ]);
      const reader = messageReader(STRING, recording.topics[0].schema);
      const actual = messages.map((m) => [m.logTime, reader.readMessage<{ data: string }>(m.data).data]);
      assert.deepEqual(actual, expected);
      assert.deepEqual(skipped, {});
    });
  }

  it('goes on with good lz4 chunks after a damaged one', async () => {
    const bytes = await readFile(resolve('test/recordings/fixtures/strings_lz4.mcap'));
    const whole = await collect(resolve('test/recordings/fixtures/strings_lz4.mcap'));
    const path = folder.path('lz4_damaged.mcap');
    // The first LZ4 magic is the first chunk's; 15 bytes of frame header and 4 of block length follow.
    const frame = bytes.indexOf(Buffer.from([0x04, 0x22, 0x4d, 0x18]));
    bytes[frame + 25] ^= 0xff;
    await writeFile(path, bytes);
    const { messages, skipped } = await collect(path);
    assert.ok(messages.length > 20 && messages.length < 40);
    assert.deepEqual(facts(messages), facts(whole.messages.slice(-messages.length)));
    assert.equal(
      Object.values(skipped).reduce((sum, count) => sum + count, 0),
      1,
    );
  });

  for (const [form, options] of Object.entries(forms)) {
    describe(`on a file with ${form}`, () => {
      it('C56 gives a beginning of the messages wherever the file is cut, and says once where it ended', async () => {
        const path = folder.path('whole.mcap');
        const bytes = await writeStrings(path, 30, options);
        const whole = await collect(path);
        assert.equal(whole.messages.length, 30);
        const cutPath = folder.path('cut.mcap');
        const lengths: number[] = [];
        const readCut = async (cut: number): Promise<void> => {
          await writeFile(cutPath, bytes.subarray(0, cut));
          const { messages, recording, skipped } = await collect(cutPath);
          lengths.push(messages.length);
          assert.deepEqual(facts(messages), facts(whole.messages.slice(0, messages.length)), `cut at ${cut}`);
          assert.equal(recording.messageCount, messages.length);
          assert.deepEqual(skipped, {});
          if (cut >= bytes.length - 8) return;
          assert.equal(recording.warnings.length, 1, `cut at ${cut}`);
          const [end] = recording.truncations;
          assert.ok(end && end.byteOffset <= Math.max(cut, 8), `${end?.byteOffset} > ${cut}`);
          assert.equal(end.stamp, messages.at(-1)?.logTime);
        };
        for (const cut of [0, 1, 7, 8, 9, 20, bytes.length - TAIL_BYTES, bytes.length - 1, bytes.length]) {
          await readCut(cut);
        }
        await fc.assert(fc.asyncProperty(fc.nat(bytes.length), readCut), { numRuns: 120 });
        // Cuts give all kinds of beginnings, not only none or all.
        assert.ok(new Set(lengths).size > 5);
        assert.ok(lengths.includes(30) && lengths.includes(0));
      });

      it('never throws on flipped bits: what is read is a recording, or is refused as none', async () => {
        const bytes = await writeStrings(folder.path('flip.mcap'), 30, options);
        const path = folder.path('flipped.mcap');
        const flips = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(7)), { minLength: 1, maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(flips, async (places) => {
            const damaged = Buffer.from(bytes);
            for (const [at, bit] of places) damaged[at] ^= 1 << bit;
            await writeFile(path, damaged);
            try {
              const { messages } = await collect(path);
              // A flip outside the chunks' checksums can make a message of an index record, by its opcode alone.
              assert.ok(messages.length <= 30 + places.length);
            } catch (error) {
              assert.ok(error instanceof RecordingError, String(error));
              assert.ok(places.some(([at]) => at < 8));
            }
          }),
          { numRuns: 120 },
        );
      });
    });
  }

  it('C56 plays a recording cut at 70 % to its last whole chunk with one warning', async function () {
    const source = requireData(this, 'desk_7scenes_short.mcap');
    const bytes = await readFile(source);
    const path = folder.path('cut70.mcap');
    await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * 0.7)));
    const whole = await collect(source);
    const { messages, recording, skipped } = await collect(path);
    assert.ok(messages.length > 0.6 * whole.messages.length && messages.length < whole.messages.length);
    const times = whole.messages.slice(0, messages.length).map(({ topic, logTime }) => [topic, logTime]);
    assert.deepEqual(
      messages.map(({ topic, logTime }) => [topic, logTime]),
      times,
    );
    assert.deepEqual(skipped, {});
    assert.equal(recording.warnings.length, 1);
    assert.match(
      recording.warnings[0],
      /^cut70.mcap ends early at byte \d+: .*readable until 2023-11-14T22:13:3/,
    );
    assert.equal(recording.topics.length, 7);
  });

  it('leaves out a chunk with a wrong checksum and plays the others', async () => {
    const path = folder.path('crc.mcap');
    const bytes = await writeStrings(path, 30, { chunkBytes: 150, compression: 'none' });
    const whole = await collect(path);
    const at = bytes.indexOf('text 12');
    bytes[at] = 'T'.charCodeAt(0);
    await writeFile(path, bytes);
    const { messages, skipped } = await collect(path);
    assert.deepEqual(skipped, { chunk_crc_mismatch: 1 });
    assert.ok(messages.length < 30 && messages.length > 20);
    const all = facts(whole.messages).map((fact) => JSON.stringify(fact, bigintText));
    for (const fact of facts(messages)) assert.ok(all.includes(JSON.stringify(fact, bigintText)));
  });

  it('C56 skips empty payloads, channels that nothing declares and unknown packing, each counted', async () => {
    const path = folder.path('odd.mcap');
    await writeMcap(
      path,
      async (writer) => {
        const schemaId = await writer.registerSchema({
          name: 'std_msgs/msg/Empty',
          encoding: 'ros2msg',
          data: new Uint8Array(0),
        });
        const common = { messageEncoding: 'cdr', metadata: new Map<string, string>() };
        const empty = await writer.registerChannel({ ...common, schemaId, topic: '/empty' });
        const bare = await writer.registerChannel({ ...common, schemaId: 0, topic: '/no_schema' });
        const send = (channelId: number, logTime: bigint, data: Uint8Array): Promise<void> =>
          writer.addMessage({ channelId, sequence: 0, logTime, publishTime: logTime, data });
        await send(empty, 1n, new Uint8Array(0));
        await send(empty, 2n, Uint8Array.of(0, 1));
        await send(empty, 3n, Uint8Array.of(0, 1, 0, 0, 0));
        await send(bare, 4n, stringCdr('unknown'));
      },
      { useChunks: false },
    );
    const bytes = await readFile(path);
    // A message of channel 77 is put before the end of the data.
    const dataEnd = bytes.length - TAIL_BYTES - summaryLength(bytes) - 13;
    const stray = Buffer.alloc(9 + 22 + 5);
    stray[0] = 5;
    stray.writeBigUInt64LE(27n, 1);
    stray.writeUInt16LE(77, 9);
    await writeFile(path, Buffer.concat([bytes.subarray(0, dataEnd), stray, bytes.subarray(dataEnd)]));
    const { messages, skipped, recording } = await collect(path);
    assert.deepEqual(skipped, { empty_payload: 1, short_payload: 1, unknown_channel: 1 });
    assert.deepEqual(
      messages.map(({ topic, logTime }) => [topic, logTime]),
      [
        ['/empty', 3n],
        ['/no_schema', 4n],
      ],
    );
    assert.deepEqual(
      recording.topics.map(({ name, type, schema }) => [name, type, schema]),
      [
        ['/empty', 'std_msgs/msg/Empty', undefined],
        ['/no_schema', '', undefined],
      ],
    );
  });

  it('counts a packing that it does not know', async () => {
    const path = folder.path('snappy.mcap');
    await writeMcap(path, oneString, {
      compressChunk: (data) => ({ compression: 'snappy', compressedData: data }),
    });
    const { messages, skipped } = await collect(path);
    assert.deepEqual(messages, []);
    assert.deepEqual(skipped, { unsupported_compression: 1 });
  });

  for (const [what, options] of Object.entries({
    'message indexes': { useMessageIndex: false },
    'chunk indexes': { useChunkIndex: false },
    'repeated channels': { repeatChannels: false },
    'repeated schemas': { repeatSchemas: false },
    statistics: { useStatistics: false },
  })) {
    it(`reads a file without ${what} and does not call it cut`, async () => {
      const path = folder.path('plain_summary.mcap');
      await writeMcap(path, oneString, options);
      const { messages, recording } = await collect(path, { topics: ['/one'] });
      assert.equal(messages.length, 1);
      assert.equal(messages[0].schema, 'string data');
      assert.deepEqual(recording.warnings, []);
    });
  }

  it('merges chunks that overlap in time, and keeps the written order at equal times', async () => {
    const path = folder.path('overlap.mcap');
    const writer = await RecordingWriter.create(path, { chunkBytes: 100 });
    await writer.declare('/a', STRING, { definition: 'string data' });
    const stamps = [5n, 9n, 1n, 9n, 5n, 2n, 8n, 9n, 1n, 3n, 5n, 9n];
    for (const [i, stamp] of stamps.entries()) await writer.write('/a', STRING, stamp, stringCdr(`${i}`));
    await writer.close();
    const order = (await collect(path)).messages.map((m) => Number(textOf(m)));
    const expected = stamps.map((_, i) => i).sort((a, b) => Number(stamps[a] - stamps[b]) || a - b);
    assert.deepEqual(order, expected);
  });

  it('C56 keeps 64-bit integers beyond 2^53 exact through writing, reading and decoding', async () => {
    const path = folder.path('int64.mcap');
    const definition = 'int64 value\nuint64 big\n';
    const writer = await RecordingWriter.create(path);
    await writer.declare('/n', 'my_msgs/Numbers', { definition });
    const bytes = Buffer.alloc(4 + 16);
    bytes[1] = 1;
    bytes.writeBigInt64LE(-9007199254740993n, 4);
    bytes.writeBigUInt64LE(18446744073709551615n, 12);
    await writer.write('/n', 'my_msgs/Numbers', 9007199254740993n, bytes);
    await writer.close();
    const [message] = (await collect(path)).messages;
    assert.equal(message.logTime, 9007199254740993n);
    assert.deepEqual(
      { ...messageReader(message.type, message.schema).readMessage<object>(message.data) },
      { value: -9007199254740993n, big: 18446744073709551615n },
    );
  });
});

async function oneString(writer: McapWriter): Promise<void> {
  const data = new TextEncoder().encode('string data');
  const schemaId = await writer.registerSchema({ name: STRING, encoding: 'ros2msg', data });
  const metadata = new Map<string, string>();
  const channelId = await writer.registerChannel({
    schemaId,
    topic: '/one',
    messageEncoding: 'cdr',
    metadata,
  });
  await writer.addMessage({ channelId, sequence: 0, logTime: 1n, publishTime: 1n, data: stringCdr('x') });
}

/** Length of the summary section, from the footer. */
function summaryLength(bytes: Buffer): number {
  const footer = bytes.length - TAIL_BYTES;
  return footer - Number(bytes.readBigUInt64LE(footer + 9));
}

function textOf({ data }: RawMessage): string {
  return Buffer.from(data.subarray(8, -1)).toString('utf8');
}

function bigintText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
