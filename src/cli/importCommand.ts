import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { importLines } from '../store/exchange.js';
import { CommandError, EXIT_DONE, parseCommandLine, requireOption } from './Command.js';
import type { Command } from './Command.js';

export const importCommand: Command = {
  name: 'import',
  usage: `Usage: rgbd-scene-graph import X --store FILE

Reads what \`export\` wrote into a store, which is made if there is none. A graph that the
store has already, of the same map and frame, is not replaced.

Options:
  --store FILE   the store
  --help         this text
`,
  async run(args, io) {
    const { values, positionals } = parseCommandLine(args, { store: { type: 'string' } }, ['X']);
    const store = requireOption(values.store, 'store');
    const [file] = positionals;
    if (!existsSync(file)) throw new CommandError(`there is no file ${file}`);
    const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
    const imported = await importLines(lines, store);
    for (const { mapId, mapFrame } of imported)
      io.out(`imported the graph of map '${mapId}' in frame '${mapFrame}'\n`);
    return EXIT_DONE;
  },
};
