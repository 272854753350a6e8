/**
 * From a scene and a camera to what that camera would see without noise: colour, exact depth, which thing each pixel
 * shows, and how steeply. Colours are worked out after visibility, once per pixel: Lambert's law under one lamp
 * with a shadow map, a little light from the sky side, and edges smoothed over three pixels.
 */
import type { PinholeCamera } from '../camera/PinholeCamera.js';
import { rotationMatrix } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import { cameraInPart, castRays, type RayHits } from './castRays.js';
import { compileScene, type CompiledPart } from './compileScene.js';
import type { Scene } from './Scene.js';
import { ShadowMap } from './ShadowMap.js';
import { surfaceAt, type SurfacePoint } from './surfaceAt.js';
import { textureColor } from './textureColor.js';

export interface Rendering {
  readonly width: number;
  readonly height: number;
  /** rgb8, tightly packed. */
  readonly rgb: Uint8Array;
  /** Exact depth along the optical axis, metres; NaN where nothing stands. */
  readonly depthM: Float32Array;
  /** 0 = nothing, k = `ids[k − 1]`. */
  readonly instances: Uint16Array;
  readonly ids: readonly string[];
  /** |cos| of the angle between ray and normal: 1 head-on, 0 grazing. */
  readonly incidence: Float32Array;
  /** Share of depth readings that come back from this surface, 255 = all. */
  readonly depthReturn: Uint8Array;
}

const AMBIENT = 0.34;
const SKY = 0.16;
/** A lamp of strength 1 lights a surface fully from this distance. */
const LAMP_REACH_M = 2;

export class SceneRenderer {
  readonly scene: Scene;
  readonly #parts: readonly CompiledPart[];
  readonly #ids: readonly string[];
  #shadows: ShadowMap | undefined;

  constructor(scene: Scene) {
    this.scene = scene;
    this.#parts = compileScene(scene);
    this.#ids = scene.things.map(({ id }) => id);
  }

  /** Everything; `withColor: false` leaves `rgb` empty and saves half of the time. */
  render(camera: PinholeCamera, map_T_camera: RigidTransform, withColor = true): Rendering {
    const hits = castRays(this.#parts, camera, map_T_camera);
    const count = hits.width * hits.height;
    const rendering: Rendering = {
      width: hits.width,
      height: hits.height,
      rgb: new Uint8Array(withColor ? count * 3 : 0),
      depthM: hits.depth,
      instances: new Uint16Array(count),
      ids: this.#ids,
      incidence: new Float32Array(count),
      depthReturn: new Uint8Array(count).fill(255),
    };
    if (withColor) this.#shadows ??= new ShadowMap(this.#parts, this.scene.light.position);
    this.#shade(hits, camera, map_T_camera, rendering);
    if (withColor) smoothEdges(rendering.rgb, hits);
    for (let i = 0; i < count; i++) if (hits.depth[i] === Infinity) hits.depth[i] = NaN;
    return rendering;
  }

  #shade(hits: RayHits, camera: PinholeCamera, map_T_camera: RigidTransform, into: Rendering): void {
    const map_R_camera = rotationMatrix(map_T_camera.rotation);
    const frames = this.#parts.map((part) => cameraInPart(part, map_R_camera, map_T_camera));
    const point: SurfacePoint = { nx: 0, ny: 0, nz: 0, a: 0, b: 0 };
    const color = new Float64Array(3);
    const withColor = into.rgb.length > 0;
    for (let v = 0, index = 0; v < hits.height; v++) {
      const yn = (v - camera.cy) / camera.fy;
      for (let u = 0; u < hits.width; u++, index++) {
        const id = hits.part[index];
        if (id === 0) continue;
        const part = this.#parts[id - 1];
        const { r, o } = frames[id - 1];
        const xn = (u - camera.cx) / camera.fx;
        const dx = r[0] * xn + r[1] * yn + r[2];
        const dy = r[3] * xn + r[4] * yn + r[5];
        const dz = r[6] * xn + r[7] * yn + r[8];
        const t = hits.depth[index];
        const x = o[0] + t * dx;
        const y = o[1] + t * dy;
        const z = o[2] + t * dz;
        surfaceAt(part, x, y, z, point);
        const facing = -(point.nx * dx + point.ny * dy + point.nz * dz) / Math.sqrt(xn * xn + yn * yn + 1);
        into.instances[index] = part.instance;
        into.incidence[index] = Math.abs(facing);
        into.depthReturn[index] = part.depthReturn;
        if (!withColor) continue;
        textureColor(part.texture, point.a, point.b, color);
        const light = this.#lightAt(part, x, y, z, point, facing < 0 ? -1 : 1);
        for (let c = 0; c < 3; c++)
          into.rgb[3 * index + c] = Math.min(255, 255 * Math.sqrt(color[c] * light));
      }
    }
  }

  /** Light on a surface point given in the part's frame; `side` turns the normal to the camera. */
  #lightAt(part: CompiledPart, x: number, y: number, z: number, point: SurfacePoint, side: number): number {
    const m = part.rotation;
    const mapX = m[0] * x + m[1] * y + m[2] * z + part.position[0];
    const mapY = m[3] * x + m[4] * y + m[5] * z + part.position[1];
    const mapZ = m[6] * x + m[7] * y + m[8] * z + part.position[2];
    const nx = side * (m[0] * point.nx + m[1] * point.ny + m[2] * point.nz);
    const ny = side * (m[3] * point.nx + m[4] * point.ny + m[5] * point.nz);
    const nz = side * (m[6] * point.nx + m[7] * point.ny + m[8] * point.nz);
    const { position, strength } = this.scene.light;
    const lx = position[0] - mapX;
    const ly = position[1] - mapY;
    const lz = position[2] - mapZ;
    const distance = Math.sqrt(lx * lx + ly * ly + lz * lz);
    // A little of nx, ny keeps upright faces of one box apart where the lamp does not.
    const base = AMBIENT + SKY * nz + 0.05 * nx + 0.03 * ny;
    const lambert = (nx * lx + ny * ly + nz * lz) / distance;
    if (lambert <= 0) return base;
    const fall =
      (LAMP_REACH_M * LAMP_REACH_M) / (LAMP_REACH_M * LAMP_REACH_M * 0.4 + 0.6 * distance * distance);
    // Start the shadow ray a little off the surface so that it does not shadow itself.
    const lit = this.#shadows!.litShare(mapX + 0.006 * nx, mapY + 0.006 * ny, mapZ + 0.006 * nz);
    return base + 0.62 * strength * lambert * fall * lit;
  }
}

/** Renders one picture; for more than one of the same scene keep a `SceneRenderer`. */
export function raycast(scene: Scene, camera: PinholeCamera, map_T_camera: RigidTransform): Rendering {
  return new SceneRenderer(scene).render(camera, map_T_camera);
}

/** Mixes colours across borders between parts, as a lens and a real pixel's area do. */
function smoothEdges(rgb: Uint8Array, { part, width, height }: RayHits): void {
  const source = rgb.slice();
  for (let v = 1; v < height - 1; v++) {
    for (let u = 1; u < width - 1; u++) {
      const at = v * width + u;
      const own = part[at];
      if (
        part[at - 1] === own &&
        part[at + 1] === own &&
        part[at - width] === own &&
        part[at + width] === own
      )
        continue;
      for (let c = 0; c < 3; c++) {
        const i = 3 * at + c;
        const around = source[i - 3] + source[i + 3] + source[i - 3 * width] + source[i + 3 * width];
        rgb[i] = (source[i] * 4 + around) >> 3;
      }
    }
  }
}
