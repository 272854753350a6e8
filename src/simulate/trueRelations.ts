import { boxBottom, boxGap, boxTop, containsPoint } from '../math/box.js';
import { transformPoint } from '../math/rigidTransform.js';
import type { Box } from '../math/types.js';
import { map_T_thing } from './compileScene.js';
import type { TruthRelation } from './RecordingTruth.js';
import type { Scene, Surface, Thing } from './Scene.js';
import { thingBox } from './thingBox.js';

export type SceneRelation = Pick<TruthRelation, 'subject' | 'relation' | 'object'>;

/** Things rest exactly on what carries them; this only absorbs rounding in scripts. */
const CONTACT_M = 0.012;
/** Closer than this counts as a clear `near`. */
const NEAR_M = 0.1;

interface Place {
  readonly ownerId: string;
  readonly id: string;
  readonly box: Box;
}

/** What a scene's geometry says: `on` the direct support, `inside` a hollow, `near` a close neighbour. */
export function trueRelations(scene: Scene): SceneRelation[] {
  const objects = scene.things.filter(({ role }) => role === 'object');
  const tops = scene.things.flatMap(supportPlaces);
  const hollows = scene.things.flatMap(hollowPlace);
  const resting = objects.flatMap((thing) => restingRelation(thing, tops, hollows));
  return [...resting, ...nearRelations(objects, resting)];
}

/** A surface's box in the map, without height. */
export function surfaceBox(thing: Thing, surface: Surface): Box {
  return {
    center: transformPoint(map_T_thing(thing), surface.center),
    size: [surface.size[0], surface.size[1], 0],
    yaw: thing.pose.yaw,
  };
}

function supportPlaces(thing: Thing): Place[] {
  const surfaces = (thing.surfaces ?? []).map((surface) => ({
    ownerId: thing.id,
    id: surface.id,
    box: surfaceBox(thing, surface),
  }));
  if (thing.role !== 'object' || thing.hasFlatTop === false) return surfaces;
  const box = thingBox(thing);
  const top: Box = {
    ...box,
    center: [box.center[0], box.center[1], boxTop(box)],
    size: [box.size[0], box.size[1], 0],
  };
  return [...surfaces, { ownerId: thing.id, id: thing.id, box: top }];
}

function hollowPlace(thing: Thing): Place[] {
  if (thing.interior === undefined) return [];
  const { bottom, size } = thing.interior;
  const middle = transformPoint(map_T_thing(thing), [bottom[0], bottom[1], bottom[2] + size[2] / 2]);
  return [{ ownerId: thing.id, id: thing.id, box: { center: middle, size, yaw: thing.pose.yaw } }];
}

function restingRelation(thing: Thing, tops: readonly Place[], hollows: readonly Place[]): SceneRelation[] {
  const box = thingBox(thing);
  const foot = [box.center[0], box.center[1], boxBottom(box)] as const;
  const isOther = ({ ownerId }: Place): boolean => ownerId !== thing.id;
  const hollow = hollows.find((place) => isOther(place) && containsPoint(place.box, foot, CONTACT_M));
  if (hollow !== undefined) return [{ subject: thing.id, relation: 'inside', object: hollow.id }];
  const top = tops.find((place) => isOther(place) && containsPoint(place.box, foot, CONTACT_M));
  return top === undefined ? [] : [{ subject: thing.id, relation: 'on', object: top.id }];
}

function nearRelations(objects: readonly Thing[], resting: readonly SceneRelation[]): SceneRelation[] {
  const joined = new Set(
    resting.flatMap(({ subject, object }) => [`${subject} ${object}`, `${object} ${subject}`]),
  );
  const boxes = objects.map(thingBox);
  return objects.flatMap((a, i) =>
    objects.slice(i + 1).flatMap((b, offset): SceneRelation[] => {
      if (joined.has(`${a.id} ${b.id}`) || boxGap(boxes[i], boxes[i + 1 + offset]) >= NEAR_M) return [];
      return [{ subject: a.id, relation: 'near', object: b.id }];
    }),
  );
}
