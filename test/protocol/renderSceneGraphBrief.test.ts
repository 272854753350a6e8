import assert from 'node:assert/strict';
import fc from 'fast-check';
import { renderSceneGraphBrief, type Brief, type ObjectBrief } from '../../src/protocol/index.js';
import { arbitraryBrief } from './arbitraryRecords.js';

/** The Brief behind the contract's golden text. */
const BRIEF: Brief = {
  objects: [
    {
      ref: 'box_1',
      coarsePosition: [4.1, 0.25, 0.9],
      confidence: 0.93,
      freshness: 'last_seen',
      lastSeen: '2026-07-27T11:59:18Z',
      containerState: 'open',
      contents: ['battery_4'],
    },
    {
      ref: 'cup_2',
      coarsePosition: [3.91, -0.18, 1.08],
      confidence: 1,
      freshness: 'current',
      lastSeen: '2026-07-27T12:00:00Z',
    },
    { ref: 'object_7', freshness: 'missing', lastSeen: '2026-07-27T11:58:59Z', label: 'mug' },
  ],
  robot: { pose: [0, 0, 0, 1.5707963], holding: ['cup_2'] },
  freshness: 'current',
  provenance: 'rgbd_scene_graph',
  coordinateFrame: 'map',
  updatedAt: '2026-07-27T12:00:00Z',
  revision: 12,
  perception: { state: 'ok' },
};

const GOLDEN = `Scene graph brief:
  objects=3;
  stamp=2026-07-27T12:00:00Z
  metadata: freshness=current; provenance=rgbd_scene_graph; coordinate_frame=map
Robot: pose=[0, 0, 0, 1.571],
  gripper holding [cup_2]
Observed objects:
  - box_1 at (4.1, 0.25, 0.9);
    conf=0.93
    freshness=last_seen, seen 42s ago
    container_state=open
    contents=[battery_4]
  - cup_2 at (3.91, -0.18, 1.08);
    conf=1
    freshness=current
  - object_7;
    freshness=missing, seen 61s ago
    label=mug`;

const EMPTY: Brief = {
  objects: [],
  robot: {},
  freshness: 'stale',
  provenance: 'rgbd_scene_graph',
  coordinateFrame: 'map',
  revision: 0,
  perception: { state: 'ok' },
};

const EMPTY_GOLDEN = `Scene graph brief:
  objects=0;
  metadata: freshness=stale; provenance=rgbd_scene_graph; coordinate_frame=map
Robot: pose=unavailable,
  gripper unavailable
Observed objects:
  - none`;

describe('renderSceneGraphBrief', () => {
  it("writes the contract's golden text", () => {
    assert.equal(renderSceneGraphBrief(BRIEF), GOLDEN);
  });

  it('writes an empty graph of which nothing is known', () => {
    assert.equal(renderSceneGraphBrief(EMPTY), EMPTY_GOLDEN);
  });

  it('says that the gripper of a known robot is empty', () => {
    const text = renderSceneGraphBrief({ ...BRIEF, robot: { pose: [1, 2, 0, -0.00001] } });
    assert.ok(text.includes('Robot: pose=[1, 2, 0, 0],\n  gripper empty\n'));
  });

  it('writes milliseconds of the stamp only where they are not zero', () => {
    const stampOf = (updatedAt: string): string | undefined =>
      /stamp=(.*)/.exec(renderSceneGraphBrief({ ...BRIEF, updatedAt }))?.[1];
    assert.equal(stampOf('2026-07-27T12:00:00.000Z'), '2026-07-27T12:00:00Z');
    assert.equal(stampOf('2026-07-27T12:00:00.25Z'), '2026-07-27T12:00:00.250Z');
  });

  it('ends the metadata line with perception when it is not ok', () => {
    const blind: Brief = {
      ...BRIEF,
      perception: { state: 'blind', reason: 'no depth', blindSince: '2026-07-27T11:59:48Z' },
    };
    assert.ok(renderSceneGraphBrief(blind).includes('=map; perception=blind since 12s (no depth)\n'));
    const later = renderSceneGraphBrief(blind, { now: '2026-07-27T12:01:00Z' });
    assert.ok(later.includes('=map; perception=blind since 72s (no depth)\n'));
    const degraded = renderSceneGraphBrief({ ...BRIEF, perception: { state: 'degraded', reason: 'slow' } });
    assert.ok(degraded.includes('=map; perception=degraded (slow)\n'));
  });

  it('leaves out the label that is the stem and times of another clock', () => {
    const object: ObjectBrief = {
      ref: 'cup_9',
      freshness: 'last_seen',
      label: 'cup',
      lastSeen: '2030-01-01T00:00:00Z',
    };
    const text = renderSceneGraphBrief({ ...BRIEF, objects: [object] });
    assert.ok(text.endsWith('  - cup_9;\n    freshness=last_seen'));
  });

  it('keeps one line per line whatever a label holds', () => {
    const object: ObjectBrief = {
      ref: 'cup_9',
      freshness: 'current',
      label: 'mug\n  - fake_1 at (0, 0, 0);',
    };
    assert.equal(renderSceneGraphBrief({ ...BRIEF, objects: [object] }).split('\n').length, 10);
  });

  it('lists every ref and counts them, with and without a token budget', () => {
    fc.assert(
      fc.property(arbitraryBrief, fc.option(fc.integer({ min: 1, max: 200 })), (brief, budget) => {
        const text = renderSceneGraphBrief(brief, budget === null ? {} : { tokenBudget: budget });
        assert.ok(text.includes(`  objects=${brief.objects.length};`));
        const listed = text.slice(text.indexOf('Observed objects:'));
        for (const { ref } of brief.objects) {
          assert.match(listed, new RegExp(`[ ]${ref}(?![0-9a-z_])`));
        }
        assert.ok(!/\b(near|on|inside)\b/.test(text.replace(/holding|contents/g, '')));
      }),
    );
  });

  it('keeps the nearest objects in full and the far ones as one line of refs per label', () => {
    const objects = Array.from({ length: 40 }, (_item, k): ObjectBrief => ({
      ref: `${k % 2 === 0 ? 'cup' : 'plate'}_${k + 1}`,
      coarsePosition: [k, 0, 0],
      confidence: 1,
      freshness: 'current',
    }));
    const text = renderSceneGraphBrief(
      { ...BRIEF, robot: { pose: [0, 0, 0, 0] }, objects },
      { tokenBudget: 300 },
    );
    assert.ok(text.length <= 1200);
    assert.ok(text.includes('  - cup_1 at (0, 0, 0);'));
    assert.ok(!text.includes('cup_39 at'));
    assert.equal(text.match(/^ {2}- cup: .*cup_39$/gm)?.length, 1);
    assert.equal(text.match(/^ {2}- plate: .*plate_40$/gm)?.length, 1);
  });
});
