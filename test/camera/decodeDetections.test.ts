import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeDetections, type DecodedDetections } from '../../src/camera/decodeDetections.js';
import { decodeInstances } from '../../src/camera/decodeInstances.js';
import type { Detection2D, RawImage } from '../../src/input/messages.js';
import { aDetection, anInstanceImage, detectionsMessage } from '../fixtures/detectionMessages.js';
import { at } from '../fixtures/goodPair.js';

const PICTURE = { width: 64, height: 48 };

function told(detections: readonly Detection2D[] | undefined, instances?: RawImage): DecodedDetections {
  return decodeDetections(
    {
      ...(detections && { detections: detectionsMessage(detections).detections }),
      ...(instances && { instances }),
    },
    PICTURE,
    (classId) => (/^\d+$/.test(classId) ? undefined : classId),
  );
}

const causes = ({ problems }: DecodedDetections): string[] => problems.map(({ cause }) => cause);
const inside = (u0: number, v0: number, u1: number, v1: number) => (u: number, v: number) =>
  u >= u0 && u < u1 && v >= v0 && v < v1;

describe('boxes of another node', () => {
  it('become detections in pixels, the surest first', () => {
    const sure = aDetection({
      hypotheses: [{ classId: 'bowl', score: 0.9 }],
      center: [50, 40],
      size: [10, 6],
    });
    const { detections, problems } = told([aDetection(), sure]);
    assert.deepEqual(detections, [
      { label: 'bowl', score: 0.9, box: [45, 37, 55, 43] },
      { label: 'cup', score: 0.75, box: [10, 8, 30, 24] },
    ]);
    assert.deepEqual(problems, []);
  });

  it('are nothing seen when there are none, which is not nobody looked', () => {
    assert.deepEqual(told([]), { detections: [], problems: [] });
    assert.equal(told(undefined).detections, undefined);
  });

  it('take the surest of several guesses', () => {
    const guesses = [0.2, 0.6, 0.1].map((score) => ({ classId: `thing at ${score}`, score }));
    assert.equal(told([aDetection({ hypotheses: guesses })]).detections?.[0].label, 'thing at 0.6');
  });

  it('are cut at the edge of the picture', () => {
    const cut = told([aDetection({ center: [2, 47], size: [10, 10] })]);
    assert.deepEqual(cut.detections?.[0].box, [0, 42, 7, 48]);
  });

  it('that are turned become the upright rectangle around them', () => {
    const turned = (theta: number) => told([aDetection({ theta })]).detections?.[0].box.map(Math.round);
    assert.deepEqual(turned(Math.PI / 2), [12, 6, 28, 26]);
    const half = Math.round((20 + 16) / 2 / Math.SQRT2);
    assert.deepEqual(turned(Math.PI / 4), [20 - half, 16 - half, 20 + half, 16 + half]);
  });

  const refused: Record<string, [Partial<Detection2D>, string]> = {
    'a centre that is no number': [{ center: [NaN, 3] }, 'nan_box'],
    'an infinite side': [{ size: [Infinity, 3] }, 'nan_box'],
    'an angle that is no number': [{ theta: NaN }, 'nan_box'],
    'no area': [{ size: [0, 3] }, 'empty_box'],
    'a negative side': [{ size: [4, -3] }, 'empty_box'],
    'a place beside the picture': [{ center: [-20, 16] }, 'box_outside_picture'],
    'no guess': [{ hypotheses: [] }, 'no_label'],
    'an empty name': [{ hypotheses: [{ classId: ' ', score: 0.5 }] }, 'no_label'],
    'a number that nobody has named': [{ hypotheses: [{ classId: '41', score: 0.5 }] }, 'unknown_class'],
    'a score in percent': [{ hypotheses: [{ classId: 'cup', score: 87 }] }, 'bad_score'],
    'a score that is no number': [{ hypotheses: [{ classId: 'cup', score: NaN }] }, 'bad_score'],
  };
  for (const [what, [change, cause]] of Object.entries(refused)) {
    it(`are refused with ${what}, and the others are used`, () => {
      const result = told([aDetection(change), aDetection()]);
      assert.deepEqual(causes(result), [cause]);
      assert.deepEqual(
        result.detections?.map(({ label }) => label),
        ['cup'],
      );
    });
  }

  it('are always in the picture, whatever comes', () => {
    const number = fc.oneof(fc.double(), fc.double({ min: -100, max: 100 }));
    const detection = fc.record({
      id: fc.string(),
      hypotheses: fc.array(fc.record({ classId: fc.string(), score: number }), { maxLength: 3 }),
      center: fc.tuple(number, number),
      theta: number,
      size: fc.tuple(number, number),
    });
    fc.assert(
      fc.property(fc.array(detection, { maxLength: 5 }), (list) => {
        const { detections = [], problems } = told(list);
        assert.equal(detections.length + problems.length, list.length);
        for (const { score, box, label } of detections) {
          assert.ok(score >= 0 && score <= 1 && label !== undefined && label.trim() !== '');
          assert.ok(box[0] >= 0 && box[1] >= 0 && box[2] <= 64 && box[3] <= 48);
          assert.ok(box[0] < box[2] && box[1] < box[3]);
        }
      }),
    );
  });
});

describe('an image of instances', () => {
  it('gives each box the pixels of its id, and the box around them', () => {
    const isCup = inside(12, 9, 28, 23);
    const isBowl = inside(40, 30, 50, 44);
    const image = anInstanceImage((u, v) => (isCup(u, v) ? 7 : isBowl(u, v) ? 3 : 0));
    const bowl = aDetection({ id: '3', hypotheses: [{ classId: 'bowl', score: 0.5 }], center: [45, 37] });
    const { detections = [], problems } = told([bowl, aDetection({ id: '7' })], image);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      detections.map(({ label, box }) => [label, ...box]),
      [
        ['cup', 12, 9, 28, 23],
        ['bowl', 40, 30, 50, 44],
      ],
    );
    const { mask } = detections[0];
    assert.deepEqual([mask?.u0, mask?.v0, mask?.width, mask?.height], [12, 9, 16, 14]);
    assert.ok(mask?.data.every((value) => value === 1));
  });

  it('counts from 1 in the order of the boxes that have no numbers for ids', () => {
    const image = anInstanceImage((u) => (u < 5 ? 1 : u > 50 ? 2 : 0));
    for (const ids of [
      ['', ''],
      ['track a', 'track b'],
      ['0', '1'],
      ['5', '5'],
    ]) {
      const list = ids.map((id, k) =>
        aDetection({ id, hypotheses: [{ classId: `${k + 1}st`, score: 0.5 }] }),
      );
      const { detections = [] } = told(list, image);
      const columns = Object.fromEntries(detections.map(({ label, box }) => [label ?? '', box[0]]));
      assert.deepEqual(columns, { '1st': 0, '2st': 51 }, ids.join());
    }
  });

  it('tells of a number that no box has, and leaves the box alone that has no pixel', () => {
    const result = told(
      [aDetection({ id: '4' })],
      anInstanceImage((u) => (u < 9 ? 1 : 0)),
    );
    assert.deepEqual(causes(result), ['instance_unnamed']);
    assert.deepEqual(result.detections, [{ label: 'cup', score: 0.75, box: [10, 8, 30, 24] }]);
  });

  it('alone parts things and names none, the largest first', () => {
    const image = anInstanceImage((u, v) => (u < 3 && v < 3 ? 9 : u > 40 ? 2 : 0));
    const { detections = [] } = told(undefined, image);
    assert.deepEqual(
      detections.map(({ label, score, box }) => [label, score, ...box]),
      [
        [undefined, 1, 41, 0, 64, 48],
        [undefined, 1, 0, 0, 3, 3],
      ],
    );
  });

  it('is left out beside boxes of another picture', () => {
    const result = told(
      [aDetection()],
      anInstanceImage(() => 1, { stamp: at(10.02) }),
    );
    assert.deepEqual(causes(result), ['instances_of_other_picture']);
    assert.equal(result.detections?.[0].mask, undefined);
  });

  it('of thousands of things, or as many boxes, is cut to what is ever used', () => {
    const image = anInstanceImage((u, v) => 1 + u + 64 * v);
    const result = told(undefined, image);
    assert.deepEqual([result.detections?.length, causes(result)], [200, ['too_many_detections']]);
    const boxes = told(Array.from({ length: 201 }, () => aDetection()));
    assert.deepEqual([boxes.detections?.length, causes(boxes)], [200, ['too_many_detections']]);
  });

  const encodings: Record<string, (numbers: readonly number[]) => Partial<RawImage>> = {
    mono8: (n) => ({ step: 64, data: Uint8Array.from(n) }),
    '8UC1': (n) => ({ step: 64, data: Uint8Array.from(n) }),
    mono16: (n) => ({ step: 128, data: new Uint8Array(Uint16Array.from(n).buffer) }),
    '16UC1': (n) => ({
      step: 128,
      isBigEndian: true,
      data: Buffer.from(Uint16Array.from(n).buffer).swap16(),
    }),
    '32SC1': (n) => ({ step: 256, data: new Uint8Array(Int32Array.from(n, (x) => x || -1).buffer) }),
  };
  for (const [encoding, pack] of Object.entries(encodings)) {
    it(`is read as ${encoding}`, () => {
      const isThing = inside(60, 2, 64, 40);
      const numbers = Array.from({ length: 64 * 48 }, (_, i) =>
        isThing(i % 64, Math.floor(i / 64)) ? 200 : 0,
      );
      const read = decodeInstances(anInstanceImage(undefined, { encoding, ...pack(numbers) }), PICTURE);
      assert.ok(read.ok, read.ok ? '' : read.detail);
      assert.deepEqual(
        [...read.value.instances.values()],
        [{ number: 200, u0: 60, v0: 2, u1: 64, v1: 40, pixels: 4 * 38 }],
      );
    });
  }

  const refused: Record<string, [Partial<RawImage>, string]> = {
    'of colours': [{ encoding: 'rgb8' }, 'unknown_encoding'],
    'of floats': [{ encoding: '32FC1' }, 'unknown_encoding'],
    'cut short': [{ data: new Uint8Array(100) }, 'wrong_data_length'],
    'with rows that overlap': [{ step: 100 }, 'wrong_data_length'],
    'without rows': [{ height: 0 }, 'zero_size_image'],
    'larger than any picture': [{ width: 100_000, height: 100_000 }, 'image_too_large'],
    'of another size than the picture': [{ width: 32, height: 24, step: 64 }, 'size_unlike_picture'],
  };
  for (const [what, [change, cause]] of Object.entries(refused)) {
    it(`${what} is refused, and boxes beside it are used without it`, () => {
      const image = anInstanceImage(undefined, change);
      assert.deepEqual(causes(told([aDetection()], image)), [cause]);
      assert.equal(told([aDetection()], image).detections?.length, 1);
      assert.equal(told(undefined, image).detections, undefined);
    });
  }
});
