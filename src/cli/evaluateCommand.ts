import path from 'node:path';
import { recordToJson } from '../protocol/index.js';
import { evaluate } from '../evaluate/evaluate.js';
import { formatEvaluation } from '../evaluate/formatEvaluation.js';
import { EXIT_DONE, parseCommandLine, requireOption, UsageError } from './Command.js';
import type { Command } from './Command.js';
import { readReplayFolder, readTruthFile } from './readReplayFolder.js';
import { writePictures } from './writePictures.js';

export const evaluateCommand: Command = {
  name: 'evaluate',
  usage: `Usage: rgbd-scene-graph evaluate DIR --truth FILE [--json] [--pictures] [--bag BAG]

Scores what 'replay' wrote into DIR against a truth file (schema 1): one-to-one
matching, recall, precision and F1 at the truth's tolerances and at 0.5 m inside
the scored region, position error, duplicates, relations, supports, changes, and
a line for every object and every entity that matches none.

Options:
  --truth FILE  the ground truth
  --json        print the whole evaluation as JSON
  --pictures    draw truth and entities into DIR/evaluation (seen from above)
  --bag BAG     with --pictures: draw them on frames of the recording as well
  --help        this text
`,
  async run(args, io) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        truth: { type: 'string' },
        json: { type: 'boolean', default: false },
        pictures: { type: 'boolean', default: false },
        bag: { type: 'string' },
      },
      ['DIR'],
    );
    const folder = positionals[0];
    if (values.bag !== undefined && !values.pictures)
      throw new UsageError('--bag is only of use with --pictures');
    const truth = await readTruthFile(requireOption(values.truth, 'truth'));
    const result = await readReplayFolder(folder);
    const evaluation = evaluate(result, truth);
    io.out(
      values.json ? `${JSON.stringify(recordToJson(evaluation), null, 2)}\n` : formatEvaluation(evaluation),
    );
    if (values.pictures) {
      const files = await writePictures(path.join(folder, 'evaluation'), result, truth, values.bag);
      io.warn(`${files.length} pictures written to ${path.join(folder, 'evaluation')}\n`);
    }
    return EXIT_DONE;
  },
};
