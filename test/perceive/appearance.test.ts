import assert from 'node:assert/strict';
import fc from 'fast-check';
import { APPEARANCE_BINS, appearanceOf, ColorLookup } from '../../src/perceive/appearance.js';
import { ALIKE, likeness, UNLIKE } from '../../src/perceive/likeness.js';
import type { Rgb } from '../../src/simulate/Scene.js';
import { assertClose } from '../fixtures/assertClose.js';
import { cellAt, downPicture, gridOf } from '../fixtures/heightField.js';

const PICTURE = downPicture(() => 0);
const GRID = gridOf(PICTURE);
const ALL = Int32Array.from(GRID.depth.keys());

function lookup(color: (u: number) => Rgb): ColorLookup {
  const { width, height } = PICTURE.image;
  const data = new Uint8Array(3 * width * height);
  for (let i = 0; i < width * height; i++) data.set(color(i % width).map(Math.round), 3 * i);
  return new ColorLookup({
    image: { width, height, data },
    camera: PICTURE.camera,
    map_T_color: PICTURE.map_T_depth,
  });
}

function lookOf(color: Rgb): Float32Array {
  const look = appearanceOf(
    GRID,
    ALL,
    lookup(() => color),
  );
  assert.ok(look);
  return look;
}

describe('appearanceOf', () => {
  it('is a histogram that adds up to 1', () => {
    const channel = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(channel, channel, channel, (r, g, b) => {
        const look = lookOf([r, g, b]);
        assert.equal(look.length, APPEARANCE_BINS);
        assertClose([look.reduce((sum, share) => sum + share, 0)], [1], 1e-5);
      }),
      { numRuns: 40 },
    );
  });

  it('tells red from blue and white, and knows red again in half the light', () => {
    const red = lookOf([180, 40, 40]);
    assert.ok((likeness(red, lookOf([40, 60, 180])) ?? 1) < UNLIKE);
    assert.ok((likeness(red, lookOf([220, 220, 215])) ?? 1) < UNLIKE);
    assert.ok((likeness(red, lookOf([95, 22, 21])) ?? 0) >= ALIKE);
  });

  it('looks at the pixels that show the piece', () => {
    const colors = lookup((u) => (u < 160 ? [180, 40, 40] : [40, 60, 180]));
    const left = ALL.filter((i) => i % 320 < 150);
    const right = ALL.filter((i) => i % 320 >= 170);
    const [a, b] = [left, right].map((piece) => appearanceOf(GRID, piece, colors));
    assert.equal(likeness(a, lookOf([180, 40, 40])), 1);
    assert.equal(likeness(a, b), 0);
  });

  it('is undefined where the colour picture shows nothing of the piece', () => {
    const aside = { ...PICTURE.map_T_depth, translation: [9, 0, 1.2] as const };
    const { width, height } = PICTURE.image;
    const colors = new ColorLookup({
      image: { width, height, data: new Uint8Array(3 * width * height) },
      camera: PICTURE.camera,
      map_T_color: aside,
    });
    assert.equal(appearanceOf(GRID, ALL, colors), undefined);
    assert.equal(colors.offsetOf(9, 0, 3), -1, 'behind the camera');
    assert.equal(colors.offsetOf(9, 0, 0), 3 * (120 * 320 + 160));
    assert.equal(cellAt(GRID, 0, 0), 120 * 320 + 160);
  });
});

describe('likeness', () => {
  const histogram = fc
    .array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 18, maxLength: 18 })
    .filter((values) => values.reduce((a, b) => a + b, 0) > 0.1)
    .map((values) => {
      const sum = values.reduce((a, b) => a + b, 0);
      return Float32Array.from(values, (value) => value / sum);
    });

  it('is symmetric, within [0, 1], and 1 for the same', () => {
    fc.assert(
      fc.property(histogram, histogram, (a, b) => {
        const alike = likeness(a, b) ?? NaN;
        assert.equal(alike, likeness(b, a));
        assert.ok(alike >= 0 && alike <= 1);
        assertClose([likeness(a, a) ?? NaN], [1], 1e-5);
      }),
    );
  });

  it('is undefined when one of them is unknown or of another make', () => {
    assert.equal(likeness(undefined, Float32Array.of(1)), undefined);
    assert.equal(likeness(Float32Array.of(1), undefined), undefined);
    assert.equal(likeness(Float32Array.of(1), Float32Array.of(0.5, 0.5)), undefined);
  });
});
