import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { replayFile } from '../../src/cli/replayCommand.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulate } from '../../src/simulate/simulate.js';
import { stateFromRows } from '../../src/store/stateRows.js';
import { StoreFile } from '../../src/store/StoreFile.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { everythingOf } from '../store/everythingOf.js';

/** A replay that is stopped and goes on from the store is the same as one that was never stopped. */

describe('a replay that is kept in a store', function () {
  this.timeout(240_000);
  this.slow(20_000);
  const folder = temporaryFolder();
  const warnings: string[] = [];
  const io = { out: () => {}, warn: (text: string) => void warnings.push(text) };
  let bag = '';
  before(async () => {
    bag = folder.path('cups.mcap');
    await simulate(scriptNamed('two_cups', { seed: 3, durationS: 8 }), { out: bag });
  });
  beforeEach(() => warnings.splice(0));

  interface Span {
    readonly fromS?: number;
    readonly toS?: number;
  }

  /** @returns the graph that the replay wrote. */
  async function replayed(
    recording: string,
    name: string,
    span: Span,
    store = '',
  ): Promise<Record<string, unknown>> {
    const { parameters } = parametersFromFlat({ 'store.path': store });
    const out = folder.path(name);
    await replayFile(recording, out, parameters, { overrides: {}, span }, io);
    return JSON.parse(readFileSync(`${out}/graph.json`, 'utf8')) as Record<string, unknown>;
  }

  /** All of the stored state, to the last bit. */
  function storedIn(file: string): unknown {
    const store = StoreFile.open(file, { mapId: '', mapFrame: 'map' });
    const { rows } = store.load();
    store.close();
    return everythingOf(stateFromRows(rows));
  }

  function imagesIn(name: string): Record<string, string> {
    const images = readdirSync(folder.path(`${name}/images`)).sort();
    return Object.fromEntries(images.map((image) => [image, hashOf(folder.path(`${name}/images/${image}`))]));
  }

  it('goes on from wherever it was stopped, to the state of the uninterrupted run, bit by bit', async () => {
    const whole = await replayed(bag, 'whole', {}, folder.path('whole.db'));
    for (const [k, stops] of [[0.05], [3.337], [1.7, 2.01, 5.5, 5.51]].entries()) {
      const file = folder.path(`parts-${k}.db`);
      let part: Record<string, unknown> = {};
      for (const [n, toS] of [...stops, undefined].entries()) {
        const fromS = stops[n - 1];
        const span = { ...(fromS !== undefined && { fromS }), ...(toS !== undefined && { toS }) };
        part = await replayed(bag, `part-${k}-${n}`, span, file);
      }
      assert.deepEqual(warnings, []);
      assert.equal(part['state_hash'], whole['state_hash'], `stopped at ${stops.join(', ')} s`);
      assert.deepEqual(storedIn(file), storedIn(folder.path('whole.db')));
      assert.deepEqual(imagesIn(`part-${k}-${stops.length}`), imagesIn('whole'));
    }
  });

  it('is the run without a store, where it is never stopped', async () => {
    const without = await replayed(bag, 'without', {});
    const kept = await replayed(bag, 'kept', {}, folder.path('kept.db'));
    assert.deepEqual(kept, without);
  });

  it('begins a new epoch where it does not go on at the moment of its stop, and says so', async () => {
    const file = folder.path('again.db');
    const first = await replayed(bag, 'first', { toS: 4 }, file);
    const second = await replayed(bag, 'second', { fromS: 2 }, file);
    assert.match(warnings.join(), /a new epoch begins/);
    const refs = (graph: Record<string, unknown>): string[] =>
      (graph['entities'] as { ref: string }[]).map(({ ref }) => ref);
    assert.ok(Number(second['revision']) > Number(first['revision']));
    assert.ok(refs(first).length > 2);
    for (const ref of refs(first)) assert.ok(refs(second).includes(ref), `${ref} is not known again`);
  });

  it('goes on in a recording of a real desk, too', async function () {
    const desk = requireData(this, 'desk_7scenes_short.mcap');
    const whole = await replayed(desk, 'desk', {}, folder.path('desk.db'));
    const file = folder.path('desk-parts.db');
    await replayed(desk, 'desk-1', { toS: 3.21 }, file);
    const part = await replayed(desk, 'desk-2', { fromS: 3.21 }, file);
    assert.equal(part['state_hash'], whole['state_hash']);
    assert.deepEqual(storedIn(file), storedIn(folder.path('desk.db')));
  });
});

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
