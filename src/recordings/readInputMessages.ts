import type { MessageReader } from '@foxglove/rosmsg2-serialization';
import { decodeInput } from '../input/decodeInput.js';
import type { InputKind, InputMessage } from '../input/messages.js';
import { MessageCodec } from '../input/MessageCodec.js';
import { durationFromSeconds, type Stamp } from '../time/Stamp.js';
import type { RawMessage, Recording, TopicInfo } from './Recording.js';
import type { TopicAssignment } from './resolveTopics.js';
import { SkipCounts } from './SkipCounts.js';

/** One decoded message and when it was recorded. */
export interface RecordedInput {
  readonly message: InputMessage;
  readonly logTime: Stamp;
}

export interface ReadInputOptions {
  /** Seconds after the recording's start. */
  readonly fromS?: number;
  readonly toS?: number;
  /** The camera's name, '' for the one unprefixed camera. */
  readonly camera?: string;
  /** Where everything that was not delivered is counted by cause. */
  readonly skipped?: SkipCounts;
}

/**
 * The recording as the pipeline takes it, in log-time order. A message is decoded by the definition in the file, or
 * by our own where the file has none that can be used. One that cannot be decoded is counted and left out.
 *
 *     log time   0    s         from          to
 *     static     S----|----------|-------------|      S is delivered first: it holds for all time
 *     others          x   x   x  y   y   y   y |  z   only y
 */
export async function* readInputMessages(
  recording: Recording,
  assignment: TopicAssignment,
  options: ReadInputOptions = {},
): AsyncGenerator<RecordedInput, void, void> {
  if (recording.start === undefined) return;
  const skipped = options.skipped ?? new SkipCounts();
  const decoder = new InputDecoder(assignment, options.camera ?? '', skipped);
  const from = recording.start + durationFromSeconds(Math.max(0, options.fromS ?? 0));
  const to = options.toS === undefined ? undefined : recording.start + durationFromSeconds(options.toS);
  const { tf_static: tfStatic } = assignment.topics;
  if (tfStatic && from > recording.start) {
    // Damage before the span asked for is not counted.
    const earlier = { topics: [tfStatic.name], to: from - 1n };
    for await (const raw of recording.messages(earlier)) yield* decoder.decode(raw);
  }
  const range = { topics: decoder.topicNames, from, ...(to === undefined ? {} : { to }), skipped };
  for await (const raw of recording.messages(range)) yield* decoder.decode(raw);
}

interface Role {
  readonly kind: InputKind;
  readonly topic: TopicInfo;
}

class InputDecoder {
  readonly #codec = new MessageCodec();
  readonly #roles = new Map<string, Role[]>();
  /** Readers by topic and definition; undefined: that definition cannot be used, nor one of ours. */
  readonly #readers = new Map<RawMessage['schema'], Map<string, MessageReader | undefined>>();

  constructor(
    assignment: TopicAssignment,
    readonly camera: string,
    readonly skipped: SkipCounts,
  ) {
    for (const [kind, topic] of Object.entries(assignment.topics) as [InputKind, TopicInfo][]) {
      this.#roles.set(topic.name, [...(this.#roles.get(topic.name) ?? []), { kind, topic }]);
    }
  }

  get topicNames(): string[] {
    return [...this.#roles.keys()];
  }

  /** One message, or two where one info serves both cameras. */
  *decode(raw: RawMessage): Generator<RecordedInput, void, void> {
    const reader = this.#reader(raw);
    if (!reader) {
      this.skipped.add('unknown_schema');
      return;
    }
    for (const { kind } of this.#roles.get(raw.topic) ?? []) {
      const decoded = decodeInput(kind, this.camera, raw.type, raw.data, reader);
      if (decoded.ok) yield { message: decoded.value, logTime: raw.logTime };
      else this.skipped.add(decoded.cause);
    }
  }

  #reader(raw: RawMessage): MessageReader | undefined {
    const byType = this.#readers.get(raw.schema) ?? new Map<string, MessageReader | undefined>();
    this.#readers.set(raw.schema, byType);
    if (!byType.has(raw.type)) {
      byType.set(raw.type, this.#tryReader(raw.type, raw.schema) ?? this.#tryReader(raw.type, undefined));
    }
    return byType.get(raw.type);
  }

  #tryReader(type: string, schema: string | undefined): MessageReader | undefined {
    try {
      return this.#codec.reader(type, schema);
    } catch {
      // The definition is someone else's text: one that cannot be parsed is as good as none.
      return undefined;
    }
  }
}
