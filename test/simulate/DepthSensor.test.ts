import assert from 'node:assert/strict';
import {
  DEFAULT_DEPTH_SENSOR,
  DepthSensor,
  PERFECT_DEPTH_SENSOR,
  type DepthSensorParameters,
} from '../../src/simulate/DepthSensor.js';
import type { Rendering } from '../../src/simulate/SceneRenderer.js';

const WIDTH = 320;
const HEIGHT = 240;

/** A picture whose depth, incidence and reflectance are functions of the column. */
function picture(depthAt: (u: number) => number, incidence = 1, depthReturn = 255): Rendering {
  const count = WIDTH * HEIGHT;
  return {
    width: WIDTH,
    height: HEIGHT,
    rgb: new Uint8Array(0),
    depthM: Float32Array.from({ length: count }, (_, i) => depthAt(i % WIDTH)),
    instances: new Uint16Array(count),
    ids: [],
    incidence: new Float32Array(count).fill(incidence),
    depthReturn: new Uint8Array(count).fill(depthReturn),
  };
}

const noisy: DepthSensorParameters = { ...PERFECT_DEPTH_SENSOR, noiseScale: 1 };

function statistics(readings: Uint16Array): { mean: number; sigma: number; missing: number } {
  const values = [...readings].filter((mm) => mm > 0).map((mm) => mm / 1000);
  const mean = values.reduce((sum, z) => sum + z, 0) / values.length;
  const sigma = Math.sqrt(values.reduce((sum, z) => sum + (z - mean) ** 2, 0) / values.length);
  return { mean, sigma, missing: 1 - values.length / readings.length };
}

describe('DepthSensor', () => {
  it('without flaws only rounds to the millimetre', () => {
    const readings = new DepthSensor(PERFECT_DEPTH_SENSOR, 1).measure(
      picture((u) => 1 + u * 0.0013),
      0,
    );
    readings.forEach((mm, i) => assert.equal(mm, Math.round(1000 * Math.fround(1 + (i % WIDTH) * 0.0013))));
  });

  // σ(z) = 0.0012 + 0.0019·(z − 0.4)², worked out by hand.
  for (const [z, sigma] of [
    [0.6, 0.001276],
    [1.5, 0.003499],
    [2.5, 0.009579],
    [4, 0.025824],
  ] as const) {
    it(`spreads readings at ${z} m by ${(sigma * 1000).toFixed(1)} mm around the truth`, () => {
      const found = statistics(
        new DepthSensor(noisy, 3).measure(
          picture(() => z),
          0,
        ),
      );
      assert.ok(Math.abs(found.sigma - sigma) < 0.06 * sigma + 0.0001, `sigma ${found.sigma}`);
      assert.ok(Math.abs(found.mean - z) < 0.1 * sigma, `mean ${found.mean}`);
    });
  }

  it('keeps the same spread when disparity comes in steps, which far readings show', () => {
    const stepped = { ...noisy, disparity: { focalBaseline: 43, stepsPerPx: 8 } };
    const readings = new DepthSensor(stepped, 3).measure(
      picture(() => 2.5),
      0,
    );
    const { sigma } = statistics(readings);
    assert.ok(Math.abs(sigma - 0.009579) < 0.001, `sigma ${sigma}`);
    assert.ok(new Set(readings).size < 12, `${new Set(readings).size} different depths`);
  });

  it('draws new noise for each picture and the same for the same', () => {
    const sensor = new DepthSensor(DEFAULT_DEPTH_SENSOR, 3);
    const view = picture(() => 2);
    const first = sensor.measure(view, 7);
    assert.deepEqual(new DepthSensor(DEFAULT_DEPTH_SENSOR, 3).measure(view, 7), first);
    const next = sensor.measure(view, 8);
    const same = next.filter((mm, i) => mm === first[i]).length;
    assert.ok(same < 0.2 * next.length, `${same} equal readings`);
    assert.notDeepEqual(new DepthSensor(DEFAULT_DEPTH_SENSOR, 4).measure(view, 7), first);
  });

  it('reads nothing out of range, nothing where nothing stands', () => {
    const sensor = new DepthSensor({ ...PERFECT_DEPTH_SENSOR, minM: 0.3, maxM: 6 }, 1);
    for (const z of [0.29, 6.01, NaN])
      assert.equal(
        statistics(
          sensor.measure(
            picture(() => z),
            0,
          ),
        ).missing,
        1,
      );
    assert.equal(
      statistics(
        sensor.measure(
          picture(() => 5.99),
          0,
        ),
      ).missing,
      0,
    );
  });

  it('loses grazing and dark surfaces in part', () => {
    const sensor = new DepthSensor({ ...PERFECT_DEPTH_SENSOR, grazingCos: 0.2 }, 1);
    const missing = (incidence: number, depthReturn: number): number =>
      statistics(
        sensor.measure(
          picture(() => 2, incidence, depthReturn),
          0,
        ),
      ).missing;
    assert.equal(missing(0.21, 255), 0);
    assert.ok(Math.abs(missing(0.1, 255) - 0.5) < 0.02);
    assert.ok(Math.abs(missing(1, 51) - 0.8) < 0.02);
  });

  it('at an edge, and only there, drops readings or lets them float between near and far', () => {
    const sensor = new DepthSensor({ ...PERFECT_DEPTH_SENSOR, edgeHoleShare: 0.3, edgeFlyingShare: 0.3 }, 1);
    const readings = sensor.measure(
      picture((u) => (u < 160 ? 1 : 2)),
      0,
    );
    const outcome = { missing: 0, flying: 0, kept: 0 };
    readings.forEach((mm, i) => {
      const u = i % WIDTH;
      const truth = u < 160 ? 1000 : 2000;
      if (u !== 159 && u !== 160) assert.equal(mm, truth, `column ${u}`);
      else if (mm === 0) outcome.missing++;
      else if (mm === truth) outcome.kept++;
      else {
        assert.ok(mm >= 1000 && mm <= 2000, `${mm} mm`);
        outcome.flying++;
      }
    });
    assert.ok(
      Math.abs(outcome.missing - 144) < 40 && Math.abs(outcome.flying - 144) < 40,
      JSON.stringify(outcome),
    );
  });

  it('punches round holes', () => {
    const sensor = new DepthSensor({ ...PERFECT_DEPTH_SENSOR, blobsPerFrame: 4 }, 1);
    const shares = Array.from(
      { length: 20 },
      (_, k) =>
        statistics(
          sensor.measure(
            picture(() => 2),
            k,
          ),
        ).missing,
    );
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    // Four discs of about 2.3 pixels radius among 76,800 pixels.
    assert.ok(mean > 0.0003 && mean < 0.003, `${mean}`);
  });
});
