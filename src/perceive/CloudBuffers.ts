import { sameCamera, type PinholeCamera } from '../camera/PinholeCamera.js';
import { cellRays, type CellRays } from './cellRays.js';
import { newCellRuns, type CellRuns } from './CellRuns.js';

/** What a cloud holds for each of its cells. */
export interface CloudArrays {
  /** Metres along the optical axis; 0 where nothing usable was measured. */
  readonly depth: Float32Array;
  /** The point in the map. */
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly z: Float32Array;
  /** Unit normals towards the camera; all zero where there is none. */
  readonly nx: Float32Array;
  readonly ny: Float32Array;
  readonly nz: Float32Array;
  /** Noise of the cell's depth in metres. */
  readonly sigma: Float32Array;
  /** Surface that the cell covers, in m². */
  readonly area: Float32Array;
  readonly runs: CellRuns;
}

/**
 * Memory for one cloud at a time, kept from frame to frame: three megabytes a frame would otherwise be thrown away
 * thirty times a second. Whoever perceives owns one; a cloud built in it is gone with the next.
 */
export class CloudBuffers {
  #arrays: CloudArrays | undefined;
  #rays: { readonly camera: PinholeCamera; readonly stride: number; readonly rays: CellRays } | undefined;

  /** Arrays of this length; they hold what was in them before. */
  arrays(count: number): CloudArrays {
    if (this.#arrays?.depth.length !== count) this.#arrays = newArrays(count);
    return this.#arrays;
  }

  /** Rays of a camera's cells, computed once while the camera stays the same. */
  rays(camera: PinholeCamera, stride: number, width: number, height: number): CellRays {
    const known = this.#rays;
    if (known !== undefined && known.stride === stride && sameCamera(known.camera, camera)) return known.rays;
    const rays = cellRays(camera, stride, width, height);
    this.#rays = { camera, stride, rays };
    return rays;
  }
}

function newArrays(count: number): CloudArrays {
  const array = (): Float32Array => new Float32Array(count);
  return {
    depth: array(),
    x: array(),
    y: array(),
    z: array(),
    nx: array(),
    ny: array(),
    nz: array(),
    sigma: array(),
    area: array(),
    runs: newCellRuns(count),
  };
}
