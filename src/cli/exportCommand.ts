import { createWriteStream, existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportLines } from '../store/exchange.js';
import { StoreReader } from '../store/readStore.js';
import { CommandError, EXIT_DONE, parseCommandLine, requireOption } from './Command.js';
import type { Command } from './Command.js';

export const exportCommand: Command = {
  name: 'export',
  usage: `Usage: rgbd-scene-graph export FILE --out X

Writes all that a store holds to X as lines of JSON, pictures included. \`import\` makes
a store of it again, with the same hashes.

Options:
  --out X   the file to write; it must not exist
  --help    this text
`,
  async run(args, io) {
    const { values, positionals } = parseCommandLine(args, { out: { type: 'string' } }, ['FILE']);
    const out = requireOption(values.out, 'out');
    if (existsSync(out)) throw new CommandError(`${out} exists and is not replaced`);
    const reader = StoreReader.open(positionals[0]);
    try {
      await pipeline(Readable.from(exportLines(reader)), createWriteStream(out, { flags: 'wx' }));
      io.out(`${reader.graphs().length} graphs written to ${out}\n`);
    } finally {
      reader.close();
    }
    return EXIT_DONE;
  },
};
