/**
 * From a pair of pictures to a placed frame, or why not (yet). Poses are those of the pictures' own stamps,
 * never the latest ones. Depth without a place is useless; colour whose camera is unknown is left out, but
 * colour in another frame without a transform stops the frame: guessing "the same place" puts the background's
 * depth under every thing.
 */
import type { CameraInfoCache } from '../camera/CameraInfoCache.js';
import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { CompressedImage, RawImage } from '../input/messages.js';
import { failure, type Failure, type Result } from '../math/Result.js';
import { angleBetween } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import type { Pair } from '../sync/FramePairer.js';
import type { TransformBuffer } from '../tf/TransformBuffer.js';
import { durationFromSeconds, type Stamp } from '../time/Stamp.js';
import type { PendingColor, PendingFrame } from './PendingFrame.js';

/** A picture with the optical frame it is in and the frame id under which its camera info comes. */
export interface Picture {
  readonly stamp: Stamp;
  readonly image: RawImage | CompressedImage;
  readonly frameId: string;
  readonly infoFrameId: string;
}

export interface CameraModels {
  readonly color: CameraInfoCache;
  readonly depth: CameraInfoCache;
}

export interface PlaceNames {
  readonly map: string;
  readonly base: string;
  /** Gripper name → its tool frame. */
  readonly grippers: Readonly<Record<string, string>>;
}

/** `wait`: later messages may bring what is missing. */
export type Placing =
  | { readonly kind: 'ready'; readonly frame: PendingFrame; readonly colorFailure?: Failure }
  | { readonly kind: 'wait' | 'drop'; readonly cause: string; readonly detail: string };

/** The turn rate is taken over this long before the picture: several transforms at usual rates. */
const TURN_SPAN_S = 0.1;

/** @param isLast there will be no more waiting: colour without a camera info is then left out. */
export function placeFrame(
  cameraName: string,
  { depth, color }: Pair<Picture, Picture>,
  models: CameraModels,
  buffer: TransformBuffer,
  names: PlaceNames,
  isLast: boolean,
): Placing {
  const depthCamera = findCamera(depth, models.depth, models.color);
  if (!depthCamera.ok) return waitOrDrop(depthCamera, ['no_camera_info']);
  const place = buffer.lookup(names.map, depth.frameId, depth.stamp);
  if (!place.ok) return waitOrDrop(place, MAY_STILL_COME);
  const map_T_depth = place.transform;

  const colored = color ? placeColor(color, depth, map_T_depth, models, buffer, names.map) : undefined;
  if (colored && 'kind' in colored) return colored;
  if (colored && !colored.ok && colored.cause === 'no_camera_info' && !isLast) {
    return waitOrDrop(colored, ['no_camera_info']);
  }

  const base = buffer.lookup(names.map, names.base, depth.stamp);
  const angularSpeed = turnRate(buffer, names.map, depth, map_T_depth);
  const frame: PendingFrame = {
    stamp: depth.stamp,
    cameraName,
    depth: depth.image,
    depthCamera: depthCamera.value,
    map_T_depth,
    map_T_grippers: findGrippers(buffer, names, depth.stamp),
    ...(base.ok && { map_T_base: base.transform }),
    ...(colored?.ok && { color: colored.value }),
    ...(angularSpeed !== undefined && { angularSpeed }),
  };
  return { kind: 'ready', frame, ...(colored && !colored.ok && { colorFailure: colored }) };
}

const MAY_STILL_COME: readonly string[] = ['future_extrapolation', 'no_frame', 'not_connected'];

function waitOrDrop({ cause, detail }: Failure, waitFor: readonly string[]): Placing {
  return { kind: waitFor.includes(cause) ? 'wait' : 'drop', cause, detail };
}

/** A Placing when the whole frame must wait or go; a failure when only colour is left out. */
function placeColor(
  color: Picture,
  depth: Picture,
  map_T_depth: RigidTransform,
  models: CameraModels,
  buffer: TransformBuffer,
  map: string,
): Placing | Result<PendingColor> {
  const camera = findCamera(color, models.color, models.depth);
  if (!camera.ok) return camera;
  const sameFrame = color.frameId === depth.frameId;
  if (sameFrame && color.stamp === depth.stamp) {
    return { ok: true, value: { image: color.image, camera: camera.value, map_T_color: map_T_depth } };
  }
  const place = buffer.lookup(map, color.frameId, color.stamp);
  if (place.ok) {
    return { ok: true, value: { image: color.image, camera: camera.value, map_T_color: place.transform } };
  }
  if (place.cause !== 'no_frame' && place.cause !== 'not_connected') return waitOrDrop(place, MAY_STILL_COME);
  const detail = `no transform depth → colour: "${depth.frameId}" and "${color.frameId}". ${place.detail}`;
  return waitOrDrop(failure('no_transform_depth_to_color', detail), ['no_transform_depth_to_color']);
}

/**
 * The info of the same frame; from the other stream when its own brings none, since pictures in one optical
 * frame have one model (their sizes are compared when decoded).
 */
function findCamera(
  { infoFrameId, stamp }: Picture,
  own: CameraInfoCache,
  other: CameraInfoCache,
): Result<PinholeCamera> {
  const found = own.find(infoFrameId, stamp);
  if (found.ok || found.cause !== 'no_camera_info') return found;
  const shared = other.find(infoFrameId, stamp);
  return shared.ok ? shared : found;
}

function findGrippers(buffer: TransformBuffer, names: PlaceNames, stamp: Stamp): Map<string, RigidTransform> {
  const poses = new Map<string, RigidTransform>();
  for (const [gripper, frame] of Object.entries(names.grippers)) {
    const pose = buffer.lookup(names.map, frame, stamp);
    if (pose.ok) poses.set(gripper, pose.transform);
  }
  return poses;
}

/**
 * rad/s over the time just before the picture. Only backwards: what comes after has arrived or not
 * depending on delays, and the same recording must give the same frames.
 */
function turnRate(
  buffer: TransformBuffer,
  map: string,
  { frameId, stamp }: Picture,
  map_T_depth: RigidTransform,
): number | undefined {
  const earlier = buffer.lookup(map, frameId, stamp - durationFromSeconds(TURN_SPAN_S));
  return earlier.ok
    ? angleBetween(earlier.transform.rotation, map_T_depth.rotation) / TURN_SPAN_S
    : undefined;
}
