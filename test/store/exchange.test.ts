import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { canonicalHash } from '../../src/graph/canonicalHash.js';
import type { GraphState } from '../../src/graph/types.js';
import { runCommandLine } from '../../src/cli/runCommandLine.js';
import { fromJsonForm, toJsonForm } from '../../src/store/jsonForm.js';
import { pack, rowChanges, stateFromRows } from '../../src/store/stateRows.js';
import { StoreFile } from '../../src/store/StoreFile.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { arbitraryHistory, statesOf } from './arbitraryEvents.js';
import { everythingOf } from './everythingOf.js';

const PICTURE = Uint8Array.of(0xff, 0xd8, 0, 1, 2, 0xff, 0xd9);

function write(file: string, mapId: string, state: GraphState): void {
  const store = StoreFile.open(file, { mapId, mapFrame: 'map' });
  const views = [
    {
      ref: 'object_1',
      role: 'best',
      about: pack({ score: 0.5, moment: { epoch: 0, stamp: 7n } }),
      picture: PICTURE,
    },
  ];
  store.write({ ...rowChanges(undefined, state), views, revisionLimit: 12, position: null }, true);
  store.close();
}

function read(file: string, mapId: string): GraphState {
  const store = StoreFile.open(file, { mapId, mapFrame: 'map' });
  const { rows, views, revisionLimit } = store.load();
  assert.equal(revisionLimit, 12);
  assert.equal(views.length, 1);
  assert.deepEqual(Uint8Array.from(store.findPicture({ ref: 'object_1', role: 'best' }) ?? []), PICTURE);
  store.close();
  return stateFromRows(rows);
}

async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const told = { out: '', err: '' };
  const io = {
    out: (text: string) => void (told.out += text),
    warn: (text: string) => void (told.err += text),
  };
  return { code: await runCommandLine(args, io), ...told };
}

describe('a store on the command line', () => {
  const folder = temporaryFolder();
  let next = 0;

  it('comes back from export and import as it was, all graphs of it, with equal hashes', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryHistory, arbitraryHistory, async (a, b) => {
        const name = folder.path(`round-${next++}`);
        const states = [a, b].map((steps) => statesOf(steps).at(-1)!);
        states.forEach((state, k) => write(`${name}.db`, `map ${k}`, state));
        assert.equal((await run('export', `${name}.db`, '--out', `${name}.jsonl`)).code, 0);
        const imported = await run('import', `${name}.jsonl`, '--store', `${name}-2.db`);
        assert.deepEqual(imported, { code: 0, out: imported.out, err: '' });
        assert.match(imported.out, /map 'map 0'.*\n.*map 'map 1'/);
        for (const [k, state] of states.entries()) {
          const restored = read(`${name}-2.db`, `map ${k}`);
          assert.equal(canonicalHash(restored), canonicalHash(state));
          assert.deepEqual(everythingOf(restored), everythingOf(state));
        }
      }),
      { numRuns: 8 },
    );
  });

  it('is inspected without being changed', async () => {
    const file = folder.path('inspected.db');
    const [state] = statesOf([() => ({ kind: 'clock_jump' })]).slice(-1);
    write(file, 'kitchen', state);
    const bytes = readFileSync(file);
    const text = await run('inspect', file);
    assert.equal(text.code, 0, text.err);
    assert.match(text.out, /^version 1, \d+ bytes\n\nmap 'kitchen', frame 'map'\n {2}entities: 0\n/);
    assert.ok(text.out.includes(`  state_hash: ${canonicalHash(state)}\n`));
    assert.match(text.out, /Scene graph brief:\n {2}objects=0;/);
    const json = JSON.parse((await run('inspect', file, '--json')).out) as Record<string, unknown>;
    assert.equal(json['state_hash'], canonicalHash(state));
    assert.equal(json['views'], 1);
    assert.deepEqual(readFileSync(file), bytes);
  });

  it('refuses what it cannot use, and replaces nothing', async () => {
    const rubbish = folder.path('rubbish');
    writeFileSync(rubbish, 'rubbish'.repeat(100));
    const file = folder.path('there.db');
    write(file, '', statesOf([() => ({ kind: 'clock_jump' })])[0]);
    const exported = folder.path('there.jsonl');
    await run('export', file, '--out', exported);
    const refusals: [string[], RegExp][] = [
      [['inspect', rubbish], /the file is damaged or no store/],
      [['inspect', folder.path('nowhere.db')], /the store cannot be opened/],
      [['export', rubbish, '--out', folder.path('x')], /the file is damaged or no store/],
      [['export', file, '--out', exported], /exists and is not replaced/],
      [['import', exported, '--store', file], /has a graph of map '' in frame 'map' already/],
      [['import', rubbish, '--store', folder.path('y.db')], /line 1 is no JSON/],
      [['import', folder.path('nowhere'), '--store', folder.path('y.db')], /there is no file/],
    ];
    for (const [args, reason] of refusals) {
      const { code, err } = await run(...args);
      assert.equal(code, 1, args.join(' '));
      assert.match(err, reason);
    }
    assert.equal(readFileSync(rubbish, 'utf8'), 'rubbish'.repeat(100));
    assert.ok(!existsSync(folder.path('nowhere.db')) && !existsSync(folder.path('x')));
  });

  it('says that a running node has it', async () => {
    const file = folder.path('held.db');
    const store = StoreFile.open(file, { mapId: '', mapFrame: 'map' });
    const { code, err } = await run('inspect', file);
    assert.equal(code, 1);
    assert.match(err, /another process uses the store/);
    store.close();
  });
});

describe('jsonForm', () => {
  it('gives back any plain value, through JSON', () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.double(),
        fc.constantFrom(-0, NaN, Infinity, -Infinity, undefined, null, true),
        fc.string(),
        fc.bigInt(),
        fc.float64Array(),
        fc.float32Array(),
        fc.int32Array(),
        fc.uint8Array(),
        fc.array(tie('value')),
        fc.dictionary(
          fc.string().filter((key) => !['@', '__proto__'].includes(key)),
          tie('value'),
          { noNullPrototype: true },
        ),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        const back = fromJsonForm(JSON.parse(JSON.stringify(toJsonForm(given))));
        assert.deepStrictEqual(back, given);
      }),
    );
  });
});
