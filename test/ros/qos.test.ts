import assert from 'node:assert/strict';
import { chooseQos, describeMismatch } from '../../src/ros/qos.js';
import type { PublisherInfo } from '../../src/ros/rosTypes.js';

function publisher(reliability: 'reliable' | 'best_effort', durability = 'volatile'): PublisherInfo {
  return {
    node_name: 'camera',
    node_namespace: '/',
    topic_type: 'sensor_msgs/msg/Image',
    qos_profile: {
      reliability: reliability === 'reliable' ? 1 : 2,
      durability: durability === 'transient_local' ? 1 : 2,
      depth: 5,
    },
  };
}

const AUTO = { reliability: 'auto', durability: 'volatile', depth: 2 } as const;
const LATCHED = { reliability: 'auto', durability: 'auto', depth: 100 } as const;

describe('chooseQos', () => {
  it('asks best effort while nobody publishes, so that any publisher matches', () => {
    assert.equal(chooseQos(AUTO, []).reliability, 'best_effort');
  });

  it('asks reliable when every publisher offers it', () => {
    assert.equal(chooseQos(AUTO, [publisher('reliable'), publisher('reliable')]).reliability, 'reliable');
  });

  it('asks best effort when one publisher offers no more', () => {
    assert.equal(
      chooseQos(AUTO, [publisher('reliable'), publisher('best_effort')]).reliability,
      'best_effort',
    );
  });

  it('keeps to what the user has set', () => {
    const wish = { ...AUTO, reliability: 'reliable' } as const;
    assert.equal(chooseQos(wish, [publisher('best_effort')]).reliability, 'reliable');
  });

  it('gives latching up only when nobody latches', () => {
    assert.equal(chooseQos(LATCHED, []).durability, 'transient_local');
    assert.equal(chooseQos(LATCHED, [publisher('reliable')]).durability, 'volatile');
    const mixed = [publisher('reliable'), publisher('reliable', 'transient_local')];
    assert.equal(chooseQos(LATCHED, mixed).durability, 'transient_local');
  });
});

describe('describeMismatch', () => {
  it('C38 names an incompatible pair with both profiles', () => {
    const asked = { reliability: 'reliable', durability: 'transient_local', depth: 1 } as const;
    assert.equal(
      describeMismatch(asked, publisher('best_effort')),
      'asked reliable/transient_local, offered best_effort/volatile',
    );
    assert.equal(describeMismatch(asked, publisher('reliable', 'transient_local')), undefined);
  });
});
