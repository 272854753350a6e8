/** Replays one recording into a folder that is thrown away, and prints the measurement as JSON. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseCommandLine } from '../src/cli/Command.js';
import { loadParameters, replayFile } from '../src/cli/replayCommand.js';
import { topicsOption } from '../src/cli/topicsOption.js';
import type { ReplaySummary } from '../src/pipeline/replay.js';

export interface ReplayMeasurement {
  readonly summary: Pick<ReplaySummary, 'timings' | 'frames' | 'wallS' | 'recordedS'>;
  /** Largest resident set of the process in MB. */
  readonly rssMb: number;
}

const io = {
  out: (text: string) => void process.stdout.write(text),
  warn: (text: string) => void process.stderr.write(text),
};

async function main(args: readonly string[]): Promise<void> {
  const options = { params: { type: 'string' }, topics: { type: 'string' } } as const;
  const { values, positionals } = parseCommandLine(args, options, ['BAG']);
  const folder = await mkdtemp(path.join(tmpdir(), 'scene-graph-bench-'));
  try {
    const parameters = loadParameters(values.params, io);
    const settings = { overrides: topicsOption(values.topics), span: {} };
    const summary = await replayFile(
      positionals[0] ?? '',
      path.join(folder, 'out'),
      parameters,
      settings,
      io,
    );
    const { timings, frames, wallS, recordedS } = summary;
    const rssMb = process.resourceUsage().maxRSS / 1024;
    const measurement: ReplayMeasurement = { summary: { timings, frames, wallS, recordedS }, rssMb };
    io.out(JSON.stringify(measurement));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  io.warn(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
