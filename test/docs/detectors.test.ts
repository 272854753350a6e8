import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { DETECTOR_FAMILIES, type Description } from '../../src/detect/Description.js';
import { parseDescription, readDescription } from '../../src/detect/readDescription.js';
import { requireModel } from '../fixtures/requireData.js';
import { temporaryFolder } from '../fixtures/temporaryFolder.js';
import { projectFiles, readText } from '../setup/checkout.js';

/** Every description of a model that a user may copy: the README's and those of config/detectors. */
function examples(): { readonly name: string; readonly text: string }[] {
  const section = /\n## Bring your own model\n([^]*?)\n## /.exec(readText('README.md'))?.[1] ?? '';
  const blocks = [...section.matchAll(/^```yaml\n([^]*?)^```$/gm)].map(([, text = ''], i) => ({
    name: `README, block ${i + 1}`,
    text,
  }));
  const files = projectFiles().filter((path) => path.startsWith('config/detectors/'));
  return [...blocks, ...files.map((name) => ({ name, text: readText(name) }))];
}

function parsed({ name, text }: { name: string; text: string }): Description {
  const result = parseDescription(text, name);
  assert.ok(result.ok, JSON.stringify(result));
  return result.value;
}

describe('descriptions of models that are shown', () => {
  const folder = temporaryFolder();

  it('hold, and show every family and every key', () => {
    const shown = examples();
    const families = new Set(shown.map((example) => parsed(example).family));
    assert.deepEqual([...families].sort(), ['embedding', ...DETECTOR_FAMILIES].sort());
    const whole = shown[0]?.text ?? '';
    for (const key of Object.keys(parsed({ name: 'whole', text: whole })).filter((key) => key !== 'include'))
      assert.match(whole, new RegExp(`^${key}:`, 'm'));
  });

  it('speak of labels that the list of COCO’s 80 has', function () {
    const labels = requireModel(this, 'coco80_labels.txt');
    for (const [i, example] of examples().entries()) {
      const { model, labels: file } = parsed(example);
      writeFileSync(folder.path(model), '');
      if (typeof file === 'string') copyFileSync(labels, folder.path(file));
      const path = folder.path(`${i}.yaml`);
      writeFileSync(path, example.text);
      const read = readDescription(path);
      assert.ok(read.ok, `${example.name}: ${JSON.stringify(read)}`);
      assert.equal(read.value.labels.length, read.value.family === 'embedding' ? 0 : 80);
    }
  });
});
