import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ColorView, RgbdFrame } from '../../src/camera/RgbdFrame.js';
import type { Detection } from '../../src/camera/Detection.js';
import { createEmbedder } from '../../src/detect/createEmbedder.js';
import { createOnnxDetector } from '../../src/detect/createOnnxDetector.js';
import type { Detector } from '../../src/detect/Detector.js';
import { parseTruth, type Truth } from '../../src/evaluate/truth.js';
import { makeBench } from '../fixtures/assemble.js';
import { framesOf } from '../fixtures/framesOf.js';
import { requireData } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { describedModel } from './modelFolder.js';
import { isFound, shownObjects } from './shownObjects.js';

/** Share of the frames in which each network finds an object, and boxes a frame, as the models' README has them. */
const PUBLISHED: Record<string, { boxes: number; found: Record<string, number> }> = {
  yolox_nano_416: {
    boxes: 4.9,
    found: { cup_white: 0.98, cup_flower: 0.48, magazine_daedalus: 0.57, magazine_pioneer: 0.53, laptop: 0 },
  },
  yolox_nano_480x640: {
    boxes: 5.0,
    found: { cup_white: 0.97, cup_flower: 0.77, magazine_daedalus: 0.57, magazine_pioneer: 0.22, laptop: 0 },
  },
  nanodet_m_416: {
    boxes: 6.8,
    found: { cup_white: 1, cup_flower: 0.63, magazine_daedalus: 0.86, magazine_pioneer: 0.38 },
  },
  fastestdet_352: {
    boxes: 7.5,
    found: { cup_white: 0.97, cup_flower: 0.79, magazine_daedalus: 0.93, magazine_pioneer: 0.84 },
  },
  yolov8n_seg_int8_320: {
    boxes: 4.8,
    found: { cup_white: 0.98, cup_flower: 0.55, magazine_daedalus: 0.5, magazine_pioneer: 0.15 },
  },
};

/** Each fourth frame: a tenth to a quarter of a share either way is chance among about fifteen. */
const EVERY = 4;
const TOLERANCE = 0.25;

describe('models on a recording', function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let frames: (RgbdFrame & { readonly color: ColorView })[] = [];
  let truth: Truth;

  before(async function () {
    const path = requireData(this, 'desk_7scenes_short.mcap');
    truth = parseTruth(JSON.parse(readFileSync(path.replace(/\.mcap$/, '.truth.json'), 'utf8')));
    mkdirSync(folder.path('models'));
    let count = 0;
    for await (const frame of framesOf(path, makeBench())) {
      if (count++ % EVERY === 0 && frame.color) frames.push({ ...frame, color: frame.color });
    }
  });

  after(() => {
    frames = [];
  });

  const open = async (test: Mocha.Context, name: string): Promise<Detector> => {
    const made = await createOnnxDetector(describedModel(test, folder.path('models'), name));
    assert.ok(made.ok, JSON.stringify(made));
    return made.value;
  };

  for (const [name, published] of Object.entries(PUBLISHED)) {
    it(`${name} finds what its README says`, async function () {
      const detector = await open(this, name);
      const seen = new Map<string, boolean[]>();
      let boxes = 0;
      for (const frame of frames) {
        const detections = await detector.detect(frame);
        boxes += detections.length;
        detections.forEach((detection) => assertInside(detection, frame));
        for (const shown of shownObjects(frame, truth)) {
          const { id } = shown.object;
          seen.set(id, [...(seen.get(id) ?? []), isFound(shown, detections)]);
        }
      }
      await detector.close();
      for (const [id, share] of Object.entries(published.found)) {
        const found = seen.get(id) ?? [];
        assert.ok(found.length >= 8, `${id} is shown in ${found.length} frames`);
        const ours = found.filter(Boolean).length / found.length;
        assert.ok(Math.abs(ours - share) <= (share > 0.96 ? 0.1 : TOLERANCE), `${id}: ${ours}, not ${share}`);
      }
      assert.ok(
        Math.abs(boxes / frames.length - published.boxes) < 1,
        `${boxes / frames.length} boxes a frame`,
      );
    });
  }

  it('gives silhouettes that fill most of a cup’s box and not all of it', async function () {
    const detector = await open(this, 'yolov8n_seg_int8_320');
    const shares: number[] = [];
    for (const frame of frames.slice(0, 8)) {
      for (const { label, mask } of await detector.detect(frame)) {
        if (label !== 'cup') continue;
        assert.ok(mask, 'a cup has a mask');
        shares.push(mask.data.reduce((sum, inside) => sum + inside, 0) / mask.data.length);
      }
    }
    await detector.close();
    assert.ok(shares.length >= 3);
    for (const share of shares) assert.ok(share > 0.4 && share < 0.98, `${share} of the box`);
  });

  it('answers the same picture with the same numbers, in the order of the calls, and never on the event loop', async function () {
    const detector = await open(this, 'yolov8n_seg_int8_320');
    const [first, second] = frames;
    assert.ok(first && second);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    const begun = performance.now();
    delay.enable();
    const [a, b, again] = await Promise.all([first, second, first].map((frame) => detector.detect(frame)));
    delay.disable();
    const worked = performance.now() - begun;
    await detector.close();
    assert.deepEqual(again, a);
    assert.notDeepEqual(b, a);
    // Three pictures one after the other on this thread would hold it for a third of the time at once.
    assert.ok(delay.max / 1e6 < worked / 4, `held for ${delay.max / 1e6} of ${worked} ms`);
  });

  it('says nothing of a frame without colour, and refuses after it was closed', async function () {
    const detector = await open(this, 'fastestdet_352');
    const [frame] = frames;
    assert.ok(frame);
    assert.deepEqual(await detector.detect({ ...frame, color: undefined }), []);
    const waiting = assert.rejects(detector.detect(frame), /closed/);
    await detector.close();
    await waiting;
    await assert.rejects(detector.detect(frame), /closed/);
  });

  it('falls back to the CPU from a provider that cannot be had, and says so', async function () {
    const path = describedModel(this, folder.path('models'), 'fastestdet_352');
    const made = await createOnnxDetector(path, { providers: ['no_such', 'cpu'], threads: 2 });
    assert.ok(made.ok);
    assert.equal(made.value.notes.length, 1);
    assert.match(made.value.notes[0] ?? '', /no_such.*cpu is used instead/);
    assert.ok((await made.value.detect(frames[0])).length > 0);
    await made.value.close();
  });

  it('embeds crops so that those of one object are alike: area under the curve near 0.94', async function () {
    const path = describedModel(this, folder.path('models'), 'yolox_nano_backbone_embed_128');
    const made = await createEmbedder(path);
    assert.ok(made.ok, JSON.stringify(made));
    const crops: { id: string; vector: Float32Array }[] = [];
    for (const frame of frames) {
      const shown = shownObjects(frame, truth).filter(({ object }) => !object.coarse);
      const vectors = await made.value.embed(
        frame.color.image,
        shown.map(({ box }) => box),
      );
      vectors.forEach((vector, i) => crops.push({ id: shown[i]?.object.id ?? '', vector }));
    }
    await made.value.close();
    const same: number[] = [];
    const other: number[] = [];
    crops.forEach((a, i) => {
      assert.ok(Math.abs(dot(a.vector, a.vector) - 1) < 1e-3);
      for (const b of crops.slice(i + 1)) (a.id === b.id ? same : other).push(dot(a.vector, b.vector));
    });
    const area = areaUnderCurve(same, other);
    assert.ok(area > 0.88 && area < 1, `area ${area}, of ${same.length} and ${other.length} pairs`);
  });
});

function assertInside({ box: [x0, y0, x1, y1], score, mask }: Detection, { color }: RgbdFrame): void {
  assert.ok(score >= 0.3 && score <= 1);
  assert.ok(color && 0 <= x0 && x0 < x1 && x1 <= color.image.width && 0 <= y0 && y0 < y1);
  assert.ok(y1 <= color.image.height);
  if (!mask) return;
  assert.equal(mask.data.length, mask.width * mask.height);
  assert.ok(mask.u0 >= 0 && mask.u0 + mask.width <= color.image.width);
  assert.ok(mask.v0 >= 0 && mask.v0 + mask.height <= color.image.height);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

/** Chance that a value of the one kind is above one of the other. */
function areaUnderCurve(above: readonly number[], below: readonly number[]): number {
  const sorted = Float64Array.from(below).sort();
  const rank = (value: number): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  return above.reduce((sum, value) => sum + rank(value), 0) / (above.length * below.length);
}
