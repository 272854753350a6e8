import { parse } from '@foxglove/rosmsg';
import { MessageReader, MessageWriter } from '@foxglove/rosmsg2-serialization';
import { findDefinition, shortTypeName } from './definitions.js';

/**
 * CDR readers and writers by type, made once each. A reader made from a recording's own definition text is
 * kept apart from the one made from ours, so two recordings with different texts do not disturb each other.
 */
export class MessageCodec {
  readonly #readers = new Map<string, MessageReader>();
  readonly #writers = new Map<string, MessageWriter>();

  /** Throws when the text cannot be parsed, or when there is none and the type is not one of ours. */
  reader(type: string, definitionText?: string): MessageReader {
    return cached(
      this.#readers,
      type,
      definitionText,
      (text) => new MessageReader(parse(text, { ros2: true })),
    );
  }

  /** Throws when the text cannot be parsed, or when there is none and the type is not one of ours. */
  writer(type: string, definitionText?: string): MessageWriter {
    return cached(
      this.#writers,
      type,
      definitionText,
      (text) => new MessageWriter(parse(text, { ros2: true })),
    );
  }
}

/** One reader for one type; callers keep it as long as the topic lives. */
export function messageReader(type: string, definitionText?: string): MessageReader {
  return new MessageCodec().reader(type, definitionText);
}

function requireDefinition(type: string): string {
  const text = findDefinition(type);
  if (text === undefined) throw new Error(`no definition of message type "${type}" is known`);
  return text;
}

function cached<T>(
  made: Map<string, T>,
  type: string,
  text: string | undefined,
  make: (text: string) => T,
): T {
  // Our own text is looked up only when a codec is made: this runs once per message written.
  const key = text === undefined ? shortTypeName(type) : `${shortTypeName(type)}\n${text}`;
  let codec = made.get(key);
  if (codec === undefined) {
    codec = make(text ?? requireDefinition(type));
    made.set(key, codec);
  }
  return codec;
}
