import assert from 'node:assert/strict';
import { frameStatus, LEVEL, storeStatus } from '../../src/ros/diagnostics.js';

describe('the frames’ status', () => {
  /*
   * received 20   before the pipeline: 3 newer_arrived, 1 malformed_message, 2 wait
   *               in the pipeline:     9 used, 2 no_frame, 1 malformed_message, 2 wait
   */
  it('tells what became of each depth picture, before the pipeline and in it', () => {
    const before = { received: 20, pending: 2, dropped: { newer_arrived: 3, malformed_message: 1 } };
    const within = { framesUsed: 9, framesPending: 2, dropped: { no_frame: 2, malformed_message: 1 } };
    const { values, message } = frameStatus(before, within);
    assert.equal(message, 'frames are used');
    assert.deepEqual(values, {
      received: '20',
      used: '9',
      pending: '4',
      dropped_newer_arrived: '3',
      dropped_malformed_message: '2',
      dropped_no_frame: '2',
    });
    const { received, ...parts } = values;
    const sum = Object.values(parts).reduce((total, count) => total + Number(count), 0);
    assert.equal(String(sum), received);
  });
});

describe('the store’s status', () => {
  it('says that there is none, that all is well, and what became of an unreadable file', () => {
    assert.equal(storeStatus(undefined).message, 'memory only: store.path is empty');
    assert.deepEqual(
      [storeStatus(undefined).level, storeStatus({ state: 'ok', reason: '', notes: [] }).level],
      [0, 0],
    );
    const note = 'the stored graph could not be read; its file was set aside as scene.db.unreadable-1';
    const { level, message } = storeStatus({ state: 'ok', reason: '', notes: [note] });
    assert.deepEqual({ level, message }, { level: LEVEL.warn, message: note });
  });

  it('is an error, with the reason, while nothing can be written', () => {
    for (const state of ['failing', 'unavailable'] as const) {
      const { level, message } = storeStatus({ state, reason: 'the disk is full', notes: ['a note'] });
      assert.equal(level, LEVEL.error);
      assert.equal(message, `${state}: the disk is full; confirmed executions are refused`);
    }
  });
});
