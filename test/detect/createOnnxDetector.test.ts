import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createEmbedder } from '../../src/detect/createEmbedder.js';
import { createOnnxDetector } from '../../src/detect/createOnnxDetector.js';
import { requireModel } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { readText } from '../setup/checkout.js';
import { describedModel } from './modelFolder.js';

/** What is refused at start, and that it is told with what was expected and found. */
describe('createOnnxDetector', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  let count = 0;

  /** The description of FastestDet with a change, beside a link to the model. */
  const changed = (test: Mocha.Context, change: (yaml: string) => string): string => {
    const own = folder.path(`case_${count++}`);
    mkdirSync(own);
    const path = describedModel(test, own, 'fastestdet_352');
    writeFileSync(path, change(readText('config/detectors/fastestdet_352.yaml')));
    return path;
  };

  const refused = async (path: string, cause: string, detail: RegExp): Promise<void> => {
    const made = await createOnnxDetector(path);
    assert.ok(!made.ok);
    assert.equal(made.cause, cause);
    assert.match(made.detail, detail);
  };

  it('refuses a description that is not there', () =>
    refused(folder.path('none.yaml'), 'no_description', /none\.yaml, found no file/));

  it('refuses a model that is not there', function () {
    const path = changed(this, (yaml) => yaml.replace('352.onnx', '353.onnx'));
    return refused(path, 'no_model', /model: expected an \.onnx file at .*353\.onnx, found none/);
  });

  it('refuses labels that are not there', function () {
    const path = changed(this, (yaml) => yaml.replace('coco80', 'coco90'));
    return refused(path, 'no_labels', /labels: expected a file at .*coco90_labels\.txt, found none/);
  });

  it('refuses labels that are too few for the model', function () {
    const path = changed(this, (yaml) => yaml.replace('coco80_labels.txt', '[cup, plate]'));
    return refused(
      path,
      'wrong_shape',
      /expected one output of 1x7xrowsxcolumns \(5 \+ 2 labels\), found 734 1x85x22x22/,
    );
  });

  it('refuses an input size that the model does not have', function () {
    const path = changed(this, (yaml) => yaml.replace('width: 352', 'width: 416'));
    return refused(path, 'wrong_shape', /input: expected 1x3x352x416 \(height, width\), found 1x3x352x352/);
  });

  it('refuses an input or an output that the model does not have', async function () {
    const input = changed(this, (yaml) => yaml.replace('{ width', '{ name: images, width'));
    await refused(input, 'wrong_shape', /input\.name: expected one of input\.1, found "images"/);
    const output = changed(this, (yaml) => `${yaml}outputs: [boxes]\n`);
    await refused(output, 'wrong_shape', /outputs: expected one of 734, found "boxes"/);
  });

  it('refuses a model of another family', function () {
    const path = changed(this, (yaml) => yaml.replace('family: fastestdet', 'family: yolo11'));
    return refused(path, 'wrong_shape', /family yolo11: expected an output of .*, found 734 1x85x22x22/);
  });

  it('refuses a model that was cut short, wherever, and an empty one', async function () {
    const whole = readFileSync(requireModel(this, 'fastestdet_352.onnx'));
    for (const share of [0, 0.001, 0.3, 0.7, 0.999]) {
      const path = changed(this, (yaml) => yaml.replace('fastestdet_352.onnx', 'cut.onnx'));
      writeFileSync(join(path, '../cut.onnx'), whole.subarray(0, Math.floor(share * whole.length)));
      await refused(path, 'bad_model', /cut\.onnx: expected a model, found \d+ bytes/);
    }
  });

  it('refuses an embedding as a detector, and a detector as an embedding', async function () {
    const path = describedModel(this, folder.path('.'), 'yolox_nano_backbone_embed_128');
    await refused(path, 'bad_description', /family: expected a detector, found "embedding"/);
    const made = await createEmbedder(changed(this, (yaml) => yaml));
    assert.ok(!made.ok && /family: expected embedding, found "fastestdet"/.test(made.detail));
  });
});
