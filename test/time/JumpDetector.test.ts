import assert from 'node:assert/strict';
import { steadyClock } from '../../src/time/Clock.js';
import { JumpDetector } from '../../src/time/JumpDetector.js';
import { durationFromSeconds } from '../../src/time/Stamp.js';
import { at } from '../fixtures/goodPair.js';

describe('JumpDetector', () => {
  it('C31 takes micro steps back for jitter, however often they come', () => {
    const detector = new JumpDetector(durationFromSeconds(0.1));
    for (let index = 0; index < 1000; index++) {
      assert.equal(detector.observe(at(100.0001)), undefined);
      assert.equal(detector.observe(at(100.000015)), undefined);
    }
    assert.equal(detector.newest, at(100.0001), 'time does not run backwards');
  });

  it('reports a step back of the threshold and more, once', () => {
    const detector = new JumpDetector(durationFromSeconds(0.1));
    detector.observe(at(100));
    assert.equal(detector.observe(at(99.901)), undefined);
    assert.deepEqual(detector.observe(at(99.9)), { from: at(100), to: at(99.9) });
    assert.equal(detector.observe(at(99.95)), undefined);
  });

  it('does not mind small steps back that add up slowly while time goes on', () => {
    const detector = new JumpDetector(durationFromSeconds(0.1));
    for (let index = 0; index < 100; index++) {
      assert.equal(detector.observe(at(10 + index)), undefined);
      assert.equal(detector.observe(at(10 + index - 0.09)), undefined);
    }
  });

  it('knows nothing after a reset', () => {
    const detector = new JumpDetector(durationFromSeconds(0.1));
    detector.observe(at(100));
    detector.reset();
    assert.equal(detector.observe(at(1)), undefined);
  });
});

describe('steadyClock', () => {
  it('never goes back', () => {
    const first = steadyClock.now();
    assert.ok(steadyClock.now() >= first);
  });
});
