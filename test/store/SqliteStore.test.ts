import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import type { GraphState } from '../../src/graph/types.js';
import type { OpenedStore } from '../../src/store/SceneStore.js';
import { SqliteStore } from '../../src/store/SqliteStore.js';
import { kitchen } from '../fixtures/graphStates.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

const nothing = (): void => {};

function withoutCup(state: GraphState): GraphState {
  return { ...state, revision: state.revision + 1, entities: state.entities.delete('cup_1') };
}

describe('SqliteStore', () => {
  const folder = temporaryFolder();
  let next = 0;
  const newFile = (): string => folder.path(`scene-${next++}.db`);
  function open(file: string, { mapId = '', mapFrame = 'map', maxBytes }: Where = {}): Promise<OpenedStore> {
    return SqliteStore.open({
      file,
      identity: { mapId, mapFrame },
      limits: maxBytes === undefined ? {} : { maxBytes },
    });
  }
  interface Where {
    readonly mapId?: string;
    readonly mapFrame?: string;
    readonly maxBytes?: number;
  }

  it('begins empty and restores what was committed', async () => {
    const file = newFile();
    const first = await open(file);
    assert.equal(first.restored, undefined);
    let isInstalled = false;
    assert.equal(await first.store.commit({ state: kitchen() }, () => (isInstalled = true)), undefined);
    assert.ok(isInstalled);
    await first.store.close({ state: withoutCup(kitchen()) });
    const second = await open(file);
    assert.ok(second.restored !== undefined);
    assert.equal(canonicalHash(second.restored), canonicalHash(withoutCup(kitchen())));
    assert.equal(second.restored.revision, 2);
    assert.deepEqual(second.notes, []);
    await second.store.close();
  });

  it('lets a save give way to what is being written, and a commit wait for it', async () => {
    const { store } = await open(newFile());
    const state = kitchen();
    const saving = store.save({ state });
    const order: string[] = [];
    const committing = store.commit({ state: withoutCup(state) }, () => order.push('committed'));
    assert.equal(await store.save({ state }), false);
    assert.equal(await saving, true);
    order.push('saved');
    assert.equal(await committing, undefined);
    assert.deepEqual(order, ['saved', 'committed']);
    await store.close();
  });

  it('keeps the graphs of other maps and other frames apart in one file', async () => {
    const file = newFile();
    const states: [Where, GraphState][] = [
      [{ mapId: 'ground floor' }, kitchen()],
      [{ mapId: 'first floor' }, withoutCup(kitchen())],
      [
        { mapId: 'ground floor', mapFrame: 'odom' },
        { ...kitchen(), mapFrame: 'odom' },
      ],
    ];
    for (const [where, state] of states) {
      const { store, restored } = await open(file, where);
      assert.equal(restored, undefined, 'another map begins empty');
      await store.close({ state });
    }
    for (const [where, state] of states) {
      const { store, restored } = await open(file, where);
      assert.equal(restored && canonicalHash(restored), canonicalHash(state));
      await store.close();
    }
  });

  it('begins above every revision that a killed process can have handed out, and at the last one of a closed one', async () => {
    const file = newFile();
    const { store } = await open(file);
    await store.commit({ state: kitchen() }, nothing);
    // Not closed with a state: as if killed.
    await store.close();
    const killed = await open(file);
    assert.equal(killed.restored?.revision, 1 + 10_000);
    await killed.store.close({ state: { ...kitchen(), revision: 10_005 } });
    const closed = await open(file);
    assert.equal(closed.restored?.revision, 10_005);
    await closed.store.close();
  });

  it('fails a commit that the disk has no room for, changes nothing, and goes on when there is room', async () => {
    const file = newFile();
    const { store } = await open(file, { maxBytes: 60_000 });
    const big = (n: number): GraphState => ({
      ...kitchen(),
      entities: kitchen().entities.map((entity) => ({ ...entity, samples: new Float32Array(n) })),
    });
    assert.equal(await store.commit({ state: kitchen() }, nothing), undefined);
    let isInstalled = false;
    const reason = await store.commit({ state: big(50_000) }, () => (isInstalled = true));
    assert.equal(reason, 'the disk (or what the store may take of it) is full');
    assert.ok(!isInstalled);
    assert.deepEqual(store.status, { state: 'failing', reason });
    assert.equal(await store.commit({ state: withoutCup(kitchen()) }, nothing), undefined);
    assert.equal(store.status.state, 'ok');
    await store.close();
    const { store: again, restored } = await open(file);
    assert.equal(restored && canonicalHash(restored), canonicalHash(withoutCup(kitchen())));
    await again.close();
  });

  it('is unavailable, with the reason, while another process has the file, and harms nothing', async () => {
    const file = newFile();
    const { store } = await open(file);
    await store.commit({ state: kitchen() }, nothing);
    const second = await open(file);
    assert.deepEqual(second.store.status, { state: 'unavailable', reason: 'another process uses the store' });
    assert.equal(
      await second.store.commit({ state: withoutCup(kitchen()) }, nothing),
      'another process uses the store',
    );
    assert.equal(await second.store.save({ state: withoutCup(kitchen()) }), false);
    assert.match(second.notes.join(), /nothing is stored: another process uses the store/);
    await second.store.close({ state: withoutCup(kitchen()) });
    await store.close();
    const { store: third, restored } = await open(file);
    assert.equal(restored?.entities.size, kitchen().entities.size);
    await third.close();
  }).timeout(20_000);

  it('sets a file aside whose rows make no sense, says so, and works', async () => {
    const file = newFile();
    await (await open(file)).store.close({ state: kitchen() });
    const database = new Sqlite(file);
    database.exec("UPDATE item SET body = x'00112233' WHERE part = 'entities'");
    database.close();
    const damaged = readFileSync(file);
    const { store, restored, notes } = await open(file);
    assert.equal(restored, undefined);
    assert.match(notes.join(), /could not be read; its file was set aside as scene-\d+\.db\.unreadable-1/);
    assert.equal(await store.commit({ state: kitchen() }, nothing), undefined);
    await store.close();
    const kept = new Sqlite(`${file}.unreadable-1`);
    assert.equal(kept.prepare("SELECT count(*) AS n FROM item WHERE body = x'00112233'").pluck().get(), 6);
    kept.close();
    assert.ok(damaged.length > 0);
  });

  it('says of a rubbish file where it went', async () => {
    const file = newFile();
    writeFileSync(file, 'rubbish');
    const { store, notes } = await open(file);
    assert.match(notes.join(), /set aside as scene-\d+\.db\.unreadable-1 and the graph begins empty/);
    assert.equal(store.status.state, 'ok');
    await store.close();
  });
});
