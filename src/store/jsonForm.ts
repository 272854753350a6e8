/**
 * Plain values as JSON and back, for files that people and other programs can read: numbers are exact, what JSON has no
 * word for is an object with a tag.
 */

const TAG = '@';

const TYPED_ARRAYS = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Int16Array,
  Uint16Array,
  Int8Array,
  Uint8Array,
} as const;
type TypedArrayName = keyof typeof TYPED_ARRAYS;

/** @throws Error for a value of a kind that is not known */
export function toJsonForm(value: unknown): unknown {
  if (typeof value === 'bigint') return { [TAG]: 'bigint', value: String(value) };
  if (value === undefined) return { [TAG]: 'undefined' };
  if (typeof value === 'number')
    return isJsonNumber(value) ? value : { [TAG]: 'number', value: textOf(value) };
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(toJsonForm);
  if (ArrayBuffer.isView(value)) return typedArrayForm(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, toJsonForm(item)]));
}

export function fromJsonForm(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return form;
  if (Array.isArray(form)) return form.map(fromJsonForm);
  const tagged = form as { [TAG]?: string; value?: string; base64?: string };
  switch (tagged[TAG]) {
    case 'bigint':
      return BigInt(tagged.value ?? '');
    case 'undefined':
      return undefined;
    case 'number':
      return Number(tagged.value);
    default:
      return isArrayName(tagged[TAG]) ? typedArray(tagged[TAG], tagged.base64 ?? '') : objectFrom(form);
  }
}

function objectFrom(form: object): object {
  return Object.fromEntries(Object.entries(form).map(([key, item]) => [key, fromJsonForm(item)]));
}

function isJsonNumber(value: number): boolean {
  return Number.isFinite(value) && !Object.is(value, -0);
}

function textOf(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

function typedArrayForm(view: ArrayBufferView): object {
  const name = view.constructor.name;
  // A Buffer is bytes.
  const known = name === 'Buffer' ? 'Uint8Array' : name;
  if (!isArrayName(known)) throw new Error(`a ${name} cannot be exported`);
  const bytes = Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  return { [TAG]: known, base64: bytes.toString('base64') };
}

function typedArray(name: TypedArrayName, base64: string): ArrayBufferView {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return new TYPED_ARRAYS[name](bytes.buffer);
}

function isArrayName(tag: string | undefined): tag is TypedArrayName {
  return tag !== undefined && Object.hasOwn(TYPED_ARRAYS, tag);
}
