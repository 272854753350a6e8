import { openRecording } from '../recordings/openRecording.js';
import type { Recording } from '../recordings/Recording.js';
import { EXIT_DONE, numberOption, parseCommandLine, UsageError } from './Command.js';
import type { Command, CommandIo } from './Command.js';
import { abortOnInterrupt } from './abortOnInterrupt.js';
import { loadRos } from './loadRos.js';
import { ProgressBar } from './ProgressBar.js';

/** How long `--wait-for` waits before it plays anyway. */
const WAIT_LIMIT_S = 30;
/** Between the first match and the first message, and between the last message and the end: for the middleware. */
const SETTLE_MS = 500;

export const playCommand: Command = {
  name: 'play',
  usage: `Usage: rgbd-scene-graph play BAG [--rate R] [--loop] [--wait-for N]

Publishes a recording on its topics over ROS 2: the recorded bytes, with the
recorded quality of service, static transforms latched, and /clock beside them.
Needs ROS 2 in the environment.

Options:
  --rate R      speed, 2 is twice as fast as recorded (default 1)
  --loop        begin again at the end, until interrupted
  --wait-for N  begin when N of the topics are listened to (at most ${WAIT_LIMIT_S} s)
  --help        this text
`,
  async run(args, io) {
    const { values, positionals } = parseCommandLine(
      args,
      { rate: { type: 'string' }, loop: { type: 'boolean', default: false }, 'wait-for': { type: 'string' } },
      ['BAG'],
    );
    const rate = numberOption(values.rate, 'rate') ?? 1;
    if (rate <= 0) throw new UsageError(`--rate: expected a number above 0, found '${values.rate ?? ''}'`);
    const waitFor = numberOption(values['wait-for'], 'wait-for', 0) ?? 0;
    const recording = await openRecording(positionals[0]);
    try {
      for (const warning of recording.warnings) io.warn(`${warning}\n`);
      return await play(recording, { rate, loop: values.loop, waitFor }, io);
    } finally {
      await recording.close();
    }
  },
};

interface PlaySettings {
  readonly rate: number;
  readonly loop: boolean;
  readonly waitFor: number;
}

async function play(
  recording: Recording,
  { rate, loop, waitFor }: PlaySettings,
  io: CommandIo,
): Promise<number> {
  const { openRosNode, RecordingPlayer } = await loadRos();
  const interrupt = abortOnInterrupt();
  const ros = await openRosNode('rgbd_scene_graph_player');
  const progress = new ProgressBar('play');
  try {
    const player = new RecordingPlayer(ros.node, recording);
    for (const warning of player.warnings) io.warn(`${warning}\n`);
    if (waitFor > 0 && !(await player.waitForListeners(waitFor, WAIT_LIMIT_S, interrupt.signal))) {
      io.warn(`only ${player.heardTopics} of ${waitFor} topics are listened to; playing all the same\n`);
    }
    await pause(SETTLE_MS);
    let published = 0;
    do {
      const onProgress = (share: number): void => progress.show(share);
      published += (await player.play({ rate, signal: interrupt.signal, onProgress })).published;
    } while (loop && !interrupt.signal.aborted);
    await pause(SETTLE_MS);
    player.close();
    progress.stop();
    io.out(`${published} messages published\n`);
    return EXIT_DONE;
  } finally {
    progress.stop();
    interrupt.release();
    ros.close();
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
