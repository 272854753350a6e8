/**
 * The pinhole model with ROS's letters and plumb_bob distortion. Projecting applies the polynomial of
 * sensor_msgs/CameraInfo; going back solves it by fixed-point iteration, as is usual, which converges
 * for the moderate distortion of RGB-D cameras.
 */
import { shortFrameId } from '../input/frameId.js';
import type { CameraInfo } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { Vec3 } from '../math/types.js';

/**
 * A pinhole camera with ROS's letters. `D` by `distortionModel`; plumb_bob is (k1, k2, p1, p2, k3).
 * Pixel (0, 0) is the centre of the upper left pixel.
 */
export interface PinholeCamera {
  readonly width: number;
  readonly height: number;
  readonly fx: number;
  readonly fy: number;
  readonly cx: number;
  readonly cy: number;
  readonly distortionModel: string;
  readonly D: readonly number[];
}

export type Pixel = readonly [u: number, v: number];

export type CameraCause = 'no_intrinsics' | 'unsupported_distortion' | 'size_unlike_camera_info';

/** A focal length beyond this many picture sides, or below its inverse, is no lens but another unit or damage. */
const MAX_FOCAL_RATIO = 100;

const UNDISTORT_ITERATIONS = 30;
const UNDISTORT_TOLERANCE = 1e-9;

/**
 * The camera that took an image published beside this info: K with binning and region of interest applied.
 * R and P concern rectified images and are not looked at. K[0] = 0 is ROS's word for "not calibrated".
 */
export function pinholeFromInfo(info: CameraInfo): Result<PinholeCamera, CameraCause> {
  const [fx = 0, , cx = 0, , fy = 0, cy = 0] = info.K;
  if (![fx, fy, cx, cy].every(Number.isFinite) || fx <= 0 || fy <= 0) {
    return failure(
      'no_intrinsics',
      `camera info of "${shortFrameId(info.frameId)}" is not calibrated: K has fx ${fx}, fy ${fy}`,
    );
  }
  const implausible = implausibleFocal(fx, fy, info.width, info.height);
  if (implausible !== undefined)
    return failure('no_intrinsics', `camera info of "${shortFrameId(info.frameId)}": ${implausible}`);
  const distorted = info.D.some((coefficient) => coefficient !== 0);
  if (distorted && (info.distortionModel !== 'plumb_bob' || !info.D.every(Number.isFinite))) {
    const named = `"${info.distortionModel}" with ${info.D.length} coefficients`;
    const frame = shortFrameId(info.frameId);
    return failure('unsupported_distortion', `distortion ${named} of "${frame}"; known is plumb_bob`);
  }
  const binX = Math.max(1, info.binningX);
  const binY = Math.max(1, info.binningY);
  const { roi } = info;
  const whole = roi.width === 0 || roi.height === 0;
  return success({
    width: Math.floor((whole ? info.width : roi.width) / binX),
    height: Math.floor((whole ? info.height : roi.height) / binY),
    fx: fx / binX,
    fy: fy / binY,
    cx: (cx - (whole ? 0 : roi.xOffset)) / binX,
    cy: (cy - (whole ? 0 : roi.yOffset)) / binY,
    distortionModel: distorted ? 'plumb_bob' : '',
    D: distorted ? [...info.D] : [],
  });
}

/**
 * The same camera for an image of another size that shows the same field of view. Only when both sides
 * scale alike: anything else may be a crop, and which part is shown cannot be known.
 */
export function scaleCamera(
  camera: PinholeCamera,
  width: number,
  height: number,
): Result<PinholeCamera, CameraCause> {
  if (camera.width === width && camera.height === height) return success(camera);
  // Some drivers leave the info's size at 0; K can only be meant for the image beside it.
  if (camera.width === 0 || camera.height === 0) {
    const implausible = implausibleFocal(camera.fx, camera.fy, width, height);
    return implausible === undefined
      ? success({ ...camera, width, height })
      : failure('no_intrinsics', implausible);
  }
  if (width === 0 || camera.width * height !== camera.height * width) {
    const sizes = `image ${width}x${height}, camera info ${camera.width}x${camera.height}`;
    return failure('size_unlike_camera_info', sizes);
  }
  const scale = width / camera.width;
  return success({
    ...camera,
    width,
    height,
    fx: camera.fx * scale,
    fy: camera.fy * scale,
    // Pixel centres lie at whole numbers, so the picture's corner at −0.5 is what stays in place.
    cx: (camera.cx + 0.5) * scale - 0.5,
    cy: (camera.cy + 0.5) * scale - 0.5,
  });
}

/** What is wrong with fx or fy beside the picture's size in pixels; a size of 0 is unknown and tells nothing. */
function implausibleFocal(fx: number, fy: number, width: number, height: number): string | undefined {
  const isFar = (focal: number, side: number): boolean =>
    side > 0 && (focal > side * MAX_FOCAL_RATIO || focal < side / MAX_FOCAL_RATIO);
  if (!isFar(fx, width) && !isFar(fy, height)) return undefined;
  return `K has fx ${fx}, fy ${fy} for a picture of ${width}x${height}, which no lens has`;
}

/** True when pixels need the polynomial, false when the plain pinhole is exact. */
export function isDistorted(camera: PinholeCamera): boolean {
  return camera.distortionModel === 'plumb_bob' && camera.D.some((coefficient) => coefficient !== 0);
}

/** Optical-frame point (x right, y down, z forward, metres) to its pixel; undefined behind the camera. */
export function projectPoint(camera: PinholeCamera, [x, y, z]: Vec3): Pixel | undefined {
  if (!(z > 0)) return undefined;
  const [xd, yd] = isDistorted(camera) ? distort(camera.D, x / z, y / z) : [x / z, y / z];
  return [camera.fx * xd + camera.cx, camera.fy * yd + camera.cy];
}

/** The optical-frame point at depth `z` metres (along the axis) behind pixel (u, v). */
export function unprojectPixel(camera: PinholeCamera, [u, v]: Pixel, z: number): Vec3 {
  const [x, y] = pixelRay(camera, u, v);
  return [x * z, y * z, z];
}

/** x / z and y / z of the ray through pixel (u, v), distortion removed. */
export function pixelRay(camera: PinholeCamera, u: number, v: number): readonly [number, number] {
  const x = (u - camera.cx) / camera.fx;
  const y = (v - camera.cy) / camera.fy;
  return isDistorted(camera) ? undistort(camera.D, x, y) : [x, y];
}

/** x / z and y / z for each pixel, row-major: what perception multiplies depth with. */
export interface RayTable {
  readonly x: Float32Array;
  readonly y: Float32Array;
}

/** Costs milliseconds; keep it for as long as the camera stays the same. */
export function rayTable(camera: PinholeCamera): RayTable {
  const { width, height, fx, fy, cx, cy } = camera;
  const x = new Float32Array(width * height);
  const y = new Float32Array(width * height);
  const distorted = isDistorted(camera);
  let index = 0;
  for (let v = 0; v < height; v++) {
    for (let u = 0; u < width; u++) {
      x[index] = (u - cx) / fx;
      y[index] = (v - cy) / fy;
      if (distorted) [x[index], y[index]] = pixelRay(camera, u, v);
      index++;
    }
  }
  return { x, y };
}

/** Same numbers, so tables made for one serve the other. */
export function sameCamera(a: PinholeCamera, b: PinholeCamera): boolean {
  return (
    a.width === b.width &&
    a.height === b.height &&
    a.fx === b.fx &&
    a.fy === b.fy &&
    a.cx === b.cx &&
    a.cy === b.cy &&
    a.distortionModel === b.distortionModel &&
    a.D.length === b.D.length &&
    a.D.every((coefficient, index) => coefficient === b.D[index])
  );
}

/** plumb_bob: radial factor 1 + k1 r² + k2 r⁴ + k3 r⁶, plus the tangential terms of p1 and p2. */
function distort(D: readonly number[], x: number, y: number): readonly [number, number] {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = D;
  const r2 = x * x + y * y;
  const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
  return [
    x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
    y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
  ];
}

/** Solves distort(x, y) = (xd, yd) by repeatedly dividing out the distortion at the current guess. */
function undistort(D: readonly number[], xd: number, yd: number): readonly [number, number] {
  const [k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0] = D;
  let x = xd;
  let y = yd;
  for (let iteration = 0; iteration < UNDISTORT_ITERATIONS; iteration++) {
    const r2 = x * x + y * y;
    const radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3));
    const nextX = (xd - 2 * p1 * x * y - p2 * (r2 + 2 * x * x)) / radial;
    const nextY = (yd - p1 * (r2 + 2 * y * y) - 2 * p2 * x * y) / radial;
    const moved = Math.abs(nextX - x) + Math.abs(nextY - y);
    x = nextX;
    y = nextY;
    if (moved < UNDISTORT_TOLERANCE) break;
  }
  return [x, y];
}
