import assert from 'node:assert/strict';
import type { Worker } from 'node:worker_threads';
import { ModelThread, startModelWorker, type ModelTask } from '../../src/detect/ModelThread.js';
import { readDescription } from '../../src/detect/readDescription.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { describedModel } from './modelFolder.js';

describe('ModelThread', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  const image: ModelTask['image'] = { width: 4, height: 3, data: new Uint8Array(36).fill(90) };

  it('fails what a dying thread was asked, and starts another for the next picture', async function () {
    const description = readDescription(describedModel(this, folder.path('.'), 'fastestdet_352'));
    assert.ok(description.ok);
    const workers: Worker[] = [];
    const opened = await ModelThread.open({ description: description.value, options: {} }, (start) => {
      const worker = startModelWorker(start);
      workers.push(worker);
      return worker;
    });
    assert.ok(opened.ok, JSON.stringify(opened));
    const thread = opened.value;

    const lost = [thread.ask({ image }), thread.ask({ image })];
    const rejected = Promise.all(lost.map((open) => assert.rejects(open, /thread ended with code/)));
    await workers[0]?.terminate();
    await rejected;

    assert.equal((await thread.ask({ image })).kind, 'detections');
    assert.equal((await thread.ask({ image })).kind, 'detections');
    assert.equal(workers.length, 2);
    await thread.close();
    await assert.rejects(thread.ask({ image }), /closed/);
    assert.equal(workers.length, 2);
  });
});
