import { shortFrameId } from '../input/frameId.js';
import type { CameraInfo } from '../input/messages.js';
import { failure, success, type Result } from '../math/Result.js';
import type { Stamp } from '../time/Stamp.js';
import { pinholeFromInfo, sameCamera, type CameraCause, type PinholeCamera } from './PinholeCamera.js';

/** Infos kept per frame: enough for the pictures that wait, whose infos come before or after them. */
const KEPT_PER_FRAME = 16;

/** More frames than any one camera topic names; beyond that something counts up its frame ids. */
const MAX_FRAMES = 64;

/** Frame ids that a report names. */
const MAX_TOLD = 8;

/**
 * The camera infos of one camera by their frame id. A picture gets the one whose stamp is nearest; infos are
 * not waited for and paired like pictures, since calibrations rarely change and drivers stamp them freely.
 */
export class CameraInfoCache {
  readonly #infos = new Map<string, CameraInfo[]>();
  readonly #cameras = new Map<string, PinholeCamera>();

  add(frameId: string, info: CameraInfo): void {
    let kept = this.#infos.get(frameId);
    if (!kept) {
      if (this.#infos.size >= MAX_FRAMES) return;
      this.#infos.set(frameId, (kept = []));
    }
    kept.push(info);
    if (kept.length > KEPT_PER_FRAME) kept.shift();
  }

  /** As long as the calibration stays the same it is the same object, so tables made from it can be kept. */
  find(frameId: string, stamp: Stamp): Result<PinholeCamera, CameraCause | 'no_camera_info'> {
    const nearest = nearestTo(stamp, this.#infos.get(frameId) ?? []);
    if (!nearest) {
      const names = [...this.#infos.keys()].map((name) => `"${shortFrameId(name)}"`);
      const seen = names.slice(0, MAX_TOLD).join(' ') || 'none';
      const more = names.length > MAX_TOLD ? ` and ${names.length - MAX_TOLD} more` : '';
      const asked = `no camera info with frame_id "${shortFrameId(frameId)}"`;
      return failure('no_camera_info', `${asked}; seen: ${seen}${more}`);
    }
    const camera = pinholeFromInfo(nearest);
    if (!camera.ok) return camera;
    const before = this.#cameras.get(frameId);
    if (before && sameCamera(before, camera.value)) return success(before);
    this.#cameras.set(frameId, camera.value);
    return camera;
  }
}

function nearestTo(stamp: Stamp, infos: readonly CameraInfo[]): CameraInfo | undefined {
  let best: CameraInfo | undefined;
  let bestApart = 0n;
  for (const info of infos) {
    const apart = info.stamp > stamp ? info.stamp - stamp : stamp - info.stamp;
    // Of two equally near the later arrival counts: a driver that corrected itself meant that one.
    if (!best || apart <= bestApart) {
      best = info;
      bestApart = apart;
    }
  }
  return best;
}
