import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Detection } from '../../src/camera/Detection.js';
import { overlap, suppressOverlaps } from '../../src/detect/suppressOverlaps.js';

const itself = (detection: Detection): Detection => detection;
const detections = fc.array(
  fc
    .tuple(
      fc.constantFrom('cup', 'book'),
      fc.nat(10),
      fc.nat(20),
      fc.nat(20),
      fc.integer({ min: 1, max: 20 }),
    )
    .map(([label, tenths, x, y, side]): Detection => ({
      label,
      score: tenths / 10,
      box: [x, y, x + side, y + side],
    })),
);

describe('suppressOverlaps', () => {
  it('measures the overlap of two boxes: 2x1 shared of 4 + 4 - 2', () => {
    assert.equal(overlap([0, 0, 2, 2], [0, 1, 2, 3]), 2 / 6);
    assert.equal(overlap([0, 0, 2, 2], [2, 0, 4, 2]), 0);
  });

  it('keeps the surer of two cups in one place, and the book that lies there too', () => {
    const cup: Detection = { label: 'cup', score: 0.9, box: [0, 0, 10, 10] };
    const again: Detection = { label: 'cup', score: 0.8, box: [1, 0, 11, 10] };
    const book: Detection = { label: 'book', score: 0.7, box: [0, 0, 10, 10] };
    assert.deepEqual(suppressOverlaps([again, book, cup], itself, 0.5), [cup, book]);
    assert.deepEqual(suppressOverlaps([again, book, cup], itself, 1), [cup, again, book]);
  });

  it('keeps a set in which nothing overlaps, and drops only what a surer one of its label covers', () => {
    fc.assert(
      fc.property(detections, (all) => {
        const kept = suppressOverlaps(all, itself, 0.5);
        const covers = (a: Detection, b: Detection): boolean =>
          a.label === b.label && overlap(a.box, b.box) > 0.5;
        kept.forEach((a, i) => kept.slice(i + 1).forEach((b) => assert.ok(!covers(a, b))));
        for (const gone of all.filter((one) => !kept.includes(one)))
          assert.ok(kept.some((stayer) => covers(stayer, gone) && stayer.score >= gone.score));
        assert.deepEqual(suppressOverlaps(kept, itself, 0.5), kept, 'again changes nothing');
      }),
    );
  });
});
