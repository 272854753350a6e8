import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Detection } from '../../src/camera/Detection.js';
import type { RgbdFrame } from '../../src/camera/RgbdFrame.js';
import { boxTop } from '../../src/math/box.js';
import type { FrameObservation, ObjectObservation } from '../../src/perceive/observations.js';
import { perceive } from '../../src/perceive/perceive.js';
import { at, book, can, carton, mug } from '../../src/simulate/things.js';
import type { FrameTruth } from '../../src/simulate/Simulation.js';
import { perfectDetections } from '../fixtures/perfectDetections.js';
import { defaultPerception, NOTHING_KNOWN, TABLE_THINGS, tableLook, TABLE_Z } from '../fixtures/tableLook.js';
import { withReadings } from '../fixtures/withReadings.js';

const YELLOW = [
  [226, 176, 52],
  [190, 48, 40],
] as const;

function see(frame: RgbdFrame, detections?: readonly Detection[]): FrameObservation {
  return perceive(detections ? { ...frame, detections } : frame, NOTHING_KNOWN, defaultPerception());
}

function onTable({ objects }: FrameObservation): ObjectObservation[] {
  return objects.filter(({ box }) => boxTop(box) > TABLE_Z - 0.005);
}

function offCentre(observation: ObjectObservation, truth: FrameTruth, id: string): number {
  const { center } = truth.boxes.get(id)!;
  return Math.hypot(observation.box.center[0] - center[0], observation.box.center[1] - center[1]);
}

describe('perceive with what a detector names', () => {
  const ids = new Set(TABLE_THINGS.map(({ id }) => id));

  it('names every thing on a table once, where it is, by boxes and by masks, with a noisy sensor too', () => {
    for (const isNoisy of [false, true])
      for (const withMasks of [false, true]) {
        const { frame, truth } = tableLook(TABLE_THINGS, { isNoisy });
        const seen = onTable(see(frame, perfectDetections(truth, 320, ids, { withMasks })));
        for (const { id } of TABLE_THINGS) {
          const named = seen.filter(({ label }) => label === id);
          assert.equal(named.length, 1, `${id}, noisy: ${isNoisy}, masks: ${withMasks}`);
          assert.equal(named[0].labelScore, 0.8);
          assert.ok(offCentre(named[0], truth, id) < 0.06, `${id}: ${offCentre(named[0], truth, id)} m off`);
        }
        const nameless = seen.filter(({ label }) => label === undefined);
        assert.deepEqual(
          nameless.map(({ box }) => box.center),
          [],
          `noisy: ${isNoisy}, masks: ${withMasks}`,
        );
      }
  });

  it('parts by silhouettes that have no name, names none, and makes no thing of the table’s own', () => {
    const cartons = [-0.06, 0.06].map((x, k) =>
      carton(`carton_${k}`, at(x, 0, TABLE_Z), [0.12, 0.08, 0.12], YELLOW),
    );
    const { frame, truth } = tableLook(cartons);
    assert.equal(onTable(see(frame)).length, 1, 'to depth the two are one');
    const every = new Set([...cartons.map(({ id }) => id), 'table', 'floor']);
    const silhouettes = perfectDetections(truth, 320, every, { withMasks: true });
    const seen = onTable(
      see(
        frame,
        silhouettes.map(({ box, mask, score }) => ({ box, mask, score })),
      ),
    );
    assert.equal(seen.length, 2);
    for (const { id } of cartons)
      assert.ok(
        seen.some((one) => offCentre(one, truth, id) < 0.03),
        id,
      );
    assert.deepEqual(
      seen.map(({ label, labelScore }) => [label, labelScore]),
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
  });

  it('leaves the geometry of a piece that agrees with a detection as it was', () => {
    const { frame, truth } = tableLook([can('can', at(0, 0, TABLE_Z), [178, 40, 44])]);
    const [bare] = onTable(see(frame));
    const [named] = onTable(see(frame, perfectDetections(truth, 320, new Set(['can']))));
    const { label, labelScore, ...geometry } = named;
    assert.equal(label, 'can');
    assert.equal(labelScore, 0.8);
    assert.deepEqual(geometry, bare);
  });

  // The look:  (cup)(cup)  side by side without a gap: depth alone sees one thing.
  it('parts one piece by two detections', () => {
    const cups = [
      can('left', at(-0.04, 0, TABLE_Z), [200, 60, 50], 0.04, 0.1),
      can('right', at(0.04, 0, TABLE_Z), [60, 80, 200], 0.04, 0.1),
    ];
    const { frame, truth } = tableLook(cups, { isNoisy: true });
    assert.equal(onTable(see(frame)).length, 1, 'depth alone cannot part them');
    const seen = onTable(see(frame, perfectDetections(truth, 320, new Set(['left', 'right']))));
    assert.deepEqual(seen.map(({ label }) => label).sort(), ['left', 'right']);
    for (const observation of seen)
      assert.ok(offCentre(observation, truth, observation.label!) < 0.03, observation.label);
  });

  it('joins the pieces that one detection spans', () => {
    const { frame, truth } = tableLook([mug('mug', at(0, 0, TABLE_Z, 2.2), [60, 96, 168])]);
    const detections = perfectDetections(truth, 320, new Set(['mug']));
    // A stripe without depth, as a shiny band gives: two pieces.
    const [u0, v0, u1, v1] = detections[0].box;
    const row = Math.round((v0 + v1) / 2);
    const cut = withReadings(frame, (depthM) => {
      for (let v = row - 2; v <= row + 2; v++) for (let u = u0; u <= u1; u++) depthM[v * 320 + u] = NaN;
      return depthM;
    });
    assert.ok(onTable(see(cut)).length > 1, 'depth alone sees two pieces');
    const seen = onTable(see(cut, detections));
    assert.deepEqual(
      seen.map(({ label }) => label),
      ['mug'],
    );
  });

  it('makes a thing of a magazine that the table took in', () => {
    const magazine = book('magazine', at(0.1, 0, TABLE_Z, 0.2), [0.28, 0.2, 0.004], [40, 70, 120]);
    const { frame, truth } = tableLook([magazine], { isNoisy: true });
    assert.equal(onTable(see(frame)).length, 0, 'depth alone does not see it');
    const [seen, ...others] = onTable(see(frame, perfectDetections(truth, 320, new Set(['magazine']))));
    assert.equal(seen.label, 'magazine');
    assert.deepEqual(others, []);
    assert.ok(offCentre(seen, truth, 'magazine') < 0.02);
    assert.ok(seen.box.size[0] > 0.18 && seen.box.size[0] < 0.33, `${seen.box.size.join(' × ')}`);
  });

  it('makes nothing where a cup is named and only the table was measured: depth looks through glass', () => {
    const { frame } = tableLook([]);
    const glass: Detection = { label: 'cup', score: 0.9, box: [140, 110, 170, 150] };
    assert.deepEqual(onTable(see(frame, [glass])), []);
  });

  it('makes no box beside a table that is named', () => {
    const { frame, truth } = tableLook(TABLE_THINGS, { isNoisy: true });
    const bare = see(frame);
    const table = perfectDetections(truth, 320, new Set(['table'])).map((d) => ({
      ...d,
      label: 'dining table',
    }));
    assert.equal(table.length, 1);
    assert.deepEqual(see(frame, table).objects, bare.objects);
  });

  it('names, but does not make or part, by a detection that is unsure', () => {
    const { frame, truth } = tableLook([can('can', at(0, 0, TABLE_Z), [178, 40, 44])]);
    const detections = perfectDetections(truth, 320, new Set(['can']), { score: 0.2 });
    assert.deepEqual(
      onTable(see(frame, detections)).map(({ label }) => label),
      ['can'],
    );
    const unsure: Detection = { label: 'book', score: 0.2, box: [60, 120, 100, 150] };
    assert.deepEqual(see(frame, [unsure]).objects, see(frame).objects);
    const surer = { ...unsure, score: 0.1 };
    assert.deepEqual(see(frame, [{ ...detections[0], score: 0.1 }, surer]).objects, see(frame).objects);
  });

  it('gives the pixels of a cup in front of a carton to the cup', () => {
    const things = [
      can('cup', at(0, -0.1, TABLE_Z), [200, 60, 50], 0.04, 0.09),
      carton('carton', at(0, 0.05, TABLE_Z), [0.3, 0.1, 0.25], YELLOW),
    ];
    const { frame, truth } = tableLook(things, { isNoisy: true });
    const seen = onTable(see(frame, perfectDetections(truth, 320, new Set(['cup', 'carton']))));
    assert.deepEqual(seen.map(({ label }) => label).sort(), ['carton', 'cup']);
    for (const { label, box } of seen) {
      const widest = Math.max(box.size[0], box.size[1]);
      assert.ok(label === 'cup' ? widest < 0.12 : widest > 0.25, `${label}: ${box.size.join(' × ')}`);
    }
  });

  it('works through a colour camera in a place and with an opening of its own', () => {
    const depth = { offset: [0, -0.05, 0.02], width: 424, height: 240, horizontalFov: 1.2 } as const;
    const { frame, truth } = tableLook(TABLE_THINGS, { size: [640, 480], isNoisy: true, depth });
    const color = frame.color!;
    assert.notDeepEqual(color.map_T_color, frame.map_T_depth);
    const other = tableLook(TABLE_THINGS, { size: [640, 480] });
    const seen = onTable(see(frame, perfectDetections(other.truth, 640, ids)));
    for (const { id } of TABLE_THINGS) {
      const named = seen.filter(({ label }) => label === id);
      assert.equal(named.length, 1, id);
      assert.ok(offCentre(named[0], truth, id) < 0.07, `${id}: ${offCentre(named[0], truth, id)} m off`);
    }
  });

  const pixel = fc.integer({ min: -20, max: 340 });
  const anyDetection: fc.Arbitrary<Detection> = fc.record({
    label: fc.constantFrom('cup', 'book', 'dining table', 'thing'),
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    box: fc.tuple(pixel, pixel, pixel, pixel),
  });

  it('puts each pixel into at most one observation and makes up no label, whatever is named', () => {
    const { frame } = tableLook(TABLE_THINGS, { isNoisy: true });
    const bare = see(frame);
    const total = bare.objects.reduce((sum, { pixelCount }) => sum + pixelCount, 0);
    assert.ok(total > 0);
    fc.assert(
      fc.property(fc.array(anyDetection, { maxLength: 12 }), (detections) => {
        const seen = see(frame, detections);
        const points = new Set<string>();
        for (const { points: xyz, label, labelScore } of seen.objects) {
          for (let k = 0; k < xyz.length; k += 3) {
            const key = `${xyz[k]} ${xyz[k + 1]} ${xyz[k + 2]}`;
            assert.ok(!points.has(key), 'a point is in two observations');
            points.add(key);
          }
          if (label === undefined) continue;
          assert.ok(detections.some((d) => d.label === label && d.score === labelScore));
        }
        const named = seen.objects.filter(({ label }) => label !== undefined);
        assert.ok(named.length <= detections.length);
      }),
      { numRuns: 40, seed: 3 },
    );
  });
});
