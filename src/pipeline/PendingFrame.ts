import { decodeDetections, type DetectionsProblem, type ToldOfPicture } from '../camera/decodeDetections.js';
import { decodeColor } from '../camera/decodeColor.js';
import { decodeDepth } from '../camera/decodeDepth.js';
import { scaleCamera, type PinholeCamera } from '../camera/PinholeCamera.js';
import type { ColorView, RgbdFrame } from '../camera/RgbdFrame.js';
import type { CompressedImage, RawImage } from '../input/messages.js';
import { failure, type Failure, type Result } from '../math/Result.js';
import type { RigidTransform } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import type { NameOfClass } from './classNames.js';

/**
 * A frame with everything known but its pixels: paired, calibrated and placed. Decoding is left to the last
 * moment, because a live pipeline uses only the newest of these.
 */
export interface PendingFrame {
  readonly stamp: Stamp;
  readonly cameraName: string;
  readonly depth: RawImage | CompressedImage;
  readonly depthCamera: PinholeCamera;
  readonly map_T_depth: RigidTransform;
  readonly color?: PendingColor;
  /** What another node says of the colour picture. */
  readonly told?: ToldOfPicture;
  readonly map_T_base?: RigidTransform;
  readonly map_T_grippers: ReadonlyMap<string, RigidTransform>;
  readonly angularSpeed?: number;
}

export interface PendingColor {
  readonly image: RawImage | CompressedImage;
  readonly camera: PinholeCamera;
  readonly map_T_color: RigidTransform;
}

/**
 * The frame, and why its colour was left out when it was: depth alone still tells where things are. So with what
 * another node says of the picture, and parts of that.
 */
export interface DecodedFrame {
  readonly frame: RgbdFrame;
  readonly colorFailure?: Failure;
  readonly problems?: readonly DetectionsProblem[];
}

/**
 * Fails when the depth picture cannot be used.
 * @param nameOf names another node's classes
 */
export async function decodePendingFrame(
  pending: PendingFrame,
  nameOf: NameOfClass,
): Promise<Result<DecodedFrame>> {
  const { depth: depthImage, color: pendingColor, told, ...known } = pending;
  const coloring = pendingColor ? decodeColorView(pendingColor) : undefined;
  const depth = await decodeDepth(depthImage);
  const color = await coloring;
  if (!depth.ok) return depth;
  // A covered or failing sensor: it saw nothing, which must not pass for a view of empty space.
  const readings = 'depthMm' in depth.value ? depth.value.depthMm : depth.value.depthM;
  if (!readings.some((reading) => reading > 0))
    return failure('no_valid_depth', `none of ${readings.length} depth pixels holds a measurement`);
  const depthCamera = scaleCamera(pending.depthCamera, depth.value.width, depth.value.height);
  if (!depthCamera.ok) return depthCamera;
  const frame: RgbdFrame = { ...known, depth: depth.value, depthCamera: depthCamera.value };
  if (!color) return { ok: true, value: { frame } };
  if (!color.ok) return { ok: true, value: { frame, colorFailure: color } };
  const colored = { ...frame, color: color.value };
  if (told === undefined) return { ok: true, value: { frame: colored } };
  const { detections, problems } = decodeDetections(told, color.value.image, nameOf);
  return { ok: true, value: { frame: { ...colored, ...(detections && { detections }) }, problems } };
}

async function decodeColorView({ image, camera, map_T_color }: PendingColor): Promise<Result<ColorView>> {
  const decoded = await decodeColor(image);
  if (!decoded.ok) return decoded;
  const scaled = scaleCamera(camera, decoded.value.width, decoded.value.height);
  if (!scaled.ok) return scaled;
  return { ok: true, value: { image: decoded.value, camera: scaled.value, map_T_color } };
}
