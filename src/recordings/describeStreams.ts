import type { CameraInfo, InputKind, RawImage } from '../input/messages.js';
import { readInputMessages } from './readInputMessages.js';
import type { Recording } from './Recording.js';
import type { TopicAssignment } from './resolveTopics.js';
import { TopicResolutionError } from './TopicResolutionError.js';

/** What the first messages of a camera's streams say. Sizes in pixels, 0 while unknown (compressed pictures). */
export interface StreamDescription {
  readonly frameId: string;
  readonly width: number;
  readonly height: number;
}

export interface StreamDescriptions {
  readonly streams: Readonly<Partial<Record<InputKind, StreamDescription>>>;
  /** Colour and depth pictures are in one optical frame: depth is registered, pixel by pixel if sizes are equal. */
  readonly isSameFrame: boolean;
  /** By the infos, which compressed pictures have too. */
  readonly isSameSize: boolean;
}

const CAMERA_KINDS = ['color', 'depth', 'color_info', 'depth_info'] as const;

/**
 * Looks at the first message of each camera topic.
 * @throws TopicResolutionError when colour and depth share one info that does not fit the depth pictures.
 */
export async function describeStreams(
  recording: Recording,
  assignment: TopicAssignment,
): Promise<StreamDescriptions> {
  const streams: Partial<Record<InputKind, StreamDescription>> = {};
  const cameraTopics = CAMERA_KINDS.flatMap((kind) => {
    const topic = assignment.topics[kind];
    return topic ? [[kind, topic] as const] : [];
  });
  const cameraOnly = { ...assignment, topics: Object.fromEntries(cameraTopics) };
  for await (const { message } of readInputMessages(recording, cameraOnly)) {
    if ('image' in message) streams[message.kind] ??= describe(message.image);
    else if ('info' in message) streams[message.kind] ??= describe(message.info);
    if (cameraTopics.every(([kind]) => streams[kind])) break;
  }
  if (assignment.isInfoShared) requireFit(streams, assignment, recording);
  const { color, depth, color_info: colorInfo, depth_info: depthInfo } = streams;
  return {
    streams,
    isSameFrame: color !== undefined && color.frameId === depth?.frameId,
    isSameSize: colorInfo !== undefined && isEqualSize(colorInfo, depthInfo),
  };
}

function describe(source: Pick<CameraInfo | RawImage, 'frameId'> & Partial<RawImage>): StreamDescription {
  return { frameId: source.frameId, width: source.width ?? 0, height: source.height ?? 0 };
}

function isEqualSize(a: StreamDescription, b: StreamDescription | undefined): boolean {
  return b !== undefined && a.width === b.width && a.height === b.height;
}

function requireFit(
  streams: Readonly<Partial<Record<InputKind, StreamDescription>>>,
  assignment: TopicAssignment,
  recording: Recording,
): void {
  const info = streams.depth_info;
  if (!info) return;
  const key = assignment.topics.depth_info === undefined ? undefined : 'depth_info';
  for (const kind of ['depth', 'color'] as const) {
    const image = streams[kind];
    if (!image) continue;
    const hasSize = image.width > 0 && image.height > 0;
    if (image.frameId === info.frameId && (!hasSize || isEqualSize(image, info))) continue;
    const infoName = assignment.topics.depth_info?.name ?? '';
    throw new TopicResolutionError(
      kind === 'color' ? 'color_info' : key,
      `The only camera info ${infoName} (${text(info)}) does not fit the ${kind} images (${text(image)}).`,
      recording.topics,
    );
  }
}

function text({ frameId, width, height }: StreamDescription): string {
  return width > 0 ? `${width}x${height}, frame ${frameId}` : `frame ${frameId}`;
}
