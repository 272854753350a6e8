import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { Box, RigidTransform } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import { DepthSensor } from './DepthSensor.js';
import { FrameTree } from './FrameTree.js';
import { NoiseTile } from './NoiseTile.js';
import { pinhole } from './pinhole.js';
import { RobotMotion } from './RobotMotion.js';
import { SceneRenderer, type Rendering } from './SceneRenderer.js';
import type { Scene } from './Scene.js';
import { SeededRandom } from './SeededRandom.js';
import type { SimScript } from './SimScript.js';
import { thingBox } from './thingBox.js';
import type { RecordingTruth } from './RecordingTruth.js';
import { TruthRecorder } from './TruthRecorder.js';
import { World } from './World.js';

/** What is really there at one picture. */
export interface FrameTruth {
  readonly timeS: number;
  readonly scene: Scene;
  /** Per depth pixel: 0 = nothing, k = `ids[k − 1]`. */
  readonly instances: Uint16Array;
  readonly ids: readonly string[];
  /** Boxes of all things by id, along their own axes; held ones included. */
  readonly boxes: ReadonlyMap<string, Box>;
  readonly held: readonly string[];
  /** Exact depth in metres before the sensor, NaN = nothing there. */
  readonly depthM: Float32Array;
}

/** One moment as the robot's cameras record it. */
export interface SimulatedPicture {
  readonly index: number;
  readonly timeS: number;
  readonly stamp: Stamp;
  /** rgb8 at the colour camera's size. */
  readonly rgb: Uint8Array;
  /** Per colour pixel, numbered as in `truth.ids`. */
  readonly colorInstances: Uint16Array;
  readonly colorCamera: PinholeCamera;
  readonly map_T_color: RigidTransform;
  /** Millimetres, 0 = no reading. */
  readonly depthMm: Uint16Array;
  readonly depthCamera: PinholeCamera;
  readonly map_T_depth: RigidTransform;
  readonly truth: FrameTruth;
}

const COLOR_NOISE = 1.2;

/**
 * Plays a script: renders picture after picture, lets the sensor spoil them, and keeps account of what was in view, so
 * that after the last one `truth()` is complete. Holds one renderer at a time; nothing else grows with length.
 */
export class Simulation {
  readonly script: SimScript;
  readonly frames: FrameTree;
  readonly colorCamera: PinholeCamera;
  readonly depthCamera: PinholeCamera;
  readonly #world: World;
  readonly #depthSensor: DepthSensor;
  readonly #colorNoise: NoiseTile;
  readonly #truth: TruthRecorder;
  #renderer: SceneRenderer;

  constructor(script: SimScript) {
    this.script = script;
    const motion = new RobotMotion(script.robot);
    this.frames = new FrameTree(script, motion);
    this.#world = new World(script.scene, script.events, motion);
    const { camera } = script;
    this.colorCamera = pinhole(camera.width, camera.height, camera.horizontalFov);
    this.depthCamera =
      camera.depth === undefined
        ? this.colorCamera
        : pinhole(camera.depth.width, camera.depth.height, camera.depth.horizontalFov);
    this.#depthSensor = new DepthSensor(script.sensor, script.seed);
    this.#colorNoise = new NoiseTile(new SeededRandom(script.seed ^ 0x5bd1e995), [1]);
    this.#truth = new TruthRecorder(script, this.#world);
    this.#renderer = new SceneRenderer(script.scene);
  }

  pictureCount(): number {
    return Math.floor(this.script.durationS * this.script.fps + 1e-9);
  }

  /** Every picture in order of time. */
  *pictures(): Generator<SimulatedPicture, void> {
    for (let index = 0; index < this.pictureCount(); index++) yield this.#take(index);
  }

  /** The truth file's content, for the pictures taken so far. */
  truth(recording: string): RecordingTruth {
    return this.#truth.result(recording);
  }

  #take(index: number): SimulatedPicture {
    const timeS = index / this.script.fps;
    const scene = this.#world.sceneAt(timeS);
    if (scene !== this.#renderer.scene) this.#renderer = new SceneRenderer(scene);
    const map_T_color = this.frames.map_T_color(timeS);
    const map_T_depth = this.frames.map_T_depth(timeS);
    const color = this.#renderer.render(this.colorCamera, map_T_color);
    const depth =
      this.script.camera.depth === undefined
        ? color
        : this.#renderer.render(this.depthCamera, map_T_depth, false);
    const stamp = this.frames.stampAt(timeS);
    this.#truth.addPicture(timeS, stamp, depth, this.depthCamera, map_T_depth);
    return {
      index,
      timeS,
      stamp,
      rgb: this.#addColorNoise(color, index),
      colorInstances: color.instances,
      colorCamera: this.colorCamera,
      map_T_color,
      depthMm: this.#depthSensor.measure(depth, index),
      depthCamera: this.depthCamera,
      map_T_depth,
      truth: this.#frameTruth(timeS, scene, depth),
    };
  }

  #frameTruth(timeS: number, scene: Scene, { instances, ids, depthM }: Rendering): FrameTruth {
    const boxes = new Map(scene.things.map((thing) => [thing.id, thingBox(thing)]));
    return { timeS, scene, instances, ids, boxes, held: this.#world.heldAt(timeS), depthM };
  }

  #addColorNoise({ rgb, width, height }: Rendering, index: number): Uint8Array {
    const random = new SeededRandom(Math.imul(index + 1, 0x27d4eb2d) ^ this.script.seed);
    const deviates = this.#colorNoise.picture(width, height, random);
    for (let i = 0; i < deviates.length; i++) {
      const noise = COLOR_NOISE * deviates[i];
      for (let c = 3 * i; c < 3 * i + 3; c++) rgb[c] = Math.min(255, Math.max(0, rgb[c] + noise));
    }
    return rgb;
  }
}
