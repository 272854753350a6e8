/**
 * What another node says of a colour picture to detections: boxes with names, an image of instance numbers, or both.
 * A detection's `id` is its number in the image where every detection has such an id; where they have none, the
 * first detection is number 1. What cannot be used is told by cause, the rest is.
 */
import type { Detection2D, Detections2D, Hypothesis, RawImage } from '../input/messages.js';
import { failure, success, type Failure, type Result } from '../math/Result.js';
import type { Detection } from './Detection.js';
import {
  decodeInstances,
  type Instance,
  type InstanceImage,
  type InstancesCause,
} from './decodeInstances.js';

export type DetectionsCause =
  | InstancesCause
  | 'nan_box'
  | 'empty_box'
  | 'box_outside_picture'
  | 'no_label'
  | 'unknown_class'
  | 'bad_score'
  | 'instance_unnamed'
  | 'instances_of_other_picture'
  | 'too_many_detections';

/** What came of one picture, each from its own topic. */
export interface ToldOfPicture {
  readonly detections?: Detections2D;
  readonly instances?: RawImage;
}

export interface DetectionsProblem extends Failure<DetectionsCause> {
  /** Whose message it is of. */
  readonly kind: keyof ToldOfPicture;
}

export interface DecodedDetections {
  /** Surest first, unnamed ones largest first; absent when nothing that was told could be read. */
  readonly detections?: readonly Detection[];
  readonly problems: readonly DetectionsProblem[];
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** More than perception ever uses of one picture. */
const MOST = 200;

/** @param nameOf the name of a class id, undefined for one that has none */
export function decodeDetections(
  told: ToldOfPicture,
  picture: Size,
  nameOf: (classId: string) => string | undefined,
): DecodedDetections {
  const problems: DetectionsProblem[] = [];
  const image = readInstances(told, picture, problems);
  if (told.detections === undefined) {
    if (image === undefined) return { problems };
    const largest = [...image.instances.values()].sort((a, b) => b.pixels - a.pixels || a.number - b.number);
    return { detections: cap(largest, 'instances', problems).map((one) => unnamed(one, image)), problems };
  }
  const { detections: list } = told.detections;
  const numbers = numbersOf(list);
  const named = list.flatMap((one, index) => {
    const read = readDetection(one, picture, nameOf);
    if (read.ok) return { detection: read.value, number: numbers[index] };
    problems.push({ ...read, kind: 'detections' });
    return [];
  });
  const surest = cap(
    named.sort((a, b) => b.detection.score - a.detection.score),
    'detections',
    problems,
  );
  if (image === undefined) return { detections: surest.map(({ detection }) => detection), problems };
  const known = new Set(numbers);
  const stray = [...image.instances.keys()].find((number) => !known.has(number));
  if (stray !== undefined) {
    const detail = `number ${stray} of the instance image has no detection; there are ${numbers.join(' ') || 'none'}`;
    problems.push({ ...failure('instance_unnamed', detail), kind: 'instances' });
  }
  return { detections: surest.map(({ detection, number }) => withMask(detection, number, image)), problems };
}

function cap<T>(list: readonly T[], kind: keyof ToldOfPicture, problems: DetectionsProblem[]): readonly T[] {
  if (list.length <= MOST) return list;
  problems.push({ ...failure('too_many_detections', `${list.length} things in one picture`), kind });
  return list.slice(0, MOST);
}

function readInstances(
  { detections, instances }: ToldOfPicture,
  picture: Size,
  problems: DetectionsProblem[],
): InstanceImage | undefined {
  if (instances === undefined) return undefined;
  if (detections !== undefined && detections.stamp !== instances.stamp) {
    const detail = `instances at ${instances.stamp} ns, detections at ${detections.stamp} ns`;
    problems.push({ ...failure('instances_of_other_picture', detail), kind: 'instances' });
    return undefined;
  }
  const read = decodeInstances(instances, picture);
  if (read.ok) return read.value;
  problems.push({ ...read, kind: 'instances' });
  return undefined;
}

/** Each detection's number in an instance image. */
function numbersOf(list: readonly Detection2D[]): number[] {
  const ids = list.map(({ id }) => (/^[1-9]\d*$/.test(id.trim()) ? Number(id) : 0));
  const areNumbers = ids.every((id) => id > 0) && new Set(ids).size === ids.length;
  return areNumbers ? ids : list.map((_, index) => index + 1);
}

function readDetection(
  { hypotheses, center, theta, size }: Detection2D,
  picture: Size,
  nameOf: (classId: string) => string | undefined,
): Result<Detection, DetectionsCause> {
  const box = boxOf(center, theta, size, picture);
  if (!box.ok) return box;
  const best = hypotheses.reduce<Hypothesis | undefined>(
    (most, one) => (most === undefined || one.score > most.score ? one : most),
    undefined,
  );
  if (best === undefined || best.classId.trim() === '')
    return failure('no_label', `a box at ${center.join(', ')} without a class`);
  const { classId, score } = best;
  if (!(score >= 0 && score <= 1))
    return failure('bad_score', `score ${score} of "${classId}", not in [0, 1]`);
  const label = nameOf(classId.trim());
  if (label === undefined)
    return failure(
      'unknown_class',
      `class "${classId}" has no name; see detector.labels and detector.class_names`,
    );
  return success({ label, score, box: box.value });
}

/** The upright rectangle around a box, as far as it is in the picture. */
function boxOf(
  [x, y]: Detection2D['center'],
  theta: number,
  size: Detection2D['size'],
  picture: Size,
): Result<Detection['box'], DetectionsCause> {
  const figures = `box of ${size.join(' by ')} at ${x}, ${y}`;
  if (![x, y, theta, ...size].every(Number.isFinite))
    return failure('nan_box', `${figures} turned by ${theta}`);
  if (!(size[0] > 0 && size[1] > 0)) return failure('empty_box', figures);
  const [cos, sin] = [Math.abs(Math.cos(theta)), Math.abs(Math.sin(theta))];
  const across = (size[0] * cos + size[1] * sin) / 2;
  const down = (size[0] * sin + size[1] * cos) / 2;
  const u0 = Math.max(0, x - across);
  const v0 = Math.max(0, y - down);
  const u1 = Math.min(picture.width, x + across);
  const v1 = Math.min(picture.height, y + down);
  if (u1 > u0 && v1 > v0) return success([u0, v0, u1, v1]);
  return failure('box_outside_picture', `${figures} in a picture of ${picture.width}x${picture.height}`);
}

/** Where there are pixels they tell better where the thing is than its box; a number without any leaves the box. */
function withMask(detection: Detection, number: number, { instances, maskOf }: InstanceImage): Detection {
  const instance = instances.get(number);
  if (instance === undefined) return detection;
  return { ...detection, box: rectangle(instance), mask: maskOf(instance) };
}

/** Nobody says how sure it is: the image is taken as it is. */
function unnamed(instance: Instance, { maskOf }: InstanceImage): Detection {
  return { score: 1, box: rectangle(instance), mask: maskOf(instance) };
}

function rectangle({ u0, v0, u1, v1 }: Instance): Detection['box'] {
  return [u0, v0, u1, v1];
}
