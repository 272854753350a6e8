import { sameCamera, type PinholeCamera } from '../camera/PinholeCamera.js';
import type { DepthImage } from '../camera/RgbdFrame.js';
import { cellRays } from './cellRays.js';
import { RUN_CELLS, type CellRuns } from './CellRuns.js';
import type { KernelArray, Kernels } from './kernels/Kernels.js';
import { newKernels } from './kernels/newKernels.js';

/** What a cloud holds for each of its cells, in the memory of the kernels that work on it. */
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
  /** Structure that the cell belongs to, 0 = free. */
  readonly owner: Int16Array;
  readonly kernels: Kernels;
  /** What kernels hand back. */
  readonly lists: KernelLists;
}

/** Lists of cells, and of numbers, that kernels write. */
export interface KernelLists {
  readonly found: Int32Array;
  readonly patches: Int32Array;
  /** First and number of cells of each part of a list. */
  readonly table: Int32Array;
  readonly numbers: Float64Array;
}

/** A cloud's arrays, and what it is computed from. */
interface Layout {
  readonly width: number;
  readonly height: number;
  readonly picture: Float32Array;
  readonly words: Uint16Array;
  readonly rayX: Float32Array;
  readonly rayY: Float32Array;
  readonly arrays: CloudArrays;
}

/**
 * Memory for one cloud at a time, kept from frame to frame: megabytes a frame would otherwise be thrown away thirty
 * times a second. Whoever perceives owns one; a cloud built in it is gone with the next.
 */
export class CloudBuffers {
  readonly #kernels = newKernels();
  #layout: Layout | undefined;
  #rays: { readonly camera: PinholeCamera; readonly stride: number } | undefined;

  /** Arrays for so many cells that hold a picture in `kernels`' memory, and what was in them before. */
  load(width: number, height: number, image: DepthImage): CloudArrays {
    const pixels = image.width * image.height;
    const layout = this.#layoutFor(width, height, pixels);
    if ('depthMm' in image) {
      layout.words.set(image.depthMm);
      this.#kernels.metresFromWords(pixels);
    } else layout.picture.set(image.depthM);
    return layout.arrays;
  }

  /** Sees to it that the kernels have the rays of a camera's cells; computed once while the camera stays the same. */
  prepareRays(camera: PinholeCamera, stride: number): void {
    const known = this.#rays;
    const layout = this.#layout;
    if (layout === undefined) return;
    if (known !== undefined && known.stride === stride && sameCamera(known.camera, camera)) return;
    cellRays(camera, stride, layout.width, layout.height, layout.rayX, layout.rayY);
    this.#rays = { camera, stride };
  }

  #layoutFor(width: number, height: number, pixels: number): Layout {
    const known = this.#layout;
    if (known?.width === width && known.height === height && known.picture.length === pixels) return known;
    this.#rays = undefined;
    this.#layout = newLayout(this.#kernels, width, height, pixels);
    return this.#layout;
  }
}

function newLayout(kernels: Kernels, width: number, height: number, pixels: number): Layout {
  kernels.layout(width, height, pixels);
  const { buffer } = kernels.memory;
  const count = width * height;
  const runCount = Math.ceil(count / RUN_CELLS);
  const reals = (name: KernelArray, length = count): Float32Array =>
    new Float32Array(buffer, kernels[name].value, length);
  const wholes = (name: KernelArray, length = count): Int32Array =>
    new Int32Array(buffer, kernels[name].value, length);
  const runs = {
    minX: reals('minX', runCount),
    maxX: reals('maxX', runCount),
    minY: reals('minY', runCount),
    maxY: reals('maxY', runCount),
    minZ: reals('minZ', runCount),
    maxZ: reals('maxZ', runCount),
    maxSigma: reals('maxSigma', runCount),
  };
  const lists = {
    found: wholes('found'),
    patches: wholes('patches'),
    table: wholes('table', 2 * count),
    numbers: new Float64Array(buffer, kernels.numbers.value, NUMBERS),
  };
  const arrays = {
    depth: reals('depth'),
    x: reals('x'),
    y: reals('y'),
    z: reals('z'),
    nx: reals('nx'),
    ny: reals('ny'),
    nz: reals('nz'),
    sigma: reals('sigma'),
    area: reals('area'),
    runs,
    owner: new Int16Array(buffer, kernels.owner.value, count),
    kernels,
    lists,
  };
  return {
    width,
    height,
    picture: reals('picture', pixels),
    words: new Uint16Array(buffer, kernels.words.value, pixels),
    rayX: reals('rayX'),
    rayY: reals('rayY'),
    arrays,
  };
}

/** Numbers that a kernel can hand back. */
const NUMBERS = 80;
