import assert from 'node:assert/strict';
import { briefDiff } from '../../src/cli/briefDiff.js';
import type { Brief, ObjectBrief } from '../../src/protocol/index.js';

function makeBrief(objects: readonly ObjectBrief[], holding: readonly string[] = []): Brief {
  return {
    objects,
    robot: { pose: [0, 0, 0, 0], ...(holding.length > 0 && { holding }) },
    freshness: 'current',
    provenance: 'rgbd_scene_graph',
    coordinateFrame: 'map',
    updatedAt: '2026-07-27T12:00:00Z',
    revision: 1,
    perception: { state: 'ok' },
  };
}

const CUP: ObjectBrief = {
  ref: 'cup_1',
  coarsePosition: [1, 2, 0.75],
  confidence: 0.5,
  freshness: 'current',
};

describe('briefDiff', () => {
  it('shows everything at first, one line for each object', () => {
    assert.deepEqual(briefDiff(undefined, makeBrief([CUP])), [
      '+ cup_1 at (1, 2, 0.75); conf=0.5 freshness=current',
    ]);
  });

  it('is empty while positions and confidences settle and things pass in and out of view', () => {
    const settled = {
      ...CUP,
      coarsePosition: [1.01, 2, 0.75],
      confidence: 0.9,
      freshness: 'recent' as const,
    };
    assert.deepEqual(briefDiff(makeBrief([CUP]), makeBrief([settled])), []);
  });

  it('shows changed words, new and gone objects, and what the robot holds', () => {
    const before = makeBrief([CUP, { ...CUP, ref: 'cup_2' }]);
    const after = makeBrief(
      [
        { ...CUP, freshness: 'missing', lastSeen: '2026-07-27T11:59:55Z' },
        { ...CUP, ref: 'cup_3' },
      ],
      ['cup_3'],
    );
    assert.deepEqual(briefDiff(before, after), [
      '~ cup_1 at (1, 2, 0.75); conf=0.5 freshness=missing, seen 5s ago',
      '+ cup_3 at (1, 2, 0.75); conf=0.5 freshness=current',
      '- cup_2',
      '~ robot holding [cup_3]',
    ]);
  });
});
