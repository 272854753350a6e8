import assert from 'node:assert/strict';
import { CameraInfoCache } from '../../src/camera/CameraInfoCache.js';
import { at, goodInfo } from '../fixtures/goodPair.js';

function infoAt(seconds: number, fx: number): ReturnType<typeof goodInfo> {
  return goodInfo({ stamp: at(seconds), K: [fx, 0, 31.5, 0, fx, 23.5, 0, 0, 1] });
}

describe('CameraInfoCache', () => {
  it('gives a picture the info whose stamp is nearest', () => {
    const cache = new CameraInfoCache();
    for (const [seconds, fx] of [
      [10, 60],
      [11, 61],
      [12, 62],
    ] as const)
      cache.add('cam', infoAt(seconds, fx));
    for (const [seconds, fx] of [
      [9, 60],
      [10.4, 60],
      [10.6, 61],
      [99, 62],
    ] as const) {
      const camera = cache.find('cam', at(seconds));
      assert.ok(camera.ok && camera.value.fx === fx, `at ${seconds}`);
    }
  });

  it('takes the later of two infos of one stamp', () => {
    const cache = new CameraInfoCache();
    cache.add('cam', infoAt(10, 60));
    cache.add('cam', infoAt(10, 70));
    const camera = cache.find('cam', at(10));
    assert.ok(camera.ok && camera.value.fx === 70);
  });

  it('hands out the same object as long as the calibration stays the same', () => {
    const cache = new CameraInfoCache();
    cache.add('cam', infoAt(10, 60));
    const first = cache.find('cam', at(10));
    for (let second = 11; second < 60; second++) cache.add('cam', infoAt(second, 60));
    const later = cache.find('cam', at(59));
    assert.ok(first.ok && later.ok && first.value === later.value);
  });

  it('C22 keeps frames apart and names those it knows', () => {
    const cache = new CameraInfoCache();
    cache.add('left', infoAt(10, 60));
    cache.add('right', infoAt(10, 90));
    const left = cache.find('left', at(10));
    assert.ok(left.ok && left.value.fx === 60);
    const none = cache.find('top', at(10));
    assert.ok(!none.ok && none.cause === 'no_camera_info');
    assert.match(none.detail, /"top".*"left" "right"/);
  });
});
