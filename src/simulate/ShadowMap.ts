import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { RigidTransform, Vec3 } from '../math/types.js';
import { castRays } from './castRays.js';
import type { CompiledPart } from './compileScene.js';

const SIZE_PX = 1024;
/** Half opening of the lamp's view; surfaces outside it count as lit. */
const HALF_ANGLE = (64 * Math.PI) / 180;
/** Depth by which a surface must lie behind the lamp's view to be in shadow: hides the map's coarse pixels. */
const BIAS_M = 0.012;

/** What a ceiling lamp that shines straight down can see: drawn once for a scene, asked per pixel. */
export class ShadowMap {
  readonly #depth: Float32Array;
  readonly #position: Vec3;
  readonly #focal = SIZE_PX / 2 / Math.tan(HALF_ANGLE);

  constructor(parts: readonly CompiledPart[], position: Vec3) {
    this.#position = position;
    const camera: PinholeCamera = {
      width: SIZE_PX,
      height: SIZE_PX,
      fx: this.#focal,
      fy: this.#focal,
      cx: SIZE_PX / 2,
      cy: SIZE_PX / 2,
      distortionModel: 'plumb_bob',
      D: [],
    };
    // Half a turn about x: optical axis down, picture x along map x.
    const map_T_lamp: RigidTransform = { translation: position, rotation: [1, 0, 0, 0] };
    this.#depth = castRays(parts, camera, map_T_lamp).depth;
  }

  /** Share of the lamp seen from a place in the map, 0…1, over four neighbouring pixels. */
  litShare(x: number, y: number, z: number): number {
    const below = this.#position[2] - z;
    if (below <= 0.05) return 1;
    const u = (this.#focal * (x - this.#position[0])) / below + SIZE_PX / 2 - 0.5;
    const v = (-this.#focal * (y - this.#position[1])) / below + SIZE_PX / 2 - 0.5;
    const u0 = Math.floor(u);
    const v0 = Math.floor(v);
    if (u0 < 0 || v0 < 0 || u0 >= SIZE_PX - 1 || v0 >= SIZE_PX - 1) return 1;
    const limit = below - BIAS_M;
    const at = v0 * SIZE_PX + u0;
    const d = this.#depth;
    const fu = u - u0;
    const fv = v - v0;
    return (
      (d[at] >= limit ? (1 - fu) * (1 - fv) : 0) +
      (d[at + 1] >= limit ? fu * (1 - fv) : 0) +
      (d[at + SIZE_PX] >= limit ? (1 - fu) * fv : 0) +
      (d[at + SIZE_PX + 1] >= limit ? fu * fv : 0)
    );
  }
}
