import type { DatabaseLimits } from './openDatabase.js';
import type { GraphIdentity, StoreChanges, StoredGraph, ViewKey } from './StoreFile.js';

/** What goes to the store's thread: the file at its start, then requests, answered one by one in their order. */
export interface StoreStart {
  readonly file: string;
  readonly identity: GraphIdentity;
  readonly limits: DatabaseLimits;
}

export type StoreRequest =
  | { readonly kind: 'write'; readonly changes: StoreChanges; readonly durable: boolean }
  | { readonly kind: 'picture'; readonly view: ViewKey }
  | { readonly kind: 'start_anew' }
  | { readonly kind: 'close' };

/** The first message tells how the start went. */
export type StoreReply =
  | { readonly kind: 'opened'; readonly graph: PackedGraph; readonly setAside: string | undefined }
  | { readonly kind: 'done' }
  | { readonly kind: 'picture'; readonly picture: Uint8Array | undefined }
  | { readonly kind: 'started_anew'; readonly setAside: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** A graph with its rows' bytes in one buffer: handing over tens of thousands takes seconds. */
export interface PackedGraph extends Omit<StoredGraph, 'rows'> {
  readonly parts: readonly string[];
  readonly keys: readonly string[];
  readonly lengths: readonly number[];
  readonly bodies: Uint8Array;
}

export function packGraph({ rows, ...rest }: StoredGraph): PackedGraph {
  return {
    ...rest,
    parts: rows.map(({ part }) => part),
    keys: rows.map(({ key }) => key),
    lengths: rows.map(({ body }) => body.length),
    bodies: Buffer.concat(rows.map(({ body }) => body)),
  };
}

export function unpackGraph({ parts, keys, lengths, bodies, ...rest }: PackedGraph): StoredGraph {
  let at = 0;
  const rows = parts.map((part, k) => ({
    part,
    key: keys[k],
    body: bodies.subarray(at, (at += lengths[k])),
  }));
  return { ...rest, rows };
}

/** Buffers that can be handed over instead of copied: those that are nothing but the bytes of one value. */
export function ownBuffers(values: readonly Uint8Array[]): ArrayBuffer[] {
  return values.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
