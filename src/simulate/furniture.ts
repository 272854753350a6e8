/** Makers of what stands still: rooms, tables, shelves. */
import type { Vec3 } from '../math/types.js';
import type { Part, Rgb, Room, Surface, Texture, Thing, ThingPose } from './Scene.js';

const WALL_THICKNESS_M = 0.1;

const boxPart = (size: Vec3, position: Vec3, texture: Texture): Part => ({
  shape: { kind: 'box', size },
  position,
  texture,
});

export interface RoomLook {
  readonly floor: Texture;
  readonly wall: Rgb;
}

/** Floor (top at z = 0) and four walls around the room; ids `floor`, `wall_west`, `wall_east`, `wall_south`, `wall_north`. */
export function roomThings({ center, size }: Room, look: RoomLook): Thing[] {
  const [w, d, h] = size;
  const t = WALL_THICKNESS_M;
  const wall = (name: string, side: Vec3, offset: Vec3): Thing => ({
    id: `wall_${name}`,
    label: 'wall',
    role: 'structure',
    pose: { position: [center[0] + offset[0], center[1] + offset[1], 0], yaw: 0 },
    parts: [
      boxPart(side, [0, 0, h / 2], { kind: 'plain', color: look.wall }),
      // A skirting board flush with the wall: colour without geometry worth an object.
      boxPart([side[0] + 0.004, side[1] + 0.004, 0.08], [0, 0, 0.04], {
        kind: 'plain',
        color: [236, 234, 228],
      }),
    ],
  });
  return [
    {
      id: 'floor',
      label: 'floor',
      role: 'structure',
      pose: { position: [center[0], center[1], 0], yaw: 0 },
      parts: [boxPart([w + 2 * t, d + 2 * t, t], [0, 0, -t / 2], look.floor)],
      surfaces: [{ id: 'floor', kind: 'floor', center: [0, 0, 0], size: [w, d] }],
    },
    wall('west', [t, d + 2 * t, h], [-(w + t) / 2, 0, 0]),
    wall('east', [t, d + 2 * t, h], [(w + t) / 2, 0, 0]),
    wall('south', [w, t, h], [0, -(d + t) / 2, 0]),
    wall('north', [w, t, h], [0, (d + t) / 2, 0]),
  ];
}

/** Four-legged table, top surface at `size[2]`; the surface has the table's id. */
export function table(
  id: string,
  pose: ThingPose,
  size: Vec3,
  texture: Texture,
  legColor: Rgb = [70, 62, 56],
): Thing {
  const [w, d, h] = size;
  const top = 0.035;
  const leg = 0.05;
  const legs = [-1, 1].flatMap((sx) =>
    [-1, 1].map((sy) =>
      boxPart([leg, leg, h - top], [sx * (w / 2 - leg), sy * (d / 2 - leg), (h - top) / 2], {
        kind: 'plain',
        color: legColor,
      }),
    ),
  );
  return {
    id,
    label: 'table',
    cocoLabel: 'dining table',
    role: 'furniture',
    pose,
    parts: [boxPart([w, d, top], [0, 0, h - top / 2], texture), ...legs],
    surfaces: [{ id, kind: 'table', center: [0, 0, h], size: [w, d] }],
  };
}

export const BOARD_THICKNESS_M = 0.022;

/** Shelf with two sides, a back (at +y) and boards whose upper faces lie at `boardHeights`; surfaces `<id>_board_<k>`, k from 1. */
export function shelf(
  id: string,
  pose: ThingPose,
  size: Vec3,
  boardHeights: readonly number[],
  texture: Texture,
): Thing {
  const [w, d, h] = size;
  const t = BOARD_THICKNESS_M;
  const boards = boardHeights.map((z) => boxPart([w - 2 * t, d - 0.01, t], [0, -0.005, z - t / 2], texture));
  const surfaces = boardHeights.map((z, index): Surface => ({
    id: `${id}_board_${index + 1}`,
    kind: 'shelf',
    center: [0, -0.005, z],
    size: [w - 2 * t, d - 0.01],
  }));
  return {
    id,
    label: 'shelf',
    role: 'furniture',
    pose,
    parts: [
      boxPart([t, d, h], [-(w - t) / 2, 0, h / 2], texture),
      boxPart([t, d, h], [(w - t) / 2, 0, h / 2], texture),
      boxPart([w - 2 * t, 0.01, h], [0, d / 2 - 0.005, h / 2], texture),
      ...boards,
    ],
    surfaces,
  };
}
