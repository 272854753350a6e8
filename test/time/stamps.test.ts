import assert from 'node:assert/strict';
import fc from 'fast-check';
import { RestartWatch } from '../../src/time/RestartWatch.js';
import { StampGate } from '../../src/time/StampGate.js';
import {
  durationFromSeconds,
  isoFromStamp,
  rosTimeFromStamp,
  secondsFromDuration,
  stampFromRosTime,
} from '../../src/time/Stamp.js';
import { at } from '../fixtures/goodPair.js';

describe('Stamp', () => {
  it('survives the way through a ROS time, negative ones included', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 31n) * 1_000_000_000n, max: 2n ** 61n }), (stamp) => {
        const time = rosTimeFromStamp(stamp);
        assert.ok(time.nanosec >= 0 && time.nanosec < 1e9);
        assert.equal(stampFromRosTime(time), stamp);
      }),
    );
  });

  it('converts durations to the nanosecond and to seconds', () => {
    assert.equal(durationFromSeconds(0.05), 50_000_000n);
    assert.equal(secondsFromDuration(-1_500_000_000n), -1.5);
    assert.equal(isoFromStamp(1_700_000_000_250_000_000n), '2023-11-14T22:13:20.250Z');
    assert.equal(isoFromStamp(1_700_000_000_000_000_000n), '2023-11-14T22:13:20Z');
  });
});

describe('StampGate', () => {
  it('C32 C35 lets only rising stamps above zero pass', () => {
    const gate = new StampGate();
    const answers = [0n, -1n, 5n, 5n, 4n, 6n].map((stamp) => gate.refuse(stamp));
    assert.deepEqual(answers, [
      'zero_stamp',
      'zero_stamp',
      undefined,
      'duplicate_stamp',
      'out_of_order_stamp',
      undefined,
    ]);
    gate.reset();
    assert.equal(gate.refuse(1n), undefined);
  });
});

describe('RestartWatch', () => {
  it('believes one sensor that goes back', () => {
    const watch = new RestartWatch(durationFromSeconds(0.5));
    assert.equal(watch.observeSensor('depth', at(100)), undefined);
    assert.equal(watch.observeSensor('color', at(99)), undefined, 'another stream may lag');
    assert.deepEqual(watch.observeSensor('depth', at(50)), { from: at(100), to: at(50) });
    assert.equal(watch.observeSensor('color', at(50)), undefined, 'told once');
  });

  it('knows the newest stamp of any sensor, and after a restart that of the new time', () => {
    const watch = new RestartWatch(durationFromSeconds(0.5));
    assert.equal(watch.newestSensor, undefined);
    watch.observeSensor('depth', at(100));
    watch.observeSensor('odom', at(99.9));
    watch.observeSensor('odom', 0n);
    assert.equal(watch.newestSensor, at(100));
    watch.observeSensor('depth', at(3));
    assert.equal(watch.newestSensor, at(3));
    watch.reset();
    assert.equal(watch.newestSensor, undefined);
  });
});
