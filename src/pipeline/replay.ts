import type { GraphState } from '../graph/types.js';
import type { InputMessage } from '../input/messages.js';
import { recordToJson } from '../protocol/index.js';
import { readInputMessages } from '../recordings/readInputMessages.js';
import type { Recording } from '../recordings/Recording.js';
import type { RecordingPosition } from '../store/SceneStore.js';
import type { TopicAssignment } from '../recordings/resolveTopics.js';
import { SkipCounts } from '../recordings/SkipCounts.js';
import { durationFromSeconds, secondsFromDuration } from '../time/Stamp.js';
import type { Stamp } from '../time/Stamp.js';
import type { Counters, FrameTotals, StreamCounts } from './Counters.js';
import { exportGraph } from './exportGraph.js';
import type { DropPattern } from './FrameDrop.js';
import { FrameDrop } from './FrameDrop.js';
import type { EvidenceSource } from './InProcessProvider.js';
import type { StagedFolder } from './StagedFolder.js';
import type { StageSummary, StageTimings } from './StageTimings.js';
import type { BriefSnapshot, WorkingGraph } from './WorkingGraph.js';

/**
 * A recording through the pipeline into a folder, without ROS and without a clock: message by message, each
 * fully worked off before the next, so that the same recording gives the same bytes (timing.json aside).
 *
 * A replay into a store that is told to stop leaves what still waits for a partner or a transform where it is. One that
 * goes on from there takes in the messages before it again, without folding anything in, so that the same frames wait:
 *
 *     uninterrupted   m m m m m m m m m m m m
 *     --to T          m m m m m|                 the graph at T is stored
 *     --from T        . . . . .|m m m m m m m    . only finds out what waits at T
 */

/** One Brief is kept for each step of this length on the data's clock. */
const HISTORY_STEP_S = 0.5;

/** What a replay needs of the pipeline. */
export interface ReplayPipeline {
  /** Resolves when everything that the message completes has been folded into the graph. */
  push(message: InputMessage): Promise<void>;
  /** Takes in a message that the graph knows of already. */
  skim(message: InputMessage): void;
  /** Works off what still waits for a partner or a transform that will not come. */
  finish(): Promise<void>;
  /** Leaves it waiting; resolves when all else is done. */
  pause(): Promise<void>;
  /** Called after each message, with how far the replay has come where it is kept in a store. */
  saveWhenDue(position?: RecordingPosition): void;
  readonly workingGraph: WorkingGraph;
  readonly evidence: EvidenceSource;
  readonly counters: Pick<Counters, 'frames' | 'streams'>;
  readonly timings: StageTimings;
}

export interface ReplayOptions {
  /** Seconds after the recording's start. */
  readonly fromS?: number;
  readonly toS?: number;
  readonly camera?: string;
  /** Frames that are left out as if they had never been taken. */
  readonly drop?: DropPattern;
  /** Steps in which Briefs are kept for `history.jsonl`, default 0.5 s; 0 keeps one for each frame. */
  readonly historyStepS?: number;
  /** Where the pipeline's graph stands, when it is kept in a store; its messages are worked off already. */
  readonly position?: RecordingPosition;
  /** Called with the share of the span that is done, 0…1, after each message. */
  readonly onProgress?: (share: number) => void;
}

export interface ReplaySummary {
  readonly frames: FrameTotals;
  readonly messages: { readonly read: number; readonly skipped: Readonly<Record<string, number>> };
  /** Of the detector and of what other nodes say: messages and frames that found none, by cause. */
  readonly detector: Readonly<Record<string, StreamCounts>>;
  /** Time the replay took, and the span of the recording it covered, in seconds. */
  readonly wallS: number;
  readonly recordedS: number;
  readonly timings: Readonly<Record<string, StageSummary>>;
  /** The final Brief. */
  readonly final: BriefSnapshot;
}

const DETECTOR_STREAM = /(^|\/)(detector|detections|instances)$/;

/** The file that tells a replay's folder from any other. */
export const REPLAY_MARKER = 'graph.json';

/** Plays a recording and writes the folder's files; the caller commits the folder. */
export async function replay(
  recording: Recording,
  assignment: TopicAssignment,
  pipeline: ReplayPipeline,
  folder: StagedFolder,
  options: ReplayOptions = {},
): Promise<ReplaySummary> {
  const started = performance.now();
  const skipped = new SkipCounts();
  const history = new History(options.historyStepS ?? HISTORY_STEP_S);
  const drop = new FrameDrop(options.drop);
  const span = spanOf(recording, options);
  const { position } = options;
  const range = position === undefined ? options : { ...options, fromS: position.fromS };
  let read = 0;
  for await (const { message, logTime } of readInputMessages(recording, assignment, { ...range, skipped })) {
    read += 1;
    if (drop.leavesOut(message)) continue;
    if (read <= (position?.messages ?? 0)) {
      pipeline.skim(message);
      continue;
    }
    await pipeline.push(message);
    history.add(pipeline.workingGraph);
    pipeline.saveWhenDue(position && { ...position, messages: read, untilS: undefined });
    options.onProgress?.(shareDone(span, logTime));
  }
  const isStopped = position !== undefined && span.to < (recording.end ?? 0n);
  await (isStopped ? pipeline.pause() : pipeline.finish());
  const untilS = secondsFromDuration(span.to - (recording.start ?? 0n));
  pipeline.saveWhenDue(position && { ...position, messages: read, untilS });
  history.end(pipeline.workingGraph);
  const summary = {
    frames: pipeline.counters.frames,
    messages: { read, skipped: skipped.toObject() },
    detector: Object.fromEntries(
      Object.entries(pipeline.counters.streams).filter(([stream]) => DETECTOR_STREAM.test(stream)),
    ),
    wallS: (performance.now() - started) / 1000,
    recordedS: secondsFromDuration(span.to - span.from),
    timings: pipeline.timings.summary(),
    final: pipeline.workingGraph.handOutBrief(),
  };
  await writeFiles(folder, pipeline, summary, history.lines);
  return summary;
}

async function writeFiles(
  folder: StagedFolder,
  pipeline: ReplayPipeline,
  summary: ReplaySummary,
  history: readonly string[],
): Promise<void> {
  const { state, brief, text } = summary.final;
  const images = await writeImages(folder, state, pipeline.evidence);
  await folder.write('graph.json', toJson(exportGraph(state, images)));
  await folder.write('brief.json', toJson(recordToJson(brief)));
  await folder.write('brief.txt', `${text.trimEnd()}\n`);
  await folder.write('history.jsonl', history.map((line) => `${line}\n`).join(''));
  await folder.write('timing.json', toJson(timingJson(summary)));
}

/** @returns ref → file names. */
async function writeImages(
  folder: StagedFolder,
  state: GraphState,
  evidence: EvidenceSource,
): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  for (const ref of state.entities.keys()) {
    const views = await evidence.viewsOf(ref, state);
    const names = views.map((_, k) => evidenceFileName(ref, k));
    for (const [k, view] of views.entries()) await folder.write(names[k], view.data);
    files.set(ref, names);
  }
  return files;
}

/** Of the view with this index, best first, relative to the folder. */
export function evidenceFileName(ref: string, index: number): string {
  return `images/${ref}-${index + 1}.jpg`;
}

function timingJson({
  timings,
  frames,
  messages,
  detector,
  wallS,
  recordedS,
}: ReplaySummary): Record<string, unknown> {
  return {
    unit: 'ms',
    stages: timings,
    frames,
    messages,
    ...(Object.keys(detector).length > 0 && { detector }),
    wall_s: wallS,
    recorded_s: recordedS,
    speed: wallS > 0 ? recordedS / wallS : null,
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** One Brief for each step of graph time in which there was a frame, and the last one. */
class History {
  readonly lines: string[] = [];
  readonly #step: bigint;
  #newest: Stamp | undefined;

  constructor(stepS: number) {
    const step = durationFromSeconds(stepS);
    this.#step = step > 1n ? step : 1n;
  }

  /** Keeps the Brief when graph time has entered another step since the newest one kept. */
  add(graph: WorkingGraph): void {
    const { graphTime } = graph.state;
    if (graphTime === undefined) return;
    if (this.#newest === undefined || graphTime / this.#step !== this.#newest / this.#step) this.#keep(graph);
  }

  /** Keeps the final Brief, unless it is kept already. */
  end(graph: WorkingGraph): void {
    const { graphTime } = graph.state;
    if (graphTime !== undefined && graphTime !== this.#newest) this.#keep(graph);
  }

  #keep(graph: WorkingGraph): void {
    this.#newest = graph.state.graphTime;
    this.lines.push(JSON.stringify(recordToJson(graph.handOutBrief().brief)));
  }
}

interface Span {
  readonly from: Stamp;
  readonly to: Stamp;
}

function spanOf(recording: Recording, { fromS, toS }: ReplayOptions): Span {
  const start = recording.start ?? 0n;
  const end = recording.end ?? start;
  const from = start + durationFromSeconds(Math.max(0, fromS ?? 0));
  const to = toS === undefined ? end : start + durationFromSeconds(toS);
  return { from, to: to < end ? to : end };
}

function shareDone({ from, to }: Span, now: Stamp): number {
  if (to <= from) return 1;
  return Math.min(1, Math.max(0, Number(now - from) / Number(to - from)));
}
