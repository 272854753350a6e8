import { DETECTION_FORMS } from '../simulate/pictureDetections.js';
import { scriptNamed, scriptNames } from '../simulate/scriptNamed.js';
import { simulate, truthPath } from '../simulate/simulate.js';
import { EXIT_DONE, numberOption, parseCommandLine, requireOption, UsageError } from './Command.js';
import type { Command } from './Command.js';
import { ProgressBar } from './ProgressBar.js';

/** As a small model on a CPU takes. */
const DETECTOR_DELAY_S = 0.1;

export const simulateCommand: Command = {
  name: 'simulate',
  usage: `Usage: rgbd-scene-graph simulate --script NAME --out FILE.mcap [--seed N] [--detections FORM]

Plays a script in a simulated room and writes what the robot sees as a recording
with the usual topics, and the truth beside it as FILE.truth.json. The same script
and seed give the same bytes. Scripts: ${scriptNames().join(', ')}.

Options:
  --script NAME    which script
  --out FILE.mcap  the recording to write
  --seed N         another room of the same kind (a whole number, default 1)
  --detections FORM  what a faultless detector says of each picture, 0.1 s later:
                   boxes, instances (an image of their numbers) or masks (both)
  --help           this text
`,
  async run(args, io) {
    const { values } = parseCommandLine(
      args,
      {
        script: { type: 'string' },
        out: { type: 'string' },
        seed: { type: 'string' },
        detections: { type: 'string' },
      },
      [],
    );
    const name = requireOption(values.script, 'script');
    const out = requireOption(values.out, 'out');
    const seed = numberOption(values.seed, 'seed', 0) ?? 1;
    if (!Number.isInteger(seed))
      throw new UsageError(`--seed: expected a whole number, found '${values.seed ?? ''}'`);
    if (!scriptNames().includes(name)) {
      throw new UsageError(`--script: there is no script '${name}'; there are: ${scriptNames().join(', ')}`);
    }
    if (!out.endsWith('.mcap'))
      throw new UsageError(`--out: expected a name ending in .mcap, found '${out}'`);
    const form = DETECTION_FORMS.find((known) => known === values.detections);
    if (values.detections !== undefined && form === undefined)
      throw new UsageError(
        `--detections: expected ${DETECTION_FORMS.join(', ')}, found '${values.detections}'`,
      );
    const progress = new ProgressBar('simulate');
    try {
      const script = scriptNamed(name, { seed });
      const truth = await simulate(script, {
        out,
        ...(form && { detector: { form, delayS: DETECTOR_DELAY_S } }),
        onProgress: (done, total) => progress.show(done / total),
      });
      progress.stop();
      io.out(`${truth.image_frames} pictures written to ${out}, the truth to ${truthPath(out)}\n`);
      return EXIT_DONE;
    } finally {
      progress.stop();
    }
  },
};
