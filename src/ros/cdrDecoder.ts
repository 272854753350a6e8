import { MessageReader } from '@foxglove/rosmsg2-serialization';
import type { FindDefinition, MessageDefinition } from './cdrEncoder.js';

/** Reads CDR into a plain object. @throws RangeError where the bytes end before the message does. */
export type CdrDecoder = (cdr: Uint8Array) => object;

type ReaderDefinition = ConstructorParameters<typeof MessageReader>[0][number];

/** The decoder of a message by its definition; nested definitions are looked up once, here. */
export function cdrDecoder(definition: MessageDefinition, find: FindDefinition): CdrDecoder {
  const nested = new Map<string, ReaderDefinition>();
  collectNested(definition, find, nested);
  const reader = new MessageReader<object>([toReaderDefinition('', definition), ...nested.values()]);
  return (cdr) => {
    const message = reader.readMessage(cdr);
    // Bytes are read as views of the memory behind `cdr`, without looking at where it ends in that.
    if (reader.lastReadByteLength() > cdr.byteLength) {
      throw new RangeError(`${cdr.byteLength} bytes of a message of ${reader.lastReadByteLength()} or more`);
    }
    return message;
  };
}

function collectNested(
  { fields }: MessageDefinition,
  find: FindDefinition,
  into: Map<string, ReaderDefinition>,
): void {
  for (const { type } of fields) {
    const name = nameOf(type);
    if (type.isPrimitiveType || into.has(name)) continue;
    const definition = find(`${type.pkgName ?? ''}/msg/${type.type}`);
    into.set(name, toReaderDefinition(name, definition));
    collectNested(definition, find, into);
  }
}

function toReaderDefinition(name: string, { fields }: MessageDefinition): ReaderDefinition {
  const definitions = fields.map(({ name: field, type }) => {
    if (type.isFixedSizeArray) throw new TypeError(`arrays of fixed size are not read (${nameOf(type)})`);
    const isComplex = !type.isPrimitiveType;
    return { name: field, type: nameOf(type), isArray: type.isArray, isComplex };
  });
  return { name, definitions };
}

function nameOf({ pkgName, type, isPrimitiveType }: MessageDefinition['fields'][number]['type']): string {
  return isPrimitiveType ? type : `${pkgName ?? ''}/${type}`;
}
