/** The parts of a truth file that come from room and furniture alone: supports, scored region, ignore boxes. */
import { footprint } from '../math/box.js';
import type { Vec3 } from '../math/types.js';
import { compileThing } from './compileScene.js';
import type { IgnoreBox, TruthBox, TruthSupport } from './RecordingTruth.js';
import type { Room, Scene, Thing } from './Scene.js';
import { thingHullBox } from './thingBox.js';
import { surfaceBox } from './trueRelations.js';

/** Strip along the walls that is not scored: a wall's own waviness under noise ends here. */
const WALL_STRIP_M = 0.1;
/** How far legs and boards are grown before an entity centred in them is forgiven. */
const FRAME_MARGIN_M = 0.03;

/** All of the room except a strip along its walls: everything in it is known. */
export function scoredRegion({ center, size }: Room): TruthBox[] {
  return [
    {
      center: [center[0], center[1], size[2] / 2],
      size: [size[0] - 2 * WALL_STRIP_M, size[1] - 2 * WALL_STRIP_M, size[2] + 0.1],
    },
  ];
}

export function trueSupports(scene: Scene): TruthSupport[] {
  const flat = scene.things.flatMap((thing) =>
    (thing.surfaces ?? []).map((surface): TruthSupport => {
      const box = surfaceBox(thing, surface);
      const corners = footprint(box);
      const xs = corners.map(([x]) => x);
      const ys = corners.map(([, y]) => y);
      const hull: Vec3 = [Math.max(...xs) - Math.min(...xs), Math.max(...ys) - Math.min(...ys), 0.02];
      const { id, kind } = surface;
      return {
        id,
        kind,
        z: round(box.center[2]),
        center: rounded(box.center),
        size: rounded(hull),
        corners: corners.map(([x, y]) => [round(x), round(y)] as const),
      };
    }),
  );
  const walls = scene.things.flatMap((thing) =>
    thing.label === 'wall' ? [wallPlane(thing, scene.room)] : [],
  );
  return [...flat, ...walls];
}

/** Legs, sides and backs: parts of furniture that a perception may report by themselves without being wrong. */
export function furnitureIgnoreBoxes(scene: Scene): IgnoreBox[] {
  return scene.things.filter(({ role }) => role === 'furniture').flatMap(frameBoxes);
}

function frameBoxes(thing: Thing): IgnoreBox[] {
  const tops = (thing.surfaces ?? []).map((surface) => surfaceBox(thing, surface).center[2]);
  return compileThing(thing, 1).map((_, index) => {
    const { center, size } = thingHullBox({ ...thing, parts: [thing.parts[index]] });
    const low = center[2] - size[2] / 2 - FRAME_MARGIN_M;
    const top = center[2] + size[2] / 2;
    // A patch of a bare top is a mistake: under a surface the box ends inside the board.
    const high = tops.some((z) => Math.abs(z - top) < 1e-6) ? top - 0.01 : top + FRAME_MARGIN_M;
    return {
      center: rounded([center[0], center[1], (low + high) / 2]),
      size: rounded([size[0] + 2 * FRAME_MARGIN_M, size[1] + 2 * FRAME_MARGIN_M, high - low]),
      why: `frame of ${thing.id}`,
    };
  });
}

function wallPlane(thing: Thing, room: Room): TruthSupport {
  const { center, size } = thingHullBox({ ...thing, parts: thing.parts.slice(0, 1) });
  const axis = size[0] < size[1] ? 0 : 1;
  const side = center[axis] < room.center[axis] ? 1 : -1;
  const normal: [number, number] = axis === 0 ? [side, 0] : [0, side];
  const face = center[axis] + (side * size[axis]) / 2;
  return { id: thing.id, kind: 'wall', plane: [normal[0], normal[1], 0, round(-side * face)] };
}

/** To a tenth of a millimetre. */
export function round(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}

export function rounded([x, y, z]: Vec3): Vec3 {
  return [round(x), round(y), round(z)];
}
