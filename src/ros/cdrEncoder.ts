import { CdrWriter } from './CdrWriter.js';

/** What the client library's generated classes tell of a message, as far as it matters here. */
export interface MessageDefinition {
  readonly fields: readonly {
    readonly name: string;
    readonly type: {
      readonly pkgName: string | null;
      readonly type: string;
      readonly isArray: boolean;
      readonly isFixedSizeArray: boolean;
      readonly isPrimitiveType: boolean;
    };
  }[];
}

/** @param type `std_msgs/msg/Header` */
export type FindDefinition = (type: string) => MessageDefinition;

/**
 * Writes a plain object as CDR. Fields that are left out take their zero unless `isComplete` is asked for.
 * @throws TypeError for a wrong type, an unknown field, or a missing one where all are asked for.
 */
export type CdrEncoder = (message: unknown, isComplete: boolean) => Buffer;

type WriteValue = (writer: CdrWriter, value: unknown, path: string, isComplete: boolean) => void;

/** The encoder of a message by its definition; nested definitions are looked up once, here. */
export function cdrEncoder(definition: MessageDefinition, find: FindDefinition): CdrEncoder {
  const write = recordWriter(definition, find);
  return (message, isComplete) => {
    const writer = new CdrWriter();
    write(writer, message, '', isComplete);
    return writer.finish();
  };
}

function recordWriter(definition: MessageDefinition, find: FindDefinition): WriteValue {
  const fields = definition.fields.map(({ name, type }) => ({ name, ...fieldWriter(type, find) }));
  const names = new Set(fields.map(({ name }) => name));
  return (writer, value, path, isComplete) => {
    if (typeof value !== 'object' || value === null) throw wrong(path, 'is no record', value);
    for (const name in value) if (!names.has(name)) throw wrong(`${path}.${name}`, 'is no field', name);
    for (const { name, write, zero } of fields) {
      const part = (value as Readonly<Record<string, unknown>>)[name];
      if (part === undefined && isComplete) throw wrong(`${path}.${name}`, 'is missing', part);
      write(writer, part === undefined ? zero : part, `${path}.${name}`, isComplete);
    }
  };
}

function fieldWriter(
  type: MessageDefinition['fields'][number]['type'],
  find: FindDefinition,
): { readonly write: WriteValue; readonly zero: unknown } {
  const element = type.isPrimitiveType
    ? primitive(type.type)
    : { write: recordWriter(find(`${type.pkgName ?? ''}/msg/${type.type}`), find), zero: {} };
  if (!type.isArray) return element;
  if (type.isFixedSizeArray) throw new TypeError(`arrays of fixed size are not written (${type.type})`);
  return { write: type.type === 'uint8' ? writeBytes : listWriter(element.write), zero: [] };
}

function listWriter(write: WriteValue): WriteValue {
  return (writer, value, path, isComplete) => {
    if (!Array.isArray(value)) throw wrong(path, 'is no list', value);
    writer.sequence(value, (_, item) => write(writer, item, path, isComplete));
  };
}

const writeBytes: WriteValue = (writer, value, path) => {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  if (!(value instanceof Uint8Array) && !isEmptyList) throw wrong(path, 'are no bytes', value);
  writer.bytes(value instanceof Uint8Array ? value : new Uint8Array());
};

function primitive(type: string): { readonly write: WriteValue; readonly zero: unknown } {
  switch (type) {
    case 'string':
      return { write: checked('string', (writer, value: string) => writer.string(value)), zero: '' };
    case 'bool':
      return { write: checked('boolean', (writer, value: boolean) => writer.bool(value)), zero: false };
    case 'uint8':
    case 'int32':
    case 'uint32':
    case 'float32':
    case 'float64':
      return { write: checked('number', (writer, value: number) => writer[type](value)), zero: 0 };
    default:
      throw new TypeError(`values of type ${type} are not written`);
  }
}

function checked<Value>(kind: string, write: (writer: CdrWriter, value: Value) => unknown): WriteValue {
  return (writer, value, path) => {
    if (typeof value !== kind) throw wrong(path, `is no ${kind}`, value);
    write(writer, value as Value);
  };
}

function wrong(path: string, problem: string, value: unknown): TypeError {
  return new TypeError(`${path.slice(1)} ${problem} (${typeof value})`);
}
