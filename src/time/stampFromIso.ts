import type { Stamp } from './Stamp.js';

const ISO_UTC = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/;

/** A stamp from ISO 8601 in UTC with up to nine decimals. Throws RangeError for anything else. */
export function stampFromIso(iso: string): Stamp {
  const [, whole = '', decimals = ''] = ISO_UTC.exec(iso) ?? [];
  const ms = Date.parse(`${whole}Z`);
  if (Number.isNaN(ms)) throw new RangeError(`not a time in ISO 8601 with Z: ${iso.slice(0, 40)}`);
  return BigInt(ms) * 1_000_000n + BigInt(decimals.padEnd(9, '0'));
}
