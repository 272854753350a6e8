import type { TopicInfo } from './Recording.js';

/**
 * What the name of an image topic tells, by the habits of camera drivers: RealSense (`color`, `depth`,
 * `aligned_depth_to_color`), OpenNI and Orbbec (`rgb`, `depth`, `depth_registered`), Azure Kinect (`depth_to_rgb`),
 * ZED (`depth/depth_registered`), OAK (`stereo/image_raw`). Names are compared by their words, without case.
 */

/** An image stream: one picture in one or more transports (`…/image_raw`, `…/image_raw/compressed`). */
export interface ImageStream {
  /** Topic name without the transport. */
  readonly base: string;
  readonly role: 'color' | 'depth';
  /** The transports with messages, the best one first. */
  readonly topics: readonly [TopicInfo, ...TopicInfo[]];
  /** Leading name segments that name the camera, not the stream. */
  readonly camera: string;
  /** Higher is more likely the one that is meant; comparable within a role. */
  readonly rank: number;
}

/** Transports that can be decoded, the better first. Without suffix: plain Image. */
const TRANSPORTS = ['', 'compressedDepth', 'compressed'];
/** Pictures made for people or for other algorithms, and other sensors. */
const OTHER_WORDS = new Set(
  (
    'ir infra infra1 infra2 infrared thermal fisheye fisheye1 fisheye2 confidence disparity normals debug overlay ' +
    'mask masks label labels segmentation semantic instance instances annotated detections visualization viz'
  ).split(' '),
);
const COLOR_WORDS = new Set(['color', 'colour', 'rgb', 'bgr']);
/** `depth`, `depth2rgb`, `depthimage`, but not the maker's name `depthai`. */
const DEPTH_WORD = /^depth(2|to)?(rgb|color|image|map|raw|registered)?\d*$/;
/** Depth in the colour camera's frame, pixel by pixel: spares the registration. */
const REGISTERED_WORDS = new Set(['aligned', 'registered', 'to', 'depth2rgb', 'depth2color']);
/** Raw pictures fit the K and D of the info; rectified ones fit P, and are the second choice. */
const NAME_RANKS: Readonly<Record<string, number>> = {
  image_raw: 0.5,
  image_rect_raw: 0.45,
  depth_registered: 0.5,
  image: 0.4,
  image_color: 0.4,
  image_rect: 0.3,
  image_rect_color: 0.3,
};

/** The name of an image topic without its transport, and that transport ('' for plain images). */
export function splitTransport(name: string): { base: string; transport: string } {
  const cut = name.lastIndexOf('/');
  const last = name.slice(cut + 1);
  const isTransport = ['compressed', 'compressedDepth', 'theora', 'zstd', 'ffmpeg', 'avif'].includes(last);
  return isTransport && cut > 0
    ? { base: name.slice(0, cut), transport: last }
    : { base: name, transport: '' };
}

/** Segments that two names have in common from their beginning. */
export function sharedSegments(a: string, b: string): number {
  const [left, right] = [segmentsOf(a), segmentsOf(b)];
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

/** Whether a name speaks of depth; also used for the infos. */
export function isDepthName(name: string): boolean {
  return depthSegment(segmentsOf(name)) >= 0;
}

/** All image streams with messages in a list of topics. */
export function imageStreams(topics: readonly TopicInfo[]): ImageStream[] {
  const byBase = new Map<string, TopicInfo[]>();
  for (const topic of topics) {
    const { base, transport } = splitTransport(topic.name);
    if (topic.count === 0 || !TRANSPORTS.includes(transport)) continue;
    byBase.set(base, [...(byBase.get(base) ?? []), topic]);
  }
  return [...byBase].flatMap(([base, transports]) => streamOf(base, transports) ?? []);
}

function streamOf(base: string, transports: readonly TopicInfo[]): ImageStream | undefined {
  const segments = segmentsOf(base);
  const words = segments.flatMap(wordsOf);
  if (words.some((word) => OTHER_WORDS.has(word))) return undefined;
  const [best, ...rest] = [...transports].sort(byUse);
  if (!best) return undefined;
  const at = depthSegment(segments);
  const isDepth = at >= 0 || splitTransport(best.name).transport === 'compressedDepth';
  const directories = segments.slice(0, -1);
  const common = { base, topics: [best, ...rest] as const, rank: NAME_RANKS[segments.at(-1) ?? ''] ?? 0 };
  if (isDepth) {
    const camera = at >= 0 ? segments.slice(0, at) : directories;
    const isRegistered = words.some((word) => REGISTERED_WORDS.has(word));
    return { ...common, role: 'depth', camera: camera.join('/'), rank: common.rank + (isRegistered ? 4 : 0) };
  }
  const isColorDirectory = directories.flatMap(wordsOf).some((word) => COLOR_WORDS.has(word));
  const isColor = words.some((word) => COLOR_WORDS.has(word));
  const penalty = words.includes('right') || words.includes('mono') ? 1 : 0;
  const rank = common.rank + (isColorDirectory ? 4 : isColor ? 3 : 0) - penalty;
  return { ...common, role: 'color', camera: directories.join('/'), rank };
}

/** More messages first; as good as equal (95 %): the transport that loses nothing. */
function byUse(a: TopicInfo, b: TopicInfo): number {
  const most = Math.max(a.count, b.count);
  if (Math.min(a.count, b.count) < 0.95 * most) return b.count - a.count;
  const order = (topic: TopicInfo): number => TRANSPORTS.indexOf(splitTransport(topic.name).transport);
  return order(a) - order(b);
}

/** Index of the first segment that says depth, -1 for none. OAK calls its depth stream `stereo`. */
function depthSegment(segments: readonly string[]): number {
  return segments.findIndex((segment, i) => {
    if (wordsOf(segment).some((word) => DEPTH_WORD.test(word))) return true;
    return segment === 'stereo' && /^(image|depth)/.test(segments[i + 1] ?? '');
  });
}

function segmentsOf(name: string): string[] {
  return name.split('/').filter((segment) => segment !== '');
}

function wordsOf(segment: string): string[] {
  return segment.toLowerCase().split(/[_\-.]/);
}
