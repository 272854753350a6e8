import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { startThread } from '../../src/threads/startThread.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';

describe('startThread', () => {
  const folder = temporaryFolder();

  it('runs sources with what they are given', async () => {
    const type = 'type Figures = { a: number; b: number };';
    const code = `import { parentPort, workerData } from 'node:worker_threads'; ${type}
      const { a, b } = workerData as Figures; parentPort?.postMessage(a * b);`;
    writeFileSync(folder.path('package.json'), '{"type": "module"}');
    writeFileSync(folder.path('product.ts'), code);
    const entry = pathToFileURL(folder.path('product'));
    const worker = startThread(entry, { workerData: { a: 6, b: 7 } });
    assert.deepEqual(await once(worker, 'message'), [42]);
  });

  it('tells as an error what the thread throws', async () => {
    writeFileSync(folder.path('broken.ts'), `throw new Error('as written');`);
    const worker = startThread(pathToFileURL(folder.path('broken')), {});
    const [error] = (await once(worker, 'error')) as [Error];
    assert.match(error.message, /as written/);
  });
});
