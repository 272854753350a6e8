import assert from 'node:assert/strict';
import { frameStatus } from '../../src/ros/diagnostics.js';

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
