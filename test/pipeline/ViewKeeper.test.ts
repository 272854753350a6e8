import assert from 'node:assert/strict';
import { EvidenceStore } from '../../src/evidence/EvidenceStore.js';
import type { ChosenView } from '../../src/evidence/selectViews.js';
import type { ViewRole } from '../../src/evidence/StoredView.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { evidenceParameters } from '../../src/pipeline/sceneParameters.js';
import { ViewKeeper } from '../../src/pipeline/ViewKeeper.js';
import type { KeptView } from '../../src/store/SceneStore.js';
import { SqliteStore } from '../../src/store/SqliteStore.js';
import { kitchen, T0 } from '../fixtures/graphStates.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** A picture of its own for each view. */
function pictureOf(ref: string, role: string, size = 100): Uint8Array {
  return Uint8Array.from({ length: size }, (_, k) => (k + ref.length * 7 + role.length) % 256);
}

function view(role: ViewRole, secondsAgo = 0): ChosenView {
  const moment = { epoch: 0, stamp: T0 - BigInt(secondsAgo) * 1_000_000_000n };
  return { role, score: 0.5, azimuth: 1, distanceM: 1.5, moment };
}

describe('ViewKeeper', () => {
  const folder = temporaryFolder();
  let next = 0;
  const newFile = (): string => folder.path(`views-${next++}.db`);

  async function open(file: string, maxBytes = 1e6) {
    const opened = await SqliteStore.open({ file, identity: { mapId: '', mapFrame: 'map' }, limits: {} });
    const views = new EvidenceStore(evidenceParameters(defaultParameters()));
    const keeper = new ViewKeeper(views, opened.store, maxBytes, opened.views);
    const close = async (): Promise<void> => opened.store.close({ state: kitchen() });
    return { views, keeper, close, kept: opened.views };
  }

  /** As if it had been encoded just now. */
  function add(views: EvidenceStore, ref: string, role: ViewRole, secondsAgo = 0): void {
    views.restore(ref, view(role, secondsAgo), () => Promise.resolve(pictureOf(ref, role)));
  }

  async function picturesOf(views: EvidenceStore): Promise<Record<string, number[]>> {
    const all: Record<string, number[]> = {};
    for (const ref of views.refs())
      for (const kept of views.viewsOf(ref))
        all[`${ref} ${kept.role}`] = [...((await views.jpegOf(kept)) ?? [])];
    return all;
  }

  const refsOf = (kept: readonly KeptView[]): string[] => [...new Set(kept.map(({ ref }) => ref))].sort();

  it('brings views and their pictures back in another process, as they were', async () => {
    const file = newFile();
    const first = await open(file);
    for (const role of ['best', 'latest', 'other_side'] as const) add(first.views, 'cup_1', role);
    add(first.views, 'cup_2', 'best');
    assert.equal(await first.keeper.save(), 0);
    const before = await picturesOf(first.views);
    await first.close();
    const second = await open(file);
    assert.deepEqual(await picturesOf(second.views), before);
    assert.equal(Object.keys(before).length, 4);
    for (const ref of second.views.refs())
      assert.deepEqual(
        second.views.viewsOf(ref).map(({ picture: _, ...rest }) => rest),
        first.views.viewsOf(ref).map(({ picture: _, ...rest }) => rest),
      );
    await second.close();
  });

  it('writes what was replaced and lets go of what was forgotten', async () => {
    const file = newFile();
    const first = await open(file);
    add(first.views, 'cup_1', 'best', 60);
    add(first.views, 'cup_2', 'best');
    await first.keeper.save();
    add(first.views, 'cup_1', 'best');
    first.views.forget('cup_2');
    await first.keeper.save();
    await first.close();
    const second = await open(file);
    assert.deepEqual(refsOf(second.kept), ['cup_1']);
    assert.equal(second.kept[0].view.moment.stamp, T0);
    await second.close();
  });

  it('keeps no more bytes than it may: the refs seen longest ago lose their views, here and in the file', async () => {
    const file = newFile();
    const first = await open(file, 1000);
    for (let k = 0; k < 20; k++) add(first.views, `cup_${k}`, 'best', k);
    await first.keeper.save();
    await first.keeper.save();
    const left = Array.from({ length: 10 }, (_, k) => `cup_${k}`);
    assert.deepEqual(first.views.refs().sort(), left);
    await first.close();
    const second = await open(file, 1000);
    assert.deepEqual(refsOf(second.kept), left);
    await second.close();
  });

  it('finishes with many at once, and does not wait for a picture that there is not', async () => {
    const file = newFile();
    const first = await open(file);
    for (let k = 0; k < 250; k++) add(first.views, `cup_${k}`, 'best');
    first.views.restore('broken_1', view('best'), () => Promise.resolve(undefined));
    await first.keeper.finish();
    await first.close();
    const second = await open(file);
    assert.equal(refsOf(second.kept).length, 250);
    await second.close();
  });
});
