import assert from 'node:assert/strict';
import { StageTimings } from '../../src/pipeline/StageTimings.js';

describe('StageTimings', () => {
  it('summarises each stage by count, mean, nearest-rank percentiles and maximum', () => {
    const timings = new StageTimings();
    for (let ms = 100; ms >= 1; ms--) timings.add('decode', ms);
    timings.add('associate', 4);
    assert.deepEqual(timings.summary(), {
      decode: { count: 100, mean: 50.5, p50: 50, p95: 95, max: 100 },
      associate: { count: 1, mean: 4, p50: 4, p95: 4, max: 4 },
    });
  });

  it('counts a step that throws and passes the error on', async () => {
    const timings = new StageTimings();
    assert.throws(() => timings.time('decode', () => JSON.parse('{') as unknown), SyntaxError);
    await assert.rejects(
      timings.timeAsync('decode', () => Promise.reject(new Error('late'))),
      /late/,
    );
    assert.equal(timings.summary()['decode']?.count, 2);
  });

  it('keeps count, mean and maximum over all samples, percentiles over the newest', () => {
    const timings = new StageTimings();
    timings.add('decode', 1000);
    for (let i = 0; i < 10_000; i++) timings.add('decode', 1);
    const { count, max, p95, mean } = timings.summary()['decode'];
    assert.deepEqual([count, max, p95], [10_001, 1000, 1]);
    assert.ok(Math.abs(mean - 11_000 / 10_001) < 1e-9);
  });
});
