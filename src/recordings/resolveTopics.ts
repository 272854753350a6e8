import { TYPES_OF_KIND } from '../input/decodeInput.js';
import { shortTypeName } from '../input/definitions.js';
import type { InputKind } from '../input/messages.js';
import {
  imageStreams,
  isDepthName,
  sharedSegments,
  splitTransport,
  type ImageStream,
} from './imageTopicHabits.js';
import type { TopicOverrides } from './parseTopicOverrides.js';
import type { TopicInfo } from './Recording.js';
import { TopicResolutionError } from './TopicResolutionError.js';

/** Which topic of a recording plays which role. Depth and its info are always there, the rest may be missing. */
export interface TopicAssignment {
  readonly topics: Readonly<Partial<Record<InputKind, TopicInfo>>>;
  /**
   * One info topic serves colour and depth, or the depth takes an info not named after it, because the recording
   * has no other: right only for depth that is registered to colour. `describeStreams` checks it on the pictures.
   */
  readonly isInfoShared: boolean;
}

export interface TopicWishes {
  /** Wanted too: what a detector says of the camera's pictures. Implied by an override for it. */
  readonly detections?: boolean;
}

/**
 * Finds the topics of one RGB-D camera and its transforms, by type and by the names that drivers use. What the user
 * gives goes before all guesses, and decides between several cameras.
 * @throws TopicResolutionError when a needed topic is missing or two are equally likely; colour and odometry may miss.
 */
export function resolveTopics(
  topics: readonly TopicInfo[],
  overrides: TopicOverrides = {},
  wishes: TopicWishes = {},
): TopicAssignment {
  const readable = topics.filter((topic) => topic.encoding === 'cdr' && topic.count > 0);
  const search = new TopicSearch(topics, readable, overrides);
  const depth = search.depth();
  if (!depth) throw search.error('depth', 'No depth image topic was found.');
  const color = search.color(depth);
  const colorInfo = search.info('color_info', color ?? depth);
  const depthInfo = search.info('depth_info', depth);
  if (!depthInfo && !colorInfo) {
    throw search.error('depth_info', `No camera info was found for the depth images of ${depth.name}.`);
  }
  const tf = search.transforms('tf');
  const tfStatic = search.transforms('tf_static');
  const areTransformsWanted = overrides.tf !== 'none' || overrides.tf_static !== 'none';
  if (!tf && !tfStatic && areTransformsWanted) {
    throw search.error('tf', 'No topic with transforms was found (tf or tf_static).');
  }
  const assigned: Partial<Record<InputKind, TopicInfo | undefined>> = {
    color,
    depth,
    color_info: color && (colorInfo ?? depthInfo),
    depth_info: depthInfo ?? colorInfo,
    tf,
    tf_static: tfStatic,
    odom: search.odometry(),
    ...(wishes.detections === true || namesDetections(overrides) ? search.detector(color ?? depth) : {}),
  };
  return {
    topics: Object.fromEntries(Object.entries(assigned).filter(([, topic]) => topic !== undefined)),
    isInfoShared: depthInfo === undefined || (color !== undefined && colorInfo === undefined),
  };
}

/** `none` from the user: leave the role out although the recording may have it. */
const NONE = 'none';

/** Whether the user gives a topic on which a detector speaks. */
export function namesDetections({ detections = NONE, instances = NONE }: TopicOverrides): boolean {
  return detections !== NONE || instances !== NONE;
}

class TopicSearch {
  readonly #streams: readonly ImageStream[];

  constructor(
    /** All topics, for the lists in errors. */
    readonly all: readonly TopicInfo[],
    readonly readable: readonly TopicInfo[],
    readonly overrides: TopicOverrides,
  ) {
    this.#streams = imageStreams(readable.filter((topic) => canServe('depth', topic)));
  }

  error(key: InputKind, problem: string): TopicResolutionError {
    return new TopicResolutionError(key, problem, this.all);
  }

  depth(): TopicInfo | undefined {
    if (this.overrides.depth !== undefined) return this.#given('depth', this.overrides.depth);
    let streams = this.#streams.filter(({ role }) => role === 'depth');
    const { color } = this.overrides;
    if (color !== undefined && color !== NONE) streams = nearest(streams, color, ({ base }) => base);
    const cameras = new Set(streams.map(({ camera }) => camera));
    if (cameras.size > 1) throw this.#ambiguous('depth', 'Several depth cameras', streams);
    return this.#best('depth', streams);
  }

  color(depth: TopicInfo): TopicInfo | undefined {
    if (this.overrides.color !== undefined) return this.#given('color', this.overrides.color);
    const streams = this.#streams.filter(({ role }) => role === 'color');
    return this.#best(
      'color',
      nearest(streams, depth.name, ({ base }) => base),
    );
  }

  /** The info beside the image; else the one whose name is nearest among those of the same role. */
  info(key: 'color_info' | 'depth_info', image: TopicInfo): TopicInfo | undefined {
    const given = this.overrides[key];
    if (given !== undefined) return this.#given(key, given);
    const infos = this.readable.filter((topic) => canServe(key, topic));
    const { base } = splitTransport(image.name);
    const sibling = `${base.slice(0, base.lastIndexOf('/'))}/camera_info`;
    const beside = infos.find(({ name }) => name === sibling || name === `${base}/camera_info`);
    if (beside) return beside;
    const sameRole = infos.filter(({ name }) => isDepthName(name) === (key === 'depth_info'));
    return this.#only(
      key,
      `Several camera infos for ${image.name}`,
      nearest(sameRole, base, ({ name }) => name),
    );
  }

  transforms(key: 'tf' | 'tf_static'): TopicInfo | undefined {
    const given = this.overrides[key];
    if (given !== undefined) return this.#given(key, given);
    const found = this.readable.filter(
      (topic) => canServe(key, topic) && topic.name.split('/').at(-1) === key,
    );
    const plain = found.filter(({ name }) => name === `/${key}`);
    return this.#only(key, `Several topics named ${key}`, plain.length > 0 ? plain : found);
  }

  odometry(): TopicInfo | undefined {
    if (this.overrides.odom !== undefined) return this.#given('odom', this.overrides.odom);
    const found = this.readable.filter((topic) => canServe('odom', topic));
    for (const isUsual of [/^\/odom$/, /\/odom$/, /\/odometry\/filtered$/]) {
      const usual = found.filter(({ name }) => isUsual.test(name));
      if (usual.length > 0) return this.#only('odom', 'Several odometry topics', usual);
    }
    return this.#only('odom', 'Several odometry topics', found);
  }

  /** Boxes by their type, instance images by their name: nothing else tells them from other pictures. */
  detector(picture: TopicInfo): Record<'detections' | 'instances', TopicInfo | undefined> {
    const find = (key: 'detections' | 'instances'): TopicInfo | undefined => {
      const given = this.overrides[key];
      if (given !== undefined) return this.#given(key, given);
      const fits = this.readable.filter((topic) => canServe(key, topic));
      const named = key === 'detections' ? fits : fits.filter(({ name }) => name.endsWith('/instances'));
      return this.#only(
        key,
        `Several topics with ${key}`,
        nearest(named, picture.name, ({ name }) => name),
      );
    };
    const found = { detections: find('detections'), instances: find('instances') };
    if (found.detections ?? found.instances) return found;
    throw this.error('detections', 'No topic with detections was found, nor an image topic named instances.');
  }

  #given(key: InputKind, name: string): TopicInfo | undefined {
    if (name === NONE) return undefined;
    const named = this.all.filter((topic) => topic.name === name);
    // As with image_transport: the name of the picture stands for whichever transport was recorded.
    const byBase = this.#streams.find(({ base }) => base === name)?.topics[0];
    const topic = named.find((candidate) => canServe(key, candidate)) ?? byBase;
    if (topic && canServe(key, topic)) return topic;
    if (!named[0]) throw this.error(key, `${key}: the recording has no topic ${name}.`);
    const types = TYPES_OF_KIND[key].join(' or ');
    throw this.error(key, `${key}: ${name} has type ${named[0].type}, but ${types} is needed.`);
  }

  #best(key: 'color' | 'depth', streams: readonly ImageStream[]): TopicInfo | undefined {
    const rank = Math.max(...streams.map((stream) => stream.rank));
    const best = streams.filter((stream) => stream.rank === rank);
    if (best.length > 1) throw this.#ambiguous(key, `Several ${key} image topics`, best);
    return best[0]?.topics[0];
  }

  #only(key: InputKind, problem: string, found: readonly TopicInfo[]): TopicInfo | undefined {
    if (found.length > 1) {
      throw this.error(key, `${problem}: ${found.map(({ name }) => name).join(', ')}.`);
    }
    return found[0];
  }

  #ambiguous(key: InputKind, problem: string, streams: readonly ImageStream[]): TopicResolutionError {
    return this.error(
      key,
      `${problem} are possible: ${streams.map(({ topics }) => topics[0].name).join(', ')}.`,
    );
  }
}

function canServe(key: InputKind, topic: TopicInfo): boolean {
  return TYPES_OF_KIND[key].includes(shortTypeName(topic.type));
}

/** Those whose names share the longest beginning with `name`. */
function nearest<T>(items: readonly T[], name: string, nameOf: (item: T) => string): T[] {
  const shared = items.map((item) => sharedSegments(nameOf(item), name));
  const most = Math.max(...shared);
  return items.filter((_, i) => shared[i] === most);
}
