import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { angleBetween } from '../math/quaternion.js';
import { composeTransforms } from '../math/rigidTransform.js';
import type { FrameTree } from './FrameTree.js';
import type { SimulatedPicture } from './Simulation.js';

/** A picture as the pipeline's frame, with exact poses. */
export function frameFromPicture(picture: SimulatedPicture, frames: FrameTree): RgbdFrame {
  const { timeS, map_T_depth } = picture;
  const map_T_base = frames.motion.map_T_base(timeS);
  const half = 1 / 60;
  const turn = angleBetween(
    frames.map_T_depth(timeS - half).rotation,
    frames.map_T_depth(timeS + half).rotation,
  );
  return {
    stamp: picture.stamp,
    cameraName: '',
    depth: {
      width: picture.depthCamera.width,
      height: picture.depthCamera.height,
      depthMm: picture.depthMm,
    },
    depthCamera: picture.depthCamera,
    map_T_depth,
    color: {
      image: { width: picture.colorCamera.width, height: picture.colorCamera.height, data: picture.rgb },
      camera: picture.colorCamera,
      map_T_color: picture.map_T_color,
    },
    map_T_base,
    map_T_grippers: frames.motion.hasGripper()
      ? new Map([['gripper', composeTransforms(map_T_base, frames.motion.base_T_gripper(timeS))]])
      : new Map(),
    angularSpeed: turn / (2 * half),
  };
}
