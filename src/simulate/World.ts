import { composeTransforms, invertTransform } from '../math/rigidTransform.js';
import { yawOf } from '../math/quaternion.js';
import type { RigidTransform } from '../math/types.js';
import { map_T_thing } from './compileScene.js';
import type { RobotMotion } from './RobotMotion.js';
import type { Scene, Thing, ThingPose } from './Scene.js';

/** What happens in the world, at `atS` seconds from the start. */
export type SceneEvent =
  | { readonly atS: number; readonly kind: 'add'; readonly thing: Thing }
  | { readonly atS: number; readonly kind: 'remove'; readonly id: string }
  | { readonly atS: number; readonly kind: 'move'; readonly id: string; readonly pose: ThingPose }
  /** From here on it travels with the gripper; its middle sits in the gripper frame unless it was near already. */
  | { readonly atS: number; readonly kind: 'pick'; readonly id: string }
  | { readonly atS: number; readonly kind: 'place'; readonly id: string; readonly pose: ThingPose };

/** A stretch of time in which a thing rests in one place. */
export interface Rest {
  readonly fromS: number;
  /** Infinity: to the end. */
  readonly toS: number;
  readonly thing: Thing;
}

interface Held {
  readonly thing: Thing;
  readonly gripper_T_thing: RigidTransform;
}

/** Valid from `fromS` to the next one. */
interface State {
  readonly fromS: number;
  readonly scene: Scene;
  readonly held: readonly Held[];
}

/** Reach within which a picked thing keeps its offset to the gripper instead of jumping into it. */
const GRASP_REACH_M = 0.25;

/**
 * The scene as a function of time: the first scene, and what the events make of it. Between events the same `Scene`
 * object is handed out, so that what was worked out for it can be kept; while something is held, each moment has its own.
 */
export class World {
  readonly #first: Scene;
  readonly #motion: RobotMotion;
  /** State from each event on; the first entry is the beginning. */
  readonly #states: State[];

  /** Throws when an event names a thing that is not there, or adds one that is. */
  constructor(scene: Scene, events: readonly SceneEvent[], motion: RobotMotion) {
    this.#first = scene;
    this.#motion = motion;
    this.#states = [{ fromS: -Infinity, scene, held: [] }];
    for (const event of [...events].sort((a, b) => a.atS - b.atS)) this.#apply(event);
  }

  sceneAt(timeS: number): Scene {
    const state = this.#stateAt(timeS);
    if (state.held.length === 0) return state.scene;
    const map_T_gripper = this.#map_T_gripper(timeS);
    const held = state.held.map(({ thing, gripper_T_thing }) =>
      placed(thing, poseFrom(composeTransforms(map_T_gripper, gripper_T_thing))),
    );
    return { ...state.scene, things: [...state.scene.things, ...held] };
  }

  /** Ids of what the gripper holds. */
  heldAt(timeS: number): string[] {
    return this.#stateAt(timeS).held.map(({ thing }) => thing.id);
  }

  /** Every thing's rests in order of time, by id. Structure and furniture included. */
  rests(): Map<string, Rest[]> {
    const rests = new Map<string, Rest[]>();
    this.#states.forEach(({ scene, fromS }, index) => {
      const toS = this.#states[index + 1]?.fromS ?? Infinity;
      for (const thing of scene.things) {
        const list = rests.get(thing.id) ?? [];
        const last = list.at(-1);
        if (last !== undefined && last.toS === fromS && last.thing === thing)
          list[list.length - 1] = { ...last, toS };
        else list.push({ fromS, toS, thing });
        rests.set(thing.id, list);
      }
    });
    return rests;
  }

  /** Moments at which the scene changes, the beginning (−Infinity) first. */
  changeTimes(): number[] {
    return this.#states.map(({ fromS }) => fromS);
  }

  /** The room and everything that stands in it at the beginning. */
  firstScene(): Scene {
    return this.#first;
  }

  #stateAt(timeS: number): State {
    let found = this.#states[0];
    for (const state of this.#states) if (state.fromS <= timeS) found = state;
    return found;
  }

  #map_T_gripper(timeS: number): RigidTransform {
    return composeTransforms(this.#motion.map_T_base(timeS), this.#motion.base_T_gripper(timeS));
  }

  #apply(event: SceneEvent): void {
    const { scene, held } = this.#states.at(-1)!;
    const id = event.kind === 'add' ? event.thing.id : event.id;
    const standing = scene.things.find((thing) => thing.id === id);
    const inHand = held.find(({ thing }) => thing.id === id);
    const others = scene.things.filter((thing) => thing.id !== id);
    const isThere = event.kind === 'place' ? inHand !== undefined : standing !== undefined;
    if (event.kind === 'add' ? (standing ?? inHand) : !isThere)
      throw new RangeError(
        `event ${event.kind} at ${event.atS} s does not fit: ${id} is ${isThere ? '' : 'not '}there`,
      );
    switch (event.kind) {
      case 'add':
        return this.#push(event.atS, { ...scene, things: [...others, event.thing] }, held);
      case 'remove':
        return this.#push(event.atS, { ...scene, things: others }, held);
      case 'move':
        return this.#push(event.atS, { ...scene, things: [...others, placed(standing!, event.pose)] }, held);
      case 'pick':
        return this.#push(event.atS, { ...scene, things: others }, [
          ...held,
          this.#grasp(standing!, event.atS),
        ]);
      case 'place': {
        const left = held.filter(({ thing }) => thing.id !== id);
        return this.#push(
          event.atS,
          { ...scene, things: [...others, placed(inHand!.thing, event.pose)] },
          left,
        );
      }
    }
  }

  #grasp(thing: Thing, atS: number): Held {
    const gripper_T_thing = composeTransforms(invertTransform(this.#map_T_gripper(atS)), map_T_thing(thing));
    const isNear = Math.hypot(...gripper_T_thing.translation) <= GRASP_REACH_M;
    return {
      thing,
      gripper_T_thing: isNear ? gripper_T_thing : { ...gripper_T_thing, translation: [0, 0, -0.05] },
    };
  }

  #push(fromS: number, scene: Scene, held: readonly Held[]): void {
    this.#states.push({ fromS, scene, held });
  }
}

function placed(thing: Thing, pose: ThingPose): Thing {
  return { ...thing, pose };
}

function poseFrom({ translation, rotation }: RigidTransform): ThingPose {
  return { position: translation, yaw: yawOf(rotation) };
}
