import assert from 'node:assert/strict';
import { Counters, type Report } from '../../src/pipeline/Counters.js';

describe('Counters', () => {
  it('report each cause of each stream once and count every time', () => {
    const reports: Report[] = [];
    const counters = new Counters((report) => reports.push(report));
    for (let index = 0; index < 50; index++) {
      counters.receive('tf');
      counters.refuse('tf', 'nan_input', `number ${index}`);
    }
    counters.refuse('odom', 'nan_input', 'other stream');
    counters.refuse('tf', 'zero_stamp', 'other cause');
    counters.warn('tf', 'leading_slash', 'used all the same');
    assert.deepEqual(
      reports.map(({ stream, cause, detail, kind }) => [stream, cause, detail, kind]),
      [
        ['tf', 'nan_input', 'number 0', 'refused'],
        ['odom', 'nan_input', 'other stream', 'refused'],
        ['tf', 'zero_stamp', 'other cause', 'refused'],
        ['tf', 'leading_slash', 'used all the same', 'warning'],
      ],
    );
    assert.deepEqual(counters.streams, {
      tf: { received: 50, refused: { nan_input: 50, zero_stamp: 1 } },
      odom: { received: 0, refused: { nan_input: 1 } },
    });
    assert.equal(counters.lastReport('odom')?.detail, 'other stream');
    assert.equal(counters.lastReport('depth'), undefined);
  });

  it('report a dropped frame once, and not at all when its stream has told already', () => {
    const reports: Report[] = [];
    const counters = new Counters((report) => reports.push(report));
    counters.frameIn();
    counters.frameIn();
    counters.frameUsed();
    counters.dropFrame('queue_full', 'a');
    counters.dropFrame('queue_full', 'b');
    counters.dropFrame('zero_stamp', 'c', true);
    assert.deepEqual(counters.frames, { in: 2, used: 1, dropped: { queue_full: 2, zero_stamp: 1 } });
    assert.deepEqual(
      reports.map(({ stream, detail }) => `${stream} ${detail}`),
      ['frame a'],
    );
  });
});
