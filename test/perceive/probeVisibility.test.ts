import assert from 'node:assert/strict';
import { buildCloudGrid } from '../../src/perceive/CloudGrid.js';
import type { Visibility } from '../../src/perceive/observations.js';
import { probeVisibility } from '../../src/perceive/probeVisibility.js';
import { downPicture, inRectangle } from '../fixtures/heightField.js';

/** The top of a thing 10 cm high and 20 cm wide at the map's origin: where it was seen. */
const SAMPLES = Float32Array.from(
  [-0.08, -0.04, 0, 0.04, 0.08].flatMap((x) => [-0.08, -0.04, 0, 0.04, 0.08].flatMap((y) => [x, y, 0.1])),
);

function look(
  heightAt: (x: number, y: number) => number,
  samples: Float32Array = SAMPLES,
): Visibility | undefined {
  const { image, camera, map_T_depth } = downPicture(heightAt, { size: [640, 480] });
  const grid = buildCloudGrid(image, camera, map_T_depth, 0.15, 6);
  return probeVisibility(grid, camera, map_T_depth, [{ key: 'cup_1', samples, height: 0.1 }]).get('cup_1');
}

const thing = (x: number, y: number): boolean => inRectangle(x, y, [0, 0, 0.2, 0.2]);

describe('probeVisibility', () => {
  it('finds the surface where it was', () => {
    assert.deepEqual(
      look((x, y) => (thing(x, y) ? 0.1 : 0)),
      { samples: 25, present: 25, clear: 0, occluded: 0 },
    );
  });

  it('sees through the place of what is gone', () => {
    assert.deepEqual(
      look(() => 0),
      { samples: 25, present: 0, clear: 25, occluded: 0 },
    );
  });

  it('sees nothing of the place behind something nearer', () => {
    assert.deepEqual(
      look(() => 0.5),
      { samples: 25, present: 0, clear: 0, occluded: 25 },
    );
  });

  it('takes a hole for nothing known: no reading clears a place', () => {
    assert.equal(
      look((x, y) => (thing(x, y) ? NaN : 0)),
      undefined,
    );
    const half = look((x, y) => (thing(x, y) && x > 0 ? NaN : 0));
    assert.ok(half && half.clear > 0 && half.clear <= 15, JSON.stringify(half));
  });

  it('says nothing of what lies outside the picture or behind the camera', () => {
    const moved = (dx: number, dz: number): Float32Array =>
      SAMPLES.map((value, k) => value + (k % 3 === 0 ? dx : k % 3 === 2 ? dz : 0));
    assert.equal(
      look(() => 0, moved(5, 0)),
      undefined,
    );
    assert.equal(
      look(() => 0, moved(0, 3)),
      undefined,
    );
  });

  it('forgives as much as noise and the thing’s height explain', () => {
    assert.equal(look((x, y) => (thing(x, y) ? 0.08 : 0))?.present, 25);
    assert.equal(look((x, y) => (thing(x, y) ? 0.04 : 0))?.clear, 25);
  });
});
