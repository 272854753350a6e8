import assert from 'node:assert/strict';
import { requireData } from '../fixtures/requireData.js';
import { replayed, toldOf, type Replayed } from '../fixtures/replayed.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

/** What the graph of real recordings must be worth: measured against truth that was made by others. */

describe('a replay of the everyday desk', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();
  let desk: Replayed;
  before(async function () {
    desk = await replayed(requireData(this, 'desk_7scenes_short.mcap'), folder.path('desk'));
  });

  it('finds at least seven tenths of the objects within their tolerance', () => {
    assert.ok((desk.evaluation.tolerance.recall.share ?? 0) >= 0.7, toldOf(desk));
  });

  it('is right about place and size of what stands in the scored region', () => {
    assert.ok((desk.evaluation.strict.f1 ?? 0) >= 0.75, toldOf(desk));
  });

  it('finds the floor and the table', () => {
    const found = desk.evaluation.supports.filter((support) => support.found).map(({ kind }) => kind);
    assert.ok(found.includes('floor') && found.includes('table'), toldOf(desk));
  });

  it('has no object twice in the scored region', () => {
    assert.deepEqual(desk.evaluation.duplicates, [], toldOf(desk));
  });

  it('uses every frame or says why it did not', () => {
    const { in: all, used, dropped } = desk.summary.frames;
    assert.equal(all, 94);
    assert.equal(used + Object.values(dropped).reduce((a, b) => a + b, 0), all);
    assert.ok(used >= 60, JSON.stringify(dropped));
  });

  it('ends in the same state when it is done again', async function () {
    const again = await replayed(requireData(this, 'desk_7scenes_short.mcap'), folder.path('again'));
    assert.match(desk.stateHash, /^[0-9a-f]{64}$/);
    assert.equal(again.stateHash, desk.stateHash);
  });
});

describe('a replay of the desk with depth in a frame of its own', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('finds at least seven tenths of the objects in view within their tolerance', async function () {
    const desk = await replayed(requireData(this, 'desk_7scenes_unregistered.mcap'), folder.path('desk'));
    assert.ok((desk.evaluation.tolerance.recall.share ?? 0) >= 0.7, toldOf(desk));
    assert.equal(desk.summary.frames.in, 60);
  });
});

describe('a replay of a fixed camera over a table at which somebody works', function () {
  this.timeout(120_000);
  const folder = temporaryFolder();

  it('goes through and finds the table', async function () {
    const mug = await replayed(requireData(this, 'mug_moved_static_camera.mcap'), folder.path('mug'));
    assert.equal(mug.summary.frames.used, 129);
    const tables = mug.evaluation.supports.filter(({ kind, found }) => found && kind === 'table');
    assert.ok(tables.length >= 1, toldOf(mug));
  });
});
