import type { EvidenceStore } from '../evidence/EvidenceStore.js';
import type { StoredView } from '../evidence/StoredView.js';
import type { KeptView, SceneStore } from '../store/SceneStore.js';
import type { PictureRow, ViewKey } from '../store/StoreFile.js';
import { pack } from '../store/stateRows.js';

/** A view in the store. */
interface Written {
  readonly view: StoredView;
  readonly bytes: number;
}

/** Views encoded for one write at most: what is left waits for the next. */
const MOST_AT_ONCE = 100;

/**
 * Keeps stored views in the store, and their pictures only there: what was replaced since the last write is never encoded
 * for it. Over its limit of bytes, the refs seen longest ago lose their views.
 */
export class ViewKeeper {
  readonly #written = new Map<string, readonly Written[]>();
  #bytes = 0;
  #saving: Promise<number> | undefined;

  constructor(
    private readonly views: EvidenceStore,
    private readonly store: SceneStore,
    private readonly maxBytes: number,
    kept: readonly KeptView[],
  ) {
    for (const { ref, view } of kept) views.restore(ref, view, this.#reader(ref, view));
    for (const { ref, view, bytes } of kept) {
      const restored = views.viewsOf(ref).find(({ role }) => role === view.role);
      if (restored === undefined) continue;
      this.#written.set(ref, [...(this.#written.get(ref) ?? []), { view: restored, bytes }]);
      this.#bytes += bytes;
    }
  }

  /**
   * Writes what changed, at most so much at a time.
   * @returns how many views are left
   */
  save(): Promise<number> {
    this.#saving ??= this.#save().finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  /** Writes all that changed, as far as it can be encoded and written. */
  async finish(): Promise<void> {
    await this.#saving;
    let left = Infinity;
    for (let now = await this.save(); now > 0 && now < left; now = await this.save()) left = now;
  }

  async #save(): Promise<number> {
    this.#makeRoom();
    const removed = this.#removedKeys();
    const changed = [...this.#changedViews()];
    const rows: { readonly row: PictureRow; readonly view: StoredView }[] = [];
    for (const { ref, view } of changed.slice(0, MOST_AT_ONCE)) {
      const picture = await this.views.jpegOf(view);
      // Replaced meanwhile: the new one's turn comes with the next write.
      if (picture !== undefined) rows.push({ row: rowOf(ref, view, picture), view });
    }
    if (rows.length + removed.length === 0) return changed.length;
    const written = rows.map(({ row }) => row);
    if (!(await this.store.saveViews(written, removed))) return changed.length;
    this.#note(rows, removed);
    return changed.length - rows.length;
  }

  #makeRoom(): void {
    let bytes = this.#bytes;
    for (const ref of bytes > this.maxBytes ? this.views.refsByAge() : []) {
      if (bytes <= this.maxBytes) break;
      for (const written of this.#written.get(ref) ?? []) bytes -= written.bytes;
      this.views.forget(ref);
    }
  }

  *#changedViews(): Generator<{ readonly ref: string; readonly view: StoredView }> {
    for (const ref of this.views.refs()) {
      const written = this.#written.get(ref) ?? [];
      for (const view of this.views.viewsOf(ref))
        if (!written.some((known) => known.view === view)) yield { ref, view };
    }
  }

  #removedKeys(): ViewKey[] {
    const removed: ViewKey[] = [];
    for (const [ref, written] of this.#written) {
      const roles = new Set(this.views.viewsOf(ref).map(({ role }) => role));
      for (const { view } of written) if (!roles.has(view.role)) removed.push({ ref, role: view.role });
    }
    return removed;
  }

  #note(
    rows: readonly { readonly row: PictureRow; readonly view: StoredView }[],
    removed: readonly ViewKey[],
  ): void {
    for (const { ref, role } of removed) this.#replace(ref, role);
    for (const { row, view } of rows) {
      this.#replace(row.ref, view.role, { view, bytes: row.picture.length });
      this.views.leaveElsewhere(view, this.#reader(row.ref, view));
    }
  }

  #replace(ref: string, role: string, now?: Written): void {
    const before = this.#written.get(ref) ?? [];
    const after = [...before.filter(({ view }) => view.role !== role), ...(now === undefined ? [] : [now])];
    for (const { view, bytes } of before) if (view.role === role) this.#bytes -= bytes;
    this.#bytes += now?.bytes ?? 0;
    if (after.length === 0) this.#written.delete(ref);
    else this.#written.set(ref, after);
  }

  #reader(ref: string, { role }: { readonly role: string }): () => Promise<Uint8Array | undefined> {
    return () => this.store.findPicture({ ref, role });
  }
}

function rowOf(ref: string, { picture: _, ...view }: StoredView, picture: Uint8Array): PictureRow {
  return { ref, role: view.role, about: pack({ view, bytes: picture.length }), picture };
}
