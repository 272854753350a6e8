import assert from 'node:assert/strict';
import type { Brief, ObjectBrief } from '../../src/protocol/index.js';
import { isBriefChange } from '../../src/ros/briefChange.js';

const CUP: ObjectBrief = { ref: 'cup_1', coarsePosition: [1, 2, 3], confidence: 0.9, freshness: 'current' };

function brief(change: Partial<Brief> = {}, cup: Partial<ObjectBrief> = {}): Brief {
  return {
    objects: [{ ...CUP, ...cup }],
    robot: { pose: [0, 0, 0, 0] },
    freshness: 'current',
    provenance: 'rgbd_scene_graph',
    coordinateFrame: 'map',
    revision: 1,
    perception: { state: 'ok' },
    ...change,
  };
}

describe('isBriefChange', () => {
  const changes: Readonly<Record<string, Brief>> = {
    'another ref': brief({}, { ref: 'cup_2' }),
    'one more': brief({ objects: [CUP, { ...CUP, ref: 'cup_2' }] }),
    'a position by more than a centimetre': brief({}, { coarsePosition: [1, 2, 3.011] }),
    'a freshness': brief({}, { freshness: 'recent' }),
    'a label': brief({}, { label: 'mug' }),
    'a container state': brief({}, { containerState: 'open' }),
    'what is inside': brief({}, { contents: ['spoon_1'] }),
    'what is held': brief({ robot: { pose: [0, 0, 0, 0], holding: ['cup_1'] } }),
    'the state of perception': brief({ perception: { state: 'blind' } }),
    staleness: brief({ freshness: 'stale' }),
  };
  for (const [what, after] of Object.entries(changes)) {
    it(`sees ${what}`, () => assert.equal(isBriefChange(brief(), after, 0.01), true));
  }

  const noise: Readonly<Record<string, Brief>> = {
    'a revision': brief({ revision: 2 }),
    'a position by less': brief({}, { coarsePosition: [1, 2, 3.009] }),
    'a drifting confidence': brief({}, { confidence: 0.91 }),
    'the robot that drives': brief({ robot: { pose: [5, 0, 0, 0] } }),
  };
  for (const [what, after] of Object.entries(noise)) {
    it(`leaves ${what} to the periodic Brief`, () =>
      assert.equal(isBriefChange(brief(), after, 0.01), false));
  }
});
