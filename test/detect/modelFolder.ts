import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { requireModel } from '../fixtures/requireData.js';
import { ROOT } from '../setup/checkout.js';

/** Puts a shipped description beside the model that it describes, as its user would. */
export function describedModel(test: Mocha.Context, folder: string, name: string): string {
  const description = join(folder, `${name}.yaml`);
  copyFileSync(join(ROOT, 'config/detectors', `${name}.yaml`), description);
  for (const file of [`${name}.onnx`, 'coco80_labels.txt']) {
    const target = requireModel(test, file);
    try {
      symlinkSync(target, join(folder, file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  return description;
}
