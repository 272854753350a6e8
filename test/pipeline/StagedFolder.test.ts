import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { StagedFolder } from '../../src/pipeline/StagedFolder.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

describe('StagedFolder', () => {
  const temporary = temporaryFolder();

  it('shows nothing under its name before it is committed, and leaves nothing beside it after', async () => {
    const target = temporary.path('first/out');
    const folder = await StagedFolder.create(target, 'graph.json');
    await folder.write('graph.json', '{}');
    await folder.write('images/cup_1-1.jpg', new Uint8Array([1, 2]));
    assert.deepEqual(
      readdirSync(path.dirname(target)).filter((name) => !name.startsWith('.')),
      [],
    );
    await folder.commit();
    assert.deepEqual(readdirSync(path.dirname(target)), ['out']);
    assert.deepEqual([...readFileSync(path.join(target, 'images/cup_1-1.jpg'))], [1, 2]);
  });

  it('replaces an older folder of its kind as a whole', async () => {
    const target = temporary.path('second');
    for (const name of ['old.txt', 'new.txt']) {
      const folder = await StagedFolder.create(target, 'graph.json');
      await folder.write('graph.json', '{}');
      await folder.write(name, '');
      await folder.commit();
    }
    assert.deepEqual(readdirSync(target).sort(), ['graph.json', 'new.txt']);
  });

  it('refuses a folder that holds other things, and leaves it as it was', async () => {
    const target = temporary.path('photos');
    mkdirSync(target);
    writeFileSync(path.join(target, 'holiday.jpg'), 'x');
    await assert.rejects(StagedFolder.create(target, 'graph.json'), {
      name: 'StagedFolderError',
      message: /holds other files and is not replaced \(it has no graph\.json\)/,
    });
    assert.deepEqual(readdirSync(target), ['holiday.jpg']);
  });

  it('leaves what was there before when it is discarded', async () => {
    const target = temporary.path('third');
    const first = await StagedFolder.create(target, 'graph.json');
    await first.write('graph.json', 'first');
    await first.commit();
    const second = await StagedFolder.create(target, 'graph.json');
    await second.write('graph.json', 'second');
    await second.discard();
    assert.equal(readFileSync(path.join(target, 'graph.json'), 'utf8'), 'first');
    assert.deepEqual(
      readdirSync(path.dirname(target)).filter((name) => name.includes('third')),
      ['third'],
    );
  });
});
