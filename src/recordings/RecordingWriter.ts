import { mkdir, open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as zstd from '@foxglove/wasm-zstd';
import { McapWriter, type IWritable } from '@mcap/core';
import { findDefinition, longTypeName } from '../input/definitions.js';
import type { Stamp } from '../time/Stamp.js';
import { decompressorsReady } from './decompress.js';
import { qosText, type RecordedQos } from './qosText.js';
import { RecordingError } from './RecordingError.js';

/** Chunks of about this size: a reader holds one or two of them, and seeks to within half a second of VGA frames. */
const CHUNK_BYTES = 1024 * 1024;
/** Enough for the bursts of a 30 Hz stream. */
const DEFAULT_DEPTH = 10;

export interface WriterOptions {
  readonly compression?: 'zstd' | 'none';
  /** False writes records one by one, as a logger that fears to lose a chunk does. */
  readonly useChunks?: boolean;
  readonly chunkBytes?: number;
}

export interface TopicOptions {
  /** Definition text with its dependencies; only needed for types that this package does not know. */
  readonly definition?: string;
  readonly qos?: RecordedQos;
}

interface Channel {
  readonly id: number;
  readonly type: string;
  sequence: number;
}

/**
 * Writes a recording as MCAP in the form of ROS 2: CDR payloads, ros2msg definitions, QoS in the channels.
 * The file gets its name when it is closed; until then it is `<path>.part`, so a file of that name is always whole.
 * Calls may overlap: each waits for those before it.
 */
export class RecordingWriter {
  readonly #channels = new Map<string, Channel>();
  readonly #schemaIds = new Map<string, number>();
  #tail: Promise<void> = Promise.resolve();
  #isOpen = true;

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
    readonly writer: McapWriter,
  ) {}

  /** Makes the folder, too, when there is none. */
  static async create(path: string, options: WriterOptions = {}): Promise<RecordingWriter> {
    await decompressorsReady();
    await mkdir(dirname(path), { recursive: true });
    const file = await open(partPath(path), 'w');
    const writer = new McapWriter({
      writable: new FileWritable(file),
      useChunks: options.useChunks ?? true,
      chunkSize: options.chunkBytes ?? CHUNK_BYTES,
      ...(options.compression === 'none' ? {} : { compressChunk: packWithZstd }),
    });
    await writer.start({ profile: 'ros2', library: 'rgbd_scene_graph' });
    return new RecordingWriter(path, file, writer);
  }

  /**
   * Declares a topic before its first message, where its definition or QoS is not the usual one.
   * @throws RecordingError when it is declared already, or its definition is neither known nor given.
   */
  async declare(topic: string, type: string, options: TopicOptions = {}): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#channels.has(topic)) throw new RecordingError(`topic ${topic} is declared already`);
      await this.#openChannel(topic, longTypeName(type), options);
    });
  }

  /**
   * Appends one message. `bytes` is CDR with its four-byte header; it may be reused once the promise is fulfilled.
   * @throws RecordingError when the type has no known definition or is not the one of the topic.
   */
  async write(topic: string, type: string, stamp: Stamp, bytes: Uint8Array): Promise<void> {
    await this.#inTurn(async () => {
      const longType = longTypeName(type);
      const channel = this.#channels.get(topic) ?? (await this.#openChannel(topic, longType, {}));
      if (channel.type !== longType) {
        throw new RecordingError(
          `topic ${topic} has type ${channel.type}, a message of type ${longType} was given`,
        );
      }
      await this.writer.addMessage({
        channelId: channel.id,
        sequence: channel.sequence++,
        logTime: stamp,
        publishTime: stamp,
        data: bytes,
      });
    });
  }

  /** Writes what is left and the index, and gives the file its name. */
  async close(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isOpen = false;
      // An empty `serialized_metadata` tells rosbag2 that the QoS texts are in the form with numbers.
      await this.writer.addMetadata({ name: 'rosbag2', metadata: new Map([['serialized_metadata', '']]) });
      await this.writer.end();
      await this.file.sync();
      await this.file.close();
      await rename(partPath(this.path), this.path);
    });
  }

  /** Gives up: nothing remains on disk. */
  async discard(): Promise<void> {
    await this.#inTurn(async () => {
      this.#isOpen = false;
      await this.file.close();
      await rm(partPath(this.path), { force: true });
    });
  }

  #inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.#tail.then(() => {
      if (!this.#isOpen) throw new RecordingError(`${this.path} is closed already`);
      return step();
    });
    // The caller gets the failure; those after it only wait.
    this.#tail = turn.catch(() => undefined);
    return turn;
  }

  async #openChannel(topic: string, type: string, options: TopicOptions): Promise<Channel> {
    const definition = options.definition ?? findDefinition(type);
    if (definition === undefined) throw new RecordingError(`no definition of message type ${type} is known`);
    const qos = options.qos ?? usualQos(topic);
    const channelId = await this.writer.registerChannel({
      schemaId: await this.#schemaId(type, definition),
      topic,
      messageEncoding: 'cdr',
      metadata: new Map([['offered_qos_profiles', qosText(qos)]]),
    });
    const channel = { id: channelId, type, sequence: 0 };
    this.#channels.set(topic, channel);
    return channel;
  }

  async #schemaId(type: string, definition: string): Promise<number> {
    const key = `${type}\n${definition}`;
    const known = this.#schemaIds.get(key);
    if (known !== undefined) return known;
    const data = new TextEncoder().encode(definition);
    const id = await this.writer.registerSchema({ name: type, encoding: 'ros2msg', data });
    this.#schemaIds.set(key, id);
    return id;
  }
}

/** Static transforms are latched: players that keep the recorded QoS then serve late listeners too. */
function usualQos(topic: string): RecordedQos {
  const isStatic = topic.endsWith('/tf_static');
  return { depth: isStatic ? 1 : DEFAULT_DEPTH, isTransientLocal: isStatic };
}

function partPath(path: string): string {
  return `${path}.part`;
}

function packWithZstd(chunk: Uint8Array): { compression: string; compressedData: Uint8Array } {
  return { compression: 'zstd', compressedData: zstd.compress(chunk) };
}

/** Appends to a file at its own position. */
class FileWritable implements IWritable {
  #position = 0;

  constructor(readonly file: FileHandle) {}

  async write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const left = bytes.length - done;
      done += (await this.file.write(bytes, done, left, this.#position + done)).bytesWritten;
    }
    this.#position += bytes.length;
  }

  position(): bigint {
    return BigInt(this.#position);
  }
}
