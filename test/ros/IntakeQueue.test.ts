import assert from 'node:assert/strict';
import { IntakeQueue } from '../../src/ros/IntakeQueue.js';

describe('IntakeQueue', () => {
  /*
   * arrives   c1 d1 tf1 c2 d2 c3 d3      two pictures of a stream may wait
   * dropped   c1 d1
   * taken           tf1 c2 d2 c3 d3
   */
  it('keeps the newest pictures of each stream in order and every transform', () => {
    const dropped: string[] = [];
    const queue = new IntakeQueue<string>(2, (item) => dropped.push(item));
    for (const item of ['c1', 'd1', 'tf1', 'c2', 'd2', 'c3', 'd3']) {
      queue.add(item, item.startsWith('tf') ? undefined : item.charAt(0));
    }
    assert.deepEqual(dropped, ['c1', 'd1']);
    assert.deepEqual(drain(queue), ['tf1', 'c2', 'd2', 'c3', 'd3']);
  });

  it('keeps the partner of the newest picture while one stream lags', () => {
    const queue = new IntakeQueue<string>(2, () => {});
    for (const item of ['c1', 'd1', 'c2', 'd2', 'c3']) queue.add(item, item.charAt(0));
    assert.deepEqual(drain(queue), ['d1', 'c2', 'd2', 'c3']);
  });

  function drain(queue: IntakeQueue<string>): string[] {
    const taken: string[] = [];
    for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
    return taken;
  }
});
