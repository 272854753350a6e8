import assert from 'node:assert/strict';
import { qosText } from '../../src/recordings/qosText.js';
import { offeredQos } from '../../src/ros/offeredQos.js';

const DEFAULT = { reliability: 'reliable', durability: 'volatile', depth: 10 };

describe('offeredQos', () => {
  it('reads what our own recordings say', () => {
    assert.deepEqual(offeredQos('/tf_static', qosText({ depth: 1, isTransientLocal: true })), {
      reliability: 'reliable',
      durability: 'transient_local',
      depth: 1,
    });
    assert.deepEqual(offeredQos('/depth', qosText({ depth: 5, isTransientLocal: false })), {
      ...DEFAULT,
      depth: 5,
    });
  });

  it('reads policies as words too', () => {
    const text =
      '- history: keep_last\n  depth: 3\n  reliability: best_effort\n  durability: transient_local\n';
    assert.deepEqual(offeredQos('/map', text), {
      reliability: 'best_effort',
      durability: 'transient_local',
      depth: 3,
    });
  });

  it('offers reliable and volatile where publishers differed or nothing usable is said', () => {
    const mixed =
      '- {reliability: 1, durability: 2, depth: 1}\n- {reliability: 2, durability: 2, depth: 1}\n';
    for (const text of [mixed, '', 'no: list', '[{', '- 3'])
      assert.deepEqual(offeredQos('/depth', text), DEFAULT, text);
  });

  it('latches static transforms even where the recorder did not say so', () => {
    assert.equal(offeredQos('/robot/tf_static', '').durability, 'transient_local');
  });
});
