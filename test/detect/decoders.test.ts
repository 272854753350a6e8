import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Detection } from '../../src/camera/Detection.js';
import type { DecodeSettings, OutputTensor } from '../../src/detect/candidates.js';
import { cutMask } from '../../src/detect/cutMask.js';
import { decodeDetr } from '../../src/detect/decodeDetr.js';
import { decodeFastestdet } from '../../src/detect/decodeFastestdet.js';
import { decodeNanodet, nanodetProblem } from '../../src/detect/decodeNanodet.js';
import { decodeYolov8 } from '../../src/detect/decodeYolov8.js';
import { decodeYolox, yoloxProblem } from '../../src/detect/decodeYolox.js';
import type { InputDescription } from '../../src/detect/Description.js';
import { fitPicture } from '../../src/detect/fitPicture.js';

/** Each answer is worked out by hand: a network's input of 64x32, a picture of 128x64 (scale one half), two classes. */
const INPUT: InputDescription = {
  width: 64,
  height: 32,
  fit: 'letterbox',
  anchor: 'top_left',
  fill: 114,
  channels: 'bgr',
  scale: 1,
  mean: 0,
  std: 1,
};
const FIT = fitPicture({ width: 128, height: 64 }, INPUT);
const SETTINGS: DecodeSettings = {
  names: ['cup', 'book'],
  thresholds: Float32Array.of(0.3, 0.3),
  leastThreshold: 0.3,
  nmsIou: 0.5,
  maxDetections: 10,
};

const zeros = (name: string, ...dims: number[]): OutputTensor & { readonly data: Float32Array } => ({
  name,
  dims,
  data: new Float32Array(dims.reduce((product, size) => product * size, 1)),
});

function assertDetection(found: Detection | undefined, label: string, score: number, box: number[]): void {
  assert.ok(found);
  assert.equal(found.label, label);
  assert.ok(Math.abs(found.score - score) < 1e-5, `score ${found.score}`);
  found.box.forEach((value, i) => assert.ok(Math.abs(value - box[i]) < 1e-3, `box ${found.box.join()}`));
}

describe('the decoders', () => {
  it('read YOLOX: offsets in cells, sizes through exp, objectness times class', () => {
    // Strides 8, 16, 32 make 8x4 + 4x2 + 2x1 = 42 cells of 5 + 2 values.
    const output = zeros('output', 1, 42, 7);
    // Stride 16, column 2, row 1: row 32 + 4 + 2 = 38. Centre (2.25, 1.5)·16 = (36, 24); sides e^0·16 and 16/2.
    output.data.set([0.25, 0.5, 0, Math.log(0.5), 0.8, 0.1, 0.5], 38 * 7);
    const found = decodeYolox([output], FIT, SETTINGS);
    // Input (28..44, 20..28), twice that in the picture; 0.8 · 0.5 = 0.4 of the second class.
    assert.equal(found.length, 1);
    assertDetection(found[0], 'book', 0.4, [56, 40, 88, 56]);
  });

  it('tell a YOLOX that has its decoding inside by its sizes in pixels', () => {
    const output = zeros('output', 1, 42, 7);
    output.data.set([100, 80, 3, 3.5, 0.8, 0.1, 0.5], 38 * 7);
    assert.equal(yoloxProblem([output], FIT, 2), undefined);
    output.data.set([100, 80, 40, 3.5, 0.8, 0.1, 0.5], 38 * 7);
    assert.match(yoloxProblem([output], FIT, 2) ?? '', /without --decode_in_inference/);
  });

  it('read YOLOv8: centre and size in input pixels, the masks from their prototypes, either way round', () => {
    // 4 + 2 + 1 fields, 3 cells; one prototype of 8x4: its left half inside.
    const output = zeros('output0', 1, 7, 3);
    [32, 16, 24, 16, 0.9, 0.2, 1].forEach((value, field) => (output.data[field * 3 + 1] = value));
    const planes = zeros('output1', 1, 1, 4, 8);
    planes.data.forEach((_, i) => (planes.data[i] = i % 8 < 4 ? 9 : -9));
    const found = decodeYolov8([output, planes], FIT, SETTINGS);
    assert.equal(found.length, 1);
    assertDetection(found[0], 'cup', 0.9, [40, 16, 88, 48]);
    const { mask } = found[0];
    assert.ok(mask);
    assert.deepEqual([mask.u0, mask.v0, mask.width, mask.height], [40, 16, 48, 32]);
    // The prototypes change side at input column 32, which is picture column 64: 24 columns into the box.
    mask.data.forEach((inside, i) => assert.equal(inside, i % 48 < 24 ? 1 : 0, `pixel ${i}`));
    const turned = zeros('output0', 1, 3, 7);
    turned.data.set([32, 16, 24, 16, 0.9, 0.2, 1], 7);
    assert.deepEqual(decodeYolov8([planes, turned], FIT, SETTINGS), found);
  });

  it('leave out a mask that holds no pixel', () => {
    const planes = { count: 1, height: 2, width: 2, data: [1, 1, 1, 1] };
    assert.equal(cutMask([-5], planes, [0, 0, 10, 10], FIT), undefined);
  });

  it('read RT-DETR and D-FINE: logits and shares of the input, or what their deployed form has decoded', () => {
    const logits = zeros('logits', 1, 2, 2);
    logits.data.set([0, -5, -5, -5]);
    const boxes = zeros('boxes', 1, 2, 4);
    boxes.data.set([0.5, 0.5, 0.25, 0.5, 0.1, 0.1, 0.1, 0.1]);
    // Sigmoid of 0 is one half; centre (32, 16), sides (16, 16) of the input.
    const own = decodeDetr([boxes, logits], FIT, SETTINGS);
    assert.equal(own.length, 1);
    assertDetection(own[0], 'cup', 0.5, [48, 16, 80, 48]);
    const deployed = [
      { name: 'labels', dims: [1, 2], data: [1n, 7n] as unknown as ArrayLike<number> },
      { name: 'boxes', dims: [1, 2, 4], data: [24, 8, 40, 24, 0, 0, 9, 9] },
      { name: 'scores', dims: [1, 2], data: [0.75, 0.9] },
    ];
    const found = decodeDetr(deployed, FIT, SETTINGS);
    assert.equal(found.length, 1, 'a class that has no label is none');
    assertDetection(found[0], 'book', 0.75, [48, 16, 80, 48]);
  });

  it('read NanoDet: the expected bin of each side times the stride, from the cell’s centre', () => {
    const levels = [32, 8, 2].flatMap((cells) => [
      zeros(`scores${cells}`, 1, cells, 2),
      zeros(`bins${cells}`, 1, cells, 12),
    ]);
    const [, , scores, bins] = levels;
    // Stride 16, cell 5 is column 1, row 1: centre (1.5·16 - 0.5) twice, (23.5, 23.5).
    scores?.data.set([0.6, 0.1], 10);
    // Three bins: all alike make bin 1 (16 px); two alike and none of the last make 0.5 (8 px).
    const far = [0, 0, 0];
    const close = [0, 0, -99];
    bins?.data.set([...far, ...close, ...far, ...close], 5 * 12);
    const found = decodeNanodet(levels.reverse(), FIT, SETTINGS);
    assert.equal(found.length, 1);
    // Input (7.5, 15.5, 39.5, 31.5).
    assertDetection(found[0], 'cup', 0.6, [15, 31, 79, 63]);
  });

  it('read NanoDet-Plus: one output for four strides, from the cell’s corner', () => {
    // Strides 8, 16, 32, 64 make 32 + 8 + 2 + 1 = 43 cells of 2 + 4·3 values.
    const output = zeros('output', 1, 43, 14);
    // Stride 16, column 2, row 1: row 32 + 4 + 2 = 38, from (32, 16).
    output.data.set([0.1, 0.7, 0, 0, 0, 0, 0, -99, 0, 0, 0, 0, 0, -99], 38 * 14);
    const found = decodeNanodet([output], FIT, SETTINGS);
    // 16 px to left and right, 8 px up and down: input (16, 8, 48, 24).
    assert.equal(found.length, 1);
    assertDetection(found[0], 'book', 0.7, [32, 16, 96, 48]);
    assert.equal(nanodetProblem([output], FIT, 2), undefined);
    assert.match(nanodetProblem([output], FIT, 3) ?? '', /or one of 1x43x\(3 \+ 4·bins\)/);
  });

  it('read FastestDet: tanh within the cell, sizes through the sigmoid', () => {
    const output = zeros('output', 1, 7, 2, 4);
    const cell = 1 * 4 + 2;
    const put = (channel: number, value: number): void => void (output.data[channel * 8 + cell] = value);
    put(0, 0.5);
    put(3, -Math.log(3));
    put(4, -Math.log(3));
    put(6, 0.5);
    const found = decodeFastestdet([output], FIT, SETTINGS);
    // 0.5^0.6 · 0.5^0.4 = 0.5; corner of cell (2, 1) is (32, 16); a quarter of (64, 32) is (16, 8).
    assert.equal(found.length, 1);
    assertDetection(found[0], 'book', 0.5, [48, 24, 80, 40]);
  });

  it('keep boxes in the picture, scores in [0, 1] and the surest first, whatever the network says', () => {
    const value = fc.oneof(
      fc.double({ min: -3, max: 3, noNaN: true }),
      fc.constantFrom(NaN, Infinity, -Infinity, 80),
    );
    const runs: readonly [typeof decodeYolox, readonly number[][]][] = [
      [decodeYolox, [[1, 42, 7]]],
      [
        decodeYolov8,
        [
          [1, 7, 9],
          [1, 1, 4, 8],
        ],
      ],
      [
        decodeDetr,
        [
          [1, 9, 2],
          [1, 9, 4],
        ],
      ],
      [
        decodeNanodet,
        [32, 8, 2].flatMap((cells) => [
          [1, cells, 2],
          [1, cells, 12],
        ]),
      ],
      [decodeNanodet, [[1, 43, 14]]],
      [decodeFastestdet, [[1, 7, 2, 4]]],
    ];
    for (const [decode, shapes] of runs) {
      const property = fc.property(fc.array(value, { minLength: 40, maxLength: 90 }), (values) => {
        const outputs = shapes.map((dims, k) => {
          const output = zeros(`o${k}`, ...dims);
          output.data.forEach((_, i) => (output.data[i] = values[(i * 7 + k) % values.length]));
          return output;
        });
        const found = decode(outputs, FIT, SETTINGS);
        assert.ok(found.length <= SETTINGS.maxDetections);
        found.forEach(({ box: [x0, y0, x1, y1], score }, i) => {
          assert.ok(0 <= x0 && x0 < x1 && x1 <= 128 && 0 <= y0 && y0 < y1 && y1 <= 64);
          assert.ok(score >= 0.29 && score <= 1);
          assert.ok(i === 0 || score <= (found[i - 1]?.score ?? 0));
        });
      });
      fc.assert(property, { numRuns: 60 });
    }
  });
});
