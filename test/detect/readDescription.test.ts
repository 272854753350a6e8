import assert from 'node:assert/strict';
import { parseDescription } from '../../src/detect/readDescription.js';

const GOOD = `
model: net.onnx
family: yolox
input: { width: 416, height: 320, fit: letterbox, channels: bgr }
labels: [cup, bowl]
`;

/** What is said against the text, which is `GOOD` with one line more or another. */
function complaint(text: string): string {
  const result = parseDescription(text, 'net.yaml');
  assert.ok(!result.ok, 'it was taken');
  assert.equal(result.cause, 'bad_description');
  return result.detail;
}

describe('the description of a model', () => {
  it('is taken with the defaults that the README tells', () => {
    const result = parseDescription(GOOD, 'net.yaml');
    assert.ok(result.ok);
    assert.deepEqual(
      { ...result.value, input: { fill: result.value.input.fill, anchor: result.value.input.anchor } },
      {
        model: 'net.onnx',
        family: 'yolox',
        input: { fill: 114, anchor: 'top_left' },
        labels: ['cup', 'bowl'],
        score_threshold: 0.3,
        label_thresholds: {},
        max_detections: 30,
        exclude: [],
        synonyms: {},
      },
    );
  });

  it('is refused with the nearest key for one that there is not, in its own table', () => {
    assert.match(
      complaint(`${GOOD}score_treshold: 0.4\n`),
      /does not know score_treshold \(did you mean score_threshold\?\)/,
    );
    assert.match(
      complaint(GOOD.replace('channels: bgr', 'channels: bgr, ancor: center')),
      /input: does not know ancor \(did you mean anchor\?\)/,
    );
    assert.match(complaint(`${GOOD}xyzzyquux: 1\n`), /does not know xyzzyquux$/);
  });

  it('is refused with key, what was expected and what was found', () => {
    const cases: [from: string, to: string, expected: RegExp][] = [
      ['family: yolox', 'family: yolo99', /family: expected one of yolox, .*found "yolo99"/],
      ['width: 416', 'width: 4', /input\.width: expected at least 16, found 4/],
      ['width: 416', 'width: wide', /input\.width: expected .*, found "wide"/],
      ['fit: letterbox, ', '', /input\.fit: .*found nothing/],
      ['model: net.onnx', 'model: ""', /model: .*found ""/],
      ['labels: [cup, bowl]', '', /labels: expected a file name or a list, found nothing/],
      [
        'labels: [cup, bowl]',
        'labels: [cup]\nscore_threshold: 3',
        /score_threshold: expected at most 1, found 3/,
      ],
    ];
    for (const [from, to, expected] of cases) assert.match(complaint(GOOD.replace(from, to)), expected);
  });

  it('is refused with the place where its YAML breaks off', () => {
    assert.match(complaint('model: [net.onnx\nfamily: yolox\n'), /^net\.yaml:\d+:\d+: /);
  });
});
