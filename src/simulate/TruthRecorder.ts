/**
 * Keeps account, picture by picture, of what a camera saw, and writes it down in the schema of truth files. Places and
 * times come from the world itself; the pictures only decide what was in view.
 */
import type { PinholeCamera } from '../camera/PinholeCamera.js';
import type { Box, RigidTransform } from '../math/types.js';
import type { Stamp } from '../time/Stamp.js';
import type {
  IgnoreBox,
  RecordingTruth,
  TruthChange,
  TruthInterval,
  TruthObject,
  TruthRelation,
} from './RecordingTruth.js';
import type { Thing } from './Scene.js';
import type { Rendering } from './SceneRenderer.js';
import type { SimScript } from './SimScript.js';
import { thingBox, thingHullBox } from './thingBox.js';
import { trueRelations } from './trueRelations.js';
import { furnitureIgnoreBoxes, round, rounded, scoredRegion, trueSupports } from './trueSurroundings.js';
import { viewOfBox } from './viewOfBox.js';
import type { Rest, World } from './World.js';

/** Share of the projected box that must lie in the picture; furniture is rarely whole in view. */
const INSIDE_SHARE = { object: 0.6, furniture: 0.25, structure: 1 } as const;
/** Pixels of the thing itself in the projected rectangle: below this something stands before it. */
const SHOWN_SHARE = { object: 0.25, furniture: 0.08, structure: 1 } as const;
const FARTHEST_M = 6;
/** Seen for less than this: nobody could tell, so it is neither asked for nor held against anyone. */
const LEAST_VIEW_S = 0.8;
const THIN_M = 0.02;

interface Seen {
  count: number;
  firstS: number;
  lastS: number;
}

/** The place a rest has left, once its end has passed. */
interface LeftPlace {
  readonly rest: Rest;
  readonly box: Box;
  lastBeforeS: number | undefined;
  firstEmptyS: number | undefined;
  emptyCount: number;
}

export class TruthRecorder {
  readonly #script: SimScript;
  readonly #world: World;
  readonly #rests: ReadonlyMap<string, readonly Rest[]>;
  readonly #seen = new Map<string, Seen>();
  readonly #left: readonly LeftPlace[];
  readonly #timesS: number[] = [];
  #firstStamp: Stamp | undefined;

  constructor(script: SimScript, world: World) {
    this.#script = script;
    this.#world = world;
    this.#rests = world.rests();
    this.#left = [...this.#rests.values()].flat().flatMap((rest) =>
      rest.toS === Infinity
        ? []
        : [
            {
              rest,
              box: thingBox(rest.thing),
              lastBeforeS: undefined,
              firstEmptyS: undefined,
              emptyCount: 0,
            },
          ],
    );
  }

  addPicture(
    timeS: number,
    stamp: Stamp,
    view: Rendering,
    camera: PinholeCamera,
    map_T_camera: RigidTransform,
  ): void {
    this.#firstStamp ??= stamp;
    this.#timesS.push(timeS);
    const pixels = new Uint32Array(view.ids.length + 1);
    for (const instance of view.instances) pixels[instance]++;
    this.#world.sceneAt(timeS).things.forEach((thing, index) => {
      if (thing.role === 'structure' || pixels[index + 1] === 0) return;
      const seen = viewOfBox(thingBox(thing), camera, map_T_camera);
      if (seen === undefined || seen.insideShare < INSIDE_SHARE[thing.role] || seen.depthM > FARTHEST_M)
        return;
      if (pixels[index + 1] >= Math.max(30, SHOWN_SHARE[thing.role] * seen.areaPx))
        this.#note(thing.id, timeS);
    });
    for (const place of this.#left) this.#lookAtPlace(place, timeS, view, camera, map_T_camera);
  }

  result(recording: string): RecordingTruth {
    const first = this.#world.firstScene();
    const things = [...this.#rests.values()]
      .map((rests) => rests.at(-1)!.thing)
      .filter(({ role }) => role !== 'structure');
    const isShown = ({ id }: Thing): boolean =>
      (this.#seen.get(id)?.count ?? 0) >= LEAST_VIEW_S * this.#script.fps;
    return {
      schema: 1,
      recording,
      frame: 'map',
      image_frames: this.#timesS.length,
      edited: '',
      scored_region: scoredRegion(first.room).map(({ center, size }) => ({
        center: rounded(center),
        size: rounded(size),
      })),
      ignore: [
        ...furnitureIgnoreBoxes(first),
        ...things
          .filter((thing) => thing.role === 'object' && !isShown(thing))
          .flatMap((thing) => this.#unseen(thing)),
      ],
      supports: trueSupports(first),
      objects: things.filter(isShown).map((thing) => this.#object(thing)),
      relations: this.#relations(new Set(things.filter(isShown).map(({ id }) => id))),
      changes: this.#changes(),
    };
  }

  #note(id: string, timeS: number): void {
    const seen = this.#seen.get(id);
    if (seen === undefined) this.#seen.set(id, { count: 1, firstS: timeS, lastS: timeS });
    else {
      seen.count++;
      seen.lastS = timeS;
    }
    for (const place of this.#left) {
      const { thing, fromS, toS } = place.rest;
      if (thing.id === id && fromS <= timeS && timeS < toS) place.lastBeforeS = timeS;
    }
  }

  /** Its place is seen empty when the ray through its middle ends behind that middle. */
  #lookAtPlace(
    place: LeftPlace,
    timeS: number,
    view: Rendering,
    camera: PinholeCamera,
    map_T_camera: RigidTransform,
  ): void {
    if (timeS < place.rest.toS) return;
    const seen = viewOfBox(place.box, camera, map_T_camera);
    if (seen === undefined || seen.insideShare < INSIDE_SHARE.object || seen.depthM > FARTHEST_M) return;
    if (seen.u < 0 || seen.v < 0 || seen.u >= camera.width || seen.v >= camera.height) return;
    if (view.depthM[seen.v * camera.width + seen.u] < seen.depthM) return;
    place.firstEmptyS ??= timeS;
    place.emptyCount++;
  }

  #object(thing: Thing): TruthObject {
    const { center, size } = thingHullBox(thing);
    const seen = this.#seen.get(thing.id)!;
    const isCoarse = thing.role === 'furniture';
    const left = this.#left.findLast(({ rest }) => rest.thing.id === thing.id);
    const isGone = this.#rests.get(thing.id)!.at(-1)!.toS < this.#script.durationS;
    return {
      id: thing.id,
      label: thing.label,
      coco_label: thing.cocoLabel ?? null,
      center: rounded(center),
      size: rounded(size),
      height_m: round(size[2]),
      position_tolerance_m: tolerance(size[0], size[1], size[2], isCoarse),
      tolerance_note: isCoarse
        ? 'middle of the whole piece; mostly its tops are seen'
        : 'exact middle of its hull, handles included',
      coarse: isCoarse,
      thin: size[2] < THIN_M,
      intervals: this.#intervals(thing.id),
      frames_visible: seen.count,
      first_seen: this.#seconds(seen.firstS),
      last_seen: this.#seconds(seen.lastS),
      ...(isGone && left !== undefined ? { frames_place_in_view_after: left.emptyCount } : {}),
    };
  }

  #intervals(id: string): TruthInterval[] {
    return this.#rests.get(id)!.flatMap((rest) => {
      const span = this.#pictureSpan(rest.fromS, rest.toS);
      const { center, size } = thingHullBox(rest.thing);
      return span === undefined ? [] : [{ ...span, center: rounded(center), size: rounded(size) }];
    });
  }

  #unseen(thing: Thing): IgnoreBox[] {
    return this.#intervals(thing.id).map(({ center, size, from, to }) => ({
      center,
      size: rounded([size[0] + 0.06, size[1] + 0.06, size[2] + 0.06]),
      why: `${thing.id} is hardly in view`,
      from,
      to,
    }));
  }

  #relations(shown: ReadonlySet<string>): TruthRelation[] {
    const times = this.#world.changeTimes();
    const open = new Map<string, TruthRelation>();
    const result: TruthRelation[] = [];
    times.forEach((fromS, index) => {
      const span = this.#pictureSpan(fromS, times[index + 1] ?? Infinity);
      if (span === undefined) return;
      const held = new Map<string, TruthRelation>();
      for (const relation of trueRelations(this.#resting(fromS))) {
        if (!shown.has(relation.subject) || (relation.relation === 'near' && !shown.has(relation.object)))
          continue;
        const key = `${relation.subject} ${relation.relation} ${relation.object}`;
        const from = open.get(key)?.from ?? span.from;
        held.set(key, { ...relation, from, to: span.to });
      }
      for (const [key, relation] of open) if (!held.has(key)) result.push(relation);
      open.clear();
      for (const [key, relation] of held) open.set(key, relation);
    });
    return [...result, ...open.values()];
  }

  /** The scene without what the gripper carries: a held thing rests nowhere. */
  #resting(fromS: number): ReturnType<World['sceneAt']> {
    const timeS = Math.max(0, fromS);
    const held = new Set(this.#world.heldAt(timeS));
    const scene = this.#world.sceneAt(timeS);
    return { ...scene, things: scene.things.filter(({ id }) => !held.has(id)) };
  }

  #changes(): TruthChange[] {
    return this.#left.flatMap((place): TruthChange[] => {
      const { thing, toS } = place.rest;
      const next = this.#rests.get(thing.id)!.find(({ fromS }) => fromS >= toS);
      const nextSpan = next && this.#pictureSpan(next.fromS, next.toS);
      const span = this.#pictureSpan(place.rest.fromS, toS);
      if (next !== undefined && nextSpan !== undefined && span !== undefined) {
        const [a, b] = [place.box.center, thingBox(next.thing).center];
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        return [
          {
            kind: 'moved',
            id: thing.id,
            last_before: span.to,
            first_after: nextSpan.from,
            distance_m: round(distance),
          },
        ];
      }
      if (place.lastBeforeS === undefined || place.firstEmptyS === undefined) return [];
      const [last, first] = [this.#seconds(place.lastBeforeS), this.#seconds(place.firstEmptyS)];
      return [{ kind: 'removed', id: thing.id, last_before: last, first_after: first }];
    });
  }

  /** First and last picture in [fromS, toS), in seconds of ROS time. */
  #pictureSpan(fromS: number, toS: number): { from: number; to: number } | undefined {
    const first = this.#timesS.find((timeS) => timeS >= fromS);
    const last = this.#timesS.findLast((timeS) => timeS < toS);
    if (first === undefined || last === undefined || last < first) return undefined;
    return { from: this.#seconds(first), to: this.#seconds(last) };
  }

  #seconds(timeS: number): number {
    return round(Number(this.#script.startStamp) / 1e9 + timeS);
  }
}

/** A seen surface lies before a thing's middle by up to half its depth; furniture is judged by its size. */
function tolerance(x: number, y: number, z: number, isCoarse: boolean): number {
  if (isCoarse) return round(Math.max(0.3, 0.4 * Math.max(x, y, z)));
  return round(Math.min(0.12, Math.max(0.05, 0.03 + 0.25 * Math.max(x, y))));
}
