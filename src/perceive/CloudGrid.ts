import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { DepthImage } from '../camera/RgbdFrame.js';
import type { RigidTransform } from '../math/types.js';
import { rotationMatrix } from '../math/quaternion.js';
import { CloudBuffers, type CloudArrays } from './CloudBuffers.js';

/**
 * The organised cloud that all geometry works on: one frame's depth thinned to at most 320×240,
 * as points in the map (z up), with normals. Structure of arrays; index = v · width + u.
 */
export interface CloudGrid extends CloudArrays {
  readonly width: number;
  readonly height: number;
  /** Depth pixels per grid cell along each side. */
  readonly stride: number;
  /** Width of one cell at unit distance (1 / focal length in cells). */
  readonly cellAngle: number;
  /** Where the camera is in the map. */
  readonly origin: readonly [number, number, number];
}

const MAX_WIDTH = 320;
const MAX_HEIGHT = 240;

/** Smallest stride that brings a picture to at most 320×240. */
export function gridStride(width: number, height: number): number {
  return Math.max(1, Math.ceil(width / MAX_WIDTH), Math.ceil(height / MAX_HEIGHT));
}

/**
 * Builds the cloud of one depth picture; all its cells are free.
 * @param minRange readings nearer than this (metres) are no measurement
 * @param maxRange readings farther than this (metres) are no measurement
 * @param buffers where the cloud is built; the one built there before is overwritten
 */
export function buildCloudGrid(
  image: DepthImage,
  camera: PinholeCamera,
  map_T_depth: RigidTransform,
  minRange: number,
  maxRange: number,
  buffers = new CloudBuffers(),
): CloudGrid {
  const stride = gridStride(image.width, image.height);
  const width = Math.floor(image.width / stride);
  const height = Math.floor(image.height / stride);
  const arrays = buffers.load(width, height, image);
  buffers.prepareRays(camera, stride);
  const { kernels, owner } = arrays;
  const cellAngle = stride / camera.fx;
  const [x, y, z] = map_T_depth.translation;
  kernels.thinDepth(image.width, stride, minRange, maxRange);
  kernels.fillPoints(...rotationMatrix(map_T_depth.rotation), x, y, z);
  kernels.fillNormals(cellAngle, x, y, z);
  owner.fill(0);
  return { ...arrays, width, height, stride, cellAngle, origin: [x, y, z] };
}
