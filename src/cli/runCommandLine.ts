import { readFileSync } from 'node:fs';
import { EvaluationError } from '../evaluate/truth.js';
import { ParameterError } from '../pipeline/parameterSet.js';
import { StagedFolderError } from '../pipeline/StagedFolder.js';
import { RecordingError } from '../recordings/RecordingError.js';
import { StoreProblem } from '../store/StoreProblem.js';
import { TopicResolutionError } from '../recordings/TopicResolutionError.js';
import { CommandError, EXIT_DONE, EXIT_FAILED, EXIT_USAGE, UsageError } from './Command.js';
import type { Command, CommandIo } from './Command.js';

/** Loaded when called: `play` and `demo` need ROS, the others must work without it. */
interface CommandEntry {
  readonly name: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'replay',
    summary: 'play a recording through the pipeline into a folder, without ROS',
    load: async () => (await import('./replayCommand.js')).replayCommand,
  },
  {
    name: 'evaluate',
    summary: 'score a replay folder against a truth file',
    load: async () => (await import('./evaluateCommand.js')).evaluateCommand,
  },
  {
    name: 'play',
    summary: 'publish a recording on its topics, with /clock',
    load: async () => (await import('./playCommand.js')).playCommand,
  },
  {
    name: 'simulate',
    summary: 'make a recording of a simulated room, and its truth',
    load: async () => (await import('./simulateCommand.js')).simulateCommand,
  },
  {
    name: 'inspect',
    summary: 'tell what a store holds',
    load: async () => (await import('./inspectCommand.js')).inspectCommand,
  },
  {
    name: 'export',
    summary: 'write a store as lines of JSON',
    load: async () => (await import('./exportCommand.js')).exportCommand,
  },
  {
    name: 'import',
    summary: 'make a store of what export wrote',
    load: async () => (await import('./importCommand.js')).importCommand,
  },
  {
    name: 'demo',
    summary: 'the whole thing: node, recording over ROS, queries, one execution',
    load: async () => (await import('./demoCommand.js')).demoCommand,
  },
];

/** Failures that a user can act on, each with a message that says how. */
const EXPECTED = [
  CommandError,
  EvaluationError,
  ParameterError,
  RecordingError,
  StagedFolderError,
  StoreProblem,
  TopicResolutionError,
] as const;

/** Runs one command line (without node and script) and resolves to its exit code. Never throws. */
export async function runCommandLine(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') {
    io.out(`${packageVersion()}\n`);
    return EXIT_DONE;
  }
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    (name === undefined ? io.warn : io.out)(overview());
    return name === undefined ? EXIT_USAGE : EXIT_DONE;
  }
  const entry = COMMANDS.find((candidate) => candidate.name === name);
  if (entry === undefined) {
    io.warn(`rgbd-scene-graph: unknown command '${name}'\n\n${overview()}`);
    return EXIT_USAGE;
  }
  const command = await entry.load();
  if (rest.includes('--help') || rest.includes('-h')) {
    io.out(command.usage);
    return EXIT_DONE;
  }
  return runCommand(command, rest, io);
}

async function runCommand(command: Command, args: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await command.run(args, io);
  } catch (error) {
    if (error instanceof UsageError) {
      io.warn(`rgbd-scene-graph ${command.name}: ${error.message}\n${usageLine(command)}\n`);
      return EXIT_USAGE;
    }
    io.warn(`rgbd-scene-graph ${command.name}: ${explain(error)}\n`);
    return EXIT_FAILED;
  }
}

/** What a user can act on is a sentence; anything else is a bug and shows where it is. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isExpected = EXPECTED.some((kind) => error instanceof kind) || 'code' in error;
  return isExpected ? error.message : (error.stack ?? error.message);
}

function usageLine(command: Command): string {
  return `${command.usage.split('\n')[0] ?? ''}\nTry 'rgbd-scene-graph ${command.name} --help'.`;
}

function overview(): string {
  const width = Math.max(...COMMANDS.map(({ name }) => name.length));
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: rgbd-scene-graph COMMAND …

Commands:
${lines.join('\n')}

'rgbd-scene-graph COMMAND --help' tells more; '--version' prints the version.
Exit codes: 0 done, 1 failed (the reason is on stderr), 2 wrong usage.
`;
}

/** From the package's own manifest, which lies two folders up both in `src` and in `dist`. */
function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
