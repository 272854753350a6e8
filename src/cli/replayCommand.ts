import { openStore } from '../pipeline/openStore.js';
import { replayPosition, type ReplayedSpan } from '../pipeline/replayPosition.js';
import { openDetector } from '../pipeline/openDetector.js';
import { readRecordedDetections } from '../pipeline/RecordedDetections.js';
import { createScenePipeline, type ScenePipeline } from '../pipeline/ScenePipeline.js';
import { parametersFromFlat } from '../pipeline/parameterSet.js';
import { readParameterFile, readParameterSections, strangersNote } from '../pipeline/readParameterFile.js';
import type { Parameters } from '../pipeline/parameters.js';
import { DROP_PATTERNS } from '../pipeline/FrameDrop.js';
import type { DropPattern } from '../pipeline/FrameDrop.js';
import { replay, REPLAY_MARKER } from '../pipeline/replay.js';
import type { ReplaySummary } from '../pipeline/replay.js';
import { StagedFolder } from '../pipeline/StagedFolder.js';
import type { Recording } from '../recordings/Recording.js';
import { secondsFromDuration } from '../time/Stamp.js';
import { describeStreams } from '../recordings/describeStreams.js';
import { openRecording } from '../recordings/openRecording.js';
import type { TopicOverrides } from '../recordings/parseTopicOverrides.js';
import { namesDetections, resolveTopics } from '../recordings/resolveTopics.js';
import type { OpenedStore, RecordingPosition } from '../store/SceneStore.js';
import {
  CommandError,
  EXIT_DONE,
  numberOption,
  parseCommandLine,
  requireOption,
  UsageError,
} from './Command.js';
import type { Command, CommandIo } from './Command.js';
import { ProgressBar } from './ProgressBar.js';
import { topicsOption } from './topicsOption.js';

export const replayCommand: Command = {
  name: 'replay',
  usage: `Usage: rgbd-scene-graph replay BAG --out DIR [--params FILE] [--topics k=v,…] [--from S] [--to S] [--drop WHICH] [--detections FILE] [--store FILE]

Plays a recording (.mcap, .db3 or a rosbag2 folder) through the pipeline as fast
as it can and writes DIR/brief.json, brief.txt, graph.json, images/<ref>-<k>.jpg,
timing.json and history.jsonl (a Brief for each half second of stamp time). The
same recording gives the same files, timing.json aside. No ROS needed.

Options:
  --out DIR       the folder to write; replaced as a whole when the replay succeeds
  --params FILE   parameters, in the form of a ROS parameter file or a plain table
  --topics k=v,…  topics by role where the recording leaves a choice: color, depth,
                  color_info, depth_info, tf, tf_static, odom; 'none' leaves one out;
                  detections, instances: what a detector said, which then names things
  --from S        start this many seconds after the recording's start
  --to S          stop this many seconds after the recording's start
  --drop WHICH    leave frames out: odd, even, or every fourth (to see what a result owes to luck)
  --detections FILE  what a detector found in each picture, as JSON: {"detections": [{"stamp": S,
                  "items": [{"label", "score", "box": [x0, y0, x1, y1]}]}]}, in pixels of the colour picture
  --store FILE    a graph in this file goes on, and is kept there; that of map_id and frames.map
                  of the parameters. A replay that stopped with --to T goes on with --from T as if it
                  had never stopped; whatever else comes begins a new epoch
  --help          this text
`,
  async run(args, io) {
    const { values, positionals } = parseCommandLine(
      args,
      {
        out: { type: 'string' },
        params: { type: 'string' },
        topics: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        drop: { type: 'string' },
        detections: { type: 'string' },
        store: { type: 'string' },
      },
      ['BAG'],
    );
    const out = requireOption(values.out, 'out');
    const fromS = numberOption(values.from, 'from', 0);
    const toS = numberOption(values.to, 'to', 0);
    if (fromS !== undefined && toS !== undefined && toS <= fromS)
      throw new UsageError('--to must be later than --from');
    const overrides = topicsOption(values.topics);
    const parameters = withStore(loadParameters(values.params, io), values.store);
    const span = { ...(fromS !== undefined && { fromS }), ...(toS !== undefined && { toS }) };
    const drop = dropOption(values.drop);
    const { detections } = values;
    const options = {
      overrides,
      span,
      ...(drop !== undefined && { drop }),
      ...(detections !== undefined && { detections }),
    };
    const summary = await replayFile(positionals[0], out, parameters, options, io);
    io.out(describe(summary, out));
    return EXIT_DONE;
  },
};

/** @throws UsageError naming the patterns there are. */
function dropOption(value: string | undefined): DropPattern | undefined {
  const pattern = DROP_PATTERNS.find((known) => known === value);
  if (value !== undefined && pattern === undefined)
    throw new UsageError(`--drop: expected ${DROP_PATTERNS.join(', ')}, found '${value}'`);
  return pattern;
}

/** Defaults, or the file's values; unknown names are told and let pass. */
export function loadParameters(file: string | undefined, io: CommandIo): Parameters {
  if (file === undefined) return parametersFromFlat({}).parameters;
  const { parameters, warnings } = parametersFromFlat(readParameterFile(file));
  const strangers = strangersNote(readParameterSections(file));
  for (const warning of [...(strangers === undefined ? [] : [strangers]), ...warnings])
    io.warn(`${file}: ${warning}\n`);
  return parameters;
}

/** A replay is kept only where the command line says so: a parameter file is shared with the node. */
function withStore(parameters: Parameters, file = ''): Parameters {
  return { ...parameters, store: { ...parameters.store, path: file } };
}

/** Who gives a topic with detections means them to be used. */
function withSource(parameters: Parameters, overrides: TopicOverrides): Parameters {
  if (!namesDetections(overrides)) return parameters;
  return { ...parameters, detector: { ...parameters.detector, source: 'topic' } };
}

interface ReplayFileOptions {
  readonly overrides: TopicOverrides;
  readonly span: { readonly fromS?: number; readonly toS?: number };
  readonly drop?: DropPattern;
  /** As in the replay's own options. */
  readonly historyStepS?: number;
  /** A file of recorded detections. */
  readonly detections?: string;
}

/** Opens, resolves, replays and commits; whatever fails leaves no half-written folder. */
export async function replayFile(
  bag: string,
  out: string,
  given: Parameters,
  { overrides, span, detections, ...how }: ReplayFileOptions,
  io: CommandIo,
): Promise<ReplaySummary> {
  const parameters = withSource(given, overrides);
  const recording = await openRecording(bag);
  try {
    for (const warning of recording.warnings) io.warn(`${warning}\n`);
    refuseEmptySpan(recording, span);
    const assignment = resolveTopics(recording.topics, overrides, {
      detections: parameters.detector.source === 'topic',
    });
    await describeStreams(recording, assignment);
    const fromS = span.fromS ?? 0;
    const { drop } = how;
    const kept = await openKept(parameters, { recording, assignment, how: { drop, detections }, fromS }, io);
    const pipeline = await openPipeline(parameters, detections, kept, io);
    const folder = await StagedFolder.create(out, REPLAY_MARKER);
    const progress = new ProgressBar('replay');
    let summary: ReplaySummary;
    try {
      const onProgress = (share: number): void => progress.show(share);
      summary = await replay(recording, assignment, pipeline, folder, {
        ...span,
        ...how,
        ...(kept !== undefined && { position: kept.position }),
        onProgress,
      });
      await folder.commit();
    } catch (error) {
      await folder.discard();
      throw error;
    } finally {
      progress.stop();
      await pipeline.close();
    }
    refuseUnkept(kept);
    return summary;
  } finally {
    await recording.close();
  }
}

/** @throws CommandError when the last write of a replay's graph failed */
function refuseUnkept(kept: Kept | undefined): void {
  const status = kept?.store.store.status;
  if (status !== undefined && status.state !== 'ok') throw new CommandError(`--store: ${status.reason}`);
}

/** Streams about names: what else is not used shows in the counts. */
const DETECTOR_STREAMS = new Set(['detector', 'detections', 'instances']);

/** The store of a replay, and where the replay goes on. */
interface Kept {
  readonly store: OpenedStore;
  readonly position: RecordingPosition;
  readonly goesOn: boolean;
}

/** @throws CommandError when the file cannot be used: a replay that is not kept is not what was asked for */
async function openKept(
  parameters: Parameters,
  span: ReplayedSpan,
  io: CommandIo,
): Promise<Kept | undefined> {
  const store = await openStore(parameters);
  if (store === undefined) return undefined;
  const { state, reason } = store.store.status;
  if (state !== 'ok') throw new CommandError(`--store: ${reason}`);
  for (const note of store.notes) io.warn(`[store] ${note}\n`);
  const { position, goesOn } = replayPosition(span, store.position);
  if (store.restored !== undefined && !goesOn)
    io.warn('[store] the graph was not stopped at this moment of this recording: a new epoch begins\n');
  return { store, position, goesOn };
}

async function openPipeline(
  parameters: Parameters,
  detections: string | undefined,
  kept: Kept | undefined,
  io: CommandIo,
): Promise<ScenePipeline> {
  if (detections !== undefined && parameters.detector.description !== '')
    throw new UsageError('--detections and detector.description: expected one of both');
  if (detections !== undefined && parameters.detector.source === 'topic')
    throw new UsageError('--detections and detector.source topic: expected one of both');
  const detector =
    detections === undefined
      ? await openDetector(parameters)
      : await readRecordedDetections(detections, parameters.sync.maxIntervalS);
  for (const note of detector?.notes ?? []) io.warn(`[detector] ${note}\n`);
  return createScenePipeline(parameters, {
    ...(detector !== undefined && { detector }),
    ...(kept !== undefined && { store: kept.store, goesOn: kept.goesOn }),
    onReport: ({ stream, cause, detail }) => {
      if (DETECTOR_STREAMS.has(stream)) io.warn(`[${stream}] ${cause}: ${detail}\n`);
    },
  });
}

/** @throws Error when the recording ends before the wanted span begins. */
function refuseEmptySpan({ start, end }: Recording, { fromS = 0 }: ReplayFileOptions['span']): void {
  if (start === undefined || end === undefined) return;
  const lengthS = secondsFromDuration(end - start);
  if (fromS > lengthS) throw new Error(`--from ${fromS}: the recording is only ${lengthS.toFixed(1)} s long`);
}

function describe(summary: ReplaySummary, out: string): string {
  const { frames, messages, detector, wallS, recordedS, final } = summary;
  const dropped = formatCounts(frames.dropped);
  const skipped = formatCounts(messages.skipped);
  const speed = wallS > 0 ? `, ${(recordedS / wallS).toFixed(1)}× its own time` : '';
  return [
    `${frames.in} frames, ${frames.used} used${dropped === '' ? '' : `, dropped: ${dropped}`}`,
    ...Object.entries(detector).map(([stream, { received, used = 0, refused }]) => {
      const counts = received === 0 ? '' : `${received} messages, ${used} used`;
      return `${stream}: ${[counts, formatCounts(refused)].filter((part) => part !== '').join(', ')}`;
    }),
    ...(skipped === '' ? [] : [`messages that could not be read: ${skipped}`]),
    `${recordedS.toFixed(1)} s in ${wallS.toFixed(1)} s${speed}`,
    `${final.brief.objects.length} entities, written to ${out}`,
    '',
  ].join('\n');
}

function formatCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([cause, count]) => `${cause} ${count}`)
    .join(', ');
}
