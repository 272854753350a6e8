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
  | { readonly kind: 'opened'; readonly graph: StoredGraph; readonly setAside: string | undefined }
  | { readonly kind: 'done' }
  | { readonly kind: 'picture'; readonly picture: Uint8Array | undefined }
  | { readonly kind: 'started_anew'; readonly setAside: string }
  | { readonly kind: 'failed'; readonly reason: string };

/** Buffers that can be handed over instead of copied: those that are nothing but the bytes of one value. */
export function ownBuffers(values: readonly Uint8Array[]): ArrayBuffer[] {
  return values.flatMap(({ buffer, byteLength }) =>
    buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [],
  );
}
