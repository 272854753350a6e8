import assert from 'node:assert/strict';
import sharp from 'sharp';
import { frameSvg } from '../../src/evaluate/frameSvg.js';
import { pictureScene } from '../../src/evaluate/pictureScene.js';
import { planSvg } from '../../src/evaluate/planSvg.js';
import type { Vec3 } from '../../src/math/types.js';
import { makeEntity, makeObject, makeResult, makeTruth, TABLE_TOP } from './fixtures.js';

const CUP: Vec3 = [0, 0, 0.75];

describe('pictureScene', () => {
  it('gives each thing the role that the score gives it', () => {
    const truth = makeTruth([makeObject('cup', CUP), makeObject('book', [0.5, 0, 0.75])], {
      ignore: [{ center: [-0.5, -0.5, 0.75], size: [0.2, 0.2, 0.2] }],
    });
    const entities = [
      TABLE_TOP,
      makeEntity('object_1', CUP),
      makeEntity('object_2', [-0.8, 0.8, 0.75]),
      makeEntity('object_3', [-0.5, -0.5, 0.75]),
      makeEntity('object_4', [0, 0, 0.1]),
    ];
    const drawn = pictureScene(makeResult(entities), truth).map(({ role, text }) => `${role} ${text}`.trim());
    assert.deepEqual(drawn.sort(), [
      'found cup',
      'ignore',
      'matched object_1',
      'missed book',
      'spurious object_2',
      'structure support_1',
      'unscored object_3',
      'unscored object_4',
    ]);
  });
});

describe('planSvg', () => {
  it('is a picture that can be drawn, also of nothing and of names that need escaping', async () => {
    const box = { center: CUP, size: [0.1, 0.2, 0.1] as Vec3, yaw: 0.5 };
    for (const boxes of [[], [{ role: 'found' as const, box, text: 'a<b>&"c"' }]]) {
      const { format, width } = await sharp(Buffer.from(planSvg(boxes, 'a & b'))).metadata();
      assert.equal(format, 'svg');
      assert.ok(width > 0);
    }
  });
});

describe('frameSvg', () => {
  // A camera at the origin that looks along +x: u to −y, v to −z, 100 px per unit of slope, 200 × 200 pixels.
  const project = ([x, y, z]: Vec3): [number, number] | undefined =>
    x <= 0 ? undefined : [100 - (100 * y) / x, 100 - (100 * z) / x];
  const draw = (center: Vec3): string =>
    frameSvg([{ role: 'missed', box: { center, size: [0.5, 0.5, 0.5], yaw: 0 }, text: 'cup' }], project, {
      width: 200,
      height: 200,
    });

  it('draws the twelve edges of a box in view', () => {
    assert.equal(draw([2, 0, 0]).match(/M[^L]*L/g)?.length, 12);
    // nearest upper left corner: (1.75, 0.25, 0.25) → 100 − 25/1.75
    assert.match(draw([2, 0, 0]), /85\.7 85\.7/);
  });

  it('leaves out what is behind the camera, half behind it, or outside the picture', () => {
    for (const center of [
      [-2, 0, 0],
      [0.1, 0, 0],
      [2, 5, 0],
    ] as Vec3[])
      assert.doesNotMatch(draw(center), /<path/);
  });
});
