/** `npm run absences`: 20,000 simulated frames, and what was declared gone that was there. */
import { numberOption, parseCommandLine } from '../../src/cli/Command.js';
import { patrol } from '../../src/simulate/scripts/patrol.js';
import { parametersFromFlat } from '../../src/pipeline/parameterSet.js';
import { chosenParameters } from './chosenParameters.js';
import { formatAbsences } from './formatAbsences.js';
import { watchAbsences } from './watchAbsences.js';

const { values } = parseCommandLine(
  process.argv.slice(2),
  {
    frames: { type: 'string' },
    seed: { type: 'string' },
    set: { type: 'string', multiple: true, default: [] as string[] },
  },
  [],
);
const frames = numberOption(values.frames, 'frames', 1) ?? 20_000;
const seed = numberOption(values.seed, 'seed', 0) ?? 1;
const script = patrol({ seed, frames, fps: 10, size: [160, 120] });
const { parameters } = parametersFromFlat(chosenParameters(undefined, values.set));
const started = performance.now();
const report = watchAbsences(script, parameters, (done, total) => {
  if (done % 500 !== 0) return;
  const seconds = (performance.now() - started) / 1000;
  process.stderr.write(`${done} of ${total} frames, ${seconds.toFixed(0)} s\n`);
});
process.stdout.write(formatAbsences(report));
process.exitCode = report.overTime.falselyMissing.length > 0 ? 1 : 0;
