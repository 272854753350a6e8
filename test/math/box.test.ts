import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  boxCorners,
  boxGap,
  boxIou,
  boxVolume,
  containsPoint,
  footprint,
  footprintArea,
  footprintOverlapArea,
  intersectionVolume,
  wrapAngle,
} from '../../src/math/box.js';
import { polygonArea } from '../../src/math/polygon.js';
import type { Box } from '../../src/math/types.js';
import { arbitraryBox } from '../fixtures/arbitraries.js';

const unit = (x: number, y: number, z: number, yaw = 0): Box => ({ center: [x, y, z], size: [1, 1, 1], yaw });
const near = (actual: number, expected: number, tolerance = 1e-9): void => {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
};

describe('gravity-aligned boxes', () => {
  it('have counter-clockwise footprints with the box’s area', () => {
    fc.assert(fc.property(arbitraryBox(), (box) => near(polygonArea(footprint(box)), footprintArea(box))));
  });

  it('contain their corners and nothing a little further out', () => {
    fc.assert(
      fc.property(arbitraryBox(), (box) => {
        for (const corner of boxCorners(box)) {
          assert.ok(containsPoint(box, corner, 1e-9));
          assert.ok(!containsPoint(box, corner, -1e-6));
        }
      }),
    );
  });

  it('overlap themselves wholly', () => {
    fc.assert(
      fc.property(arbitraryBox(), (box) => {
        near(footprintOverlapArea(box, box), footprintArea(box));
        near(intersectionVolume(box, box), boxVolume(box));
        near(boxIou(box, box), 1);
        assert.equal(boxGap(box, box), 0);
      }),
    );
  });

  it('measure gap and overlap alike from both sides', () => {
    fc.assert(
      fc.property(arbitraryBox(), arbitraryBox(), (a, b) => {
        near(boxGap(a, b), boxGap(b, a));
        near(footprintOverlapArea(a, b), footprintOverlapArea(b, a));
        const iou = boxIou(a, b);
        assert.ok(iou >= 0 && iou <= 1 + 1e-9);
        if (boxGap(a, b) > 1e-9) near(intersectionVolume(a, b), 0);
      }),
    );
  });

  it('overlap by the area that counting grid points finds', () => {
    fc.assert(
      fc.property(arbitraryBox(), arbitraryBox(), (a, b) => {
        const cell = 0.05;
        let counted = 0;
        for (let x = -4; x < 4; x += cell) {
          for (let y = -4; y < 4; y += cell) {
            const inA = containsPoint(a, [x, y, a.center[2]]);
            if (inA && containsPoint(b, [x, y, b.center[2]])) counted++;
          }
        }
        near(footprintOverlapArea(a, b), counted * cell * cell, 0.35);
      }),
      { numRuns: 20 },
    );
  });

  //   ┌──┐ 0.5 ┌──┐        ┌──┐
  //   │a │<--->│b │        │c │ 0.3 to the right and 0.4 above a: 0.5 in all
  //   └──┘     └──┘   ┌──┐ 0.4
  //                   │a │0.3
  it('are apart by the distance between their nearest parts', () => {
    near(boxGap(unit(0, 0, 0), unit(1.5, 0, 0)), 0.5);
    near(boxGap(unit(0, 0, 0), unit(1.3, 0, 1.4)), 0.5);
    near(boxGap(unit(0, 0, 0), unit(0, 0, 1.25)), 0.25);
    // Turned by 45° the corner reaches 0.7071 towards the other.
    near(boxGap(unit(0, 0, 0, Math.PI / 4), unit(2, 0, 0)), 1.5 - Math.SQRT1_2);
    // A plus sign: no corner of one lies in the other, and still they overlap.
    const bar: Box = { center: [0, 0, 0], size: [4, 0.2, 1], yaw: 0 };
    assert.equal(boxGap(bar, { ...bar, yaw: Math.PI / 2 }), 0);
    near(footprintOverlapArea(bar, { ...bar, yaw: Math.PI / 2 }), 0.04);
  });

  it('overlap by half when moved by half', () => {
    near(boxIou(unit(0, 0, 0), unit(0.5, 0, 0)), 1 / 3);
    near(intersectionVolume(unit(0, 0, 0), unit(0.5, 0, 0.5)), 0.25);
  });
});

describe('wrapAngle', () => {
  it('keeps the direction and stays in (−π, π]', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (angle) => {
        const wrapped = wrapAngle(angle);
        assert.ok(wrapped > -Math.PI && wrapped <= Math.PI);
        near(Math.cos(wrapped), Math.cos(angle));
        near(Math.sin(wrapped), Math.sin(angle));
      }),
    );
    assert.equal(wrapAngle(-Math.PI), Math.PI);
  });
});
