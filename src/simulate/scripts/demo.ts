import { DEFAULT_DEPTH_SENSOR } from '../DepthSensor.js';
import { roomThings, shelf, table } from '../furniture.js';
import type { RobotScript } from '../RobotMotion.js';
import type { Room, Scene } from '../Scene.js';
import type { SimScript } from '../SimScript.js';
import { at, ball, book, bottle, bowl, can, carton, mug, openBox, plant, vase } from '../things.js';

const TABLE_Z = 0.74;
const SIDE_TABLE_Z = 0.5;
const BOARDS_Z = [0.42, 0.78, 1.12] as const;

/**
 * A living room: a big table with eight things, a shelf with seven, a side table with three, two on the floor.
 * The robot drives around the big table, passes the shelf and ends at the side table.
 *
 * ```
 *  y ▲  ┌──────────────────────────────────┐
 *    │  │        [ shelf ]                 │
 *    │  │                 ◄── ── ─┐        │
 *    │  │     ▼        ┌────────┐ │        │
 *    │  │ [side]       │ table  │ ▲        │
 *    │  │              └────────┘ │        │
 *    │  │        start ── ──► ── ─┘        │
 *    └  └──────────────────────────────────┘ ► x
 * ```
 */
export function demo(seed: number): SimScript {
  return {
    name: 'demo',
    seed,
    durationS: 28.5,
    fps: 15,
    startStamp: 1_800_000_000_000_000_000n,
    scene: demoScene(),
    events: [],
    robot: demoRobot(),
    camera: { width: 640, height: 480, horizontalFov: 1.05, colorOffset: [0.02, 0.0175, 0] },
    sensor: { ...DEFAULT_DEPTH_SENSOR, disparity: { focalBaseline: 43, stepsPerPx: 8 } },
  };
}

function demoScene(): Scene {
  const room: Room = { center: [0, 0], size: [5.4, 4.8, 2.7] };
  const shelfPose = at(-0.7, 2.23, 0);
  const onShelf = (x: number, board: 0 | 1 | 2, yaw = 0) =>
    at(shelfPose.position[0] + x, 2.21, BOARDS_Z[board], yaw);
  return {
    room,
    light: { position: [0.1, 0.1, 2.6], strength: 1 },
    things: [
      ...roomThings(room, { floor: { kind: 'wood', color: [168, 128, 92] }, wall: [203, 208, 205] }),
      table('table', at(0.65, 0.2, 0, 0.08), [1.5, 0.85, TABLE_Z], { kind: 'wood', color: [196, 152, 104] }),
      table(
        'side_table',
        at(-2.0, -0.75, 0),
        [0.6, 0.6, SIDE_TABLE_Z],
        { kind: 'plain', color: [226, 224, 216] },
        [226, 224, 216],
      ),
      shelf('shelf', shelfPose, [1.2, 0.32, 1.5], BOARDS_Z, { kind: 'wood', color: [150, 112, 76] }),
      ...tableThings(),
      can('can_green', onShelf(-0.4, 2), [52, 132, 74]),
      plant('plant', onShelf(0.0, 2), 0.05),
      carton(
        'tea_box',
        onShelf(0.4, 2, 0.15),
        [0.16, 0.09, 0.11],
        [
          [206, 164, 60],
          [92, 40, 34],
        ],
        8,
      ),
      vase('vase', onShelf(-0.36, 1), [70, 116, 158], 0.062, 0.21),
      book('book_shelf', onShelf(0.02, 1, -0.1), [0.2, 0.15, 0.04], [128, 44, 52], 4),
      bowl('bowl_blue', onShelf(0.38, 1), [88, 128, 186], 0.08, 0.065),
      carton(
        'shelf_box',
        onShelf(-0.1, 0),
        [0.26, 0.2, 0.17],
        [
          [150, 158, 168],
          [78, 86, 98],
        ],
        12,
      ),
      mug('mug_red', at(-2.15, -0.62, SIDE_TABLE_Z, -0.6), [186, 52, 46]),
      bottle('bottle_brown', at(-1.88, -0.65, SIDE_TABLE_Z), [98, 62, 36], 0.034, 0.23),
      book('book_side', at(-2.0, -0.88, SIDE_TABLE_Z, 0.25), [0.2, 0.14, 0.032], [46, 94, 88], 6),
      openBox('storage_box', at(-1.35, -1.6, 0, 0.2), [0.42, 0.32, 0.24], {
        kind: 'stripes',
        colors: [
          [196, 170, 128],
          [182, 152, 108],
        ],
        sizeM: 0.03,
      }),
      ball('ball', at(-1.55, 0.95, 0), 'sports ball', [212, 92, 40], 0.11, 'sports ball'),
    ],
  };
}

function tableThings(): Scene['things'] {
  const z = TABLE_Z;
  return [
    mug('mug_blue', at(0.28, 0.02, z, 2.4), [58, 96, 168]),
    bowl('bowl_white', at(0.72, 0.28, z), [232, 228, 216], 0.09, 0.07),
    book('book_table', at(0.58, -0.03, z, 0.35), [0.22, 0.16, 0.036], [40, 70, 120], 2),
    carton(
      'cereal_box',
      at(0.98, 0.42, z, 0.5),
      [0.19, 0.065, 0.27],
      [
        [226, 176, 52],
        [190, 48, 40],
      ],
      3,
    ),
    bottle('bottle_green', at(1.08, 0.08, z), [54, 122, 70]),
    can('can_red', at(0.3, 0.36, z), [178, 40, 44]),
    ball('apple', at(0.88, -0.04, z), 'apple', [170, 44, 36], 0.04, 'apple'),
    openBox(
      'basket',
      at(0.08, 0.18, z, 0.3),
      [0.2, 0.15, 0.09],
      { kind: 'plain', color: [120, 150, 140] },
      0.008,
    ),
  ];
}

function demoRobot(): RobotScript {
  return {
    mast: [0.08, 0, 1.32],
    base: [
      { atS: 0, x: -0.9, y: -1.0, yaw: -0.2 },
      { atS: 1, x: -0.82, y: -1.03, yaw: -0.15 },
      { atS: 5, x: 0.6, y: -1.2, yaw: 0.05 },
      { atS: 9.5, x: 1.9, y: -0.75, yaw: 0.9 },
      { atS: 13, x: 2.05, y: 0.4, yaw: 1.8 },
      { atS: 17, x: 1.2, y: 1.25, yaw: 2.9 },
      { atS: 20.5, x: 0.1, y: 1.15, yaw: 3.4 },
      { atS: 24, x: -0.75, y: 0.65, yaw: 3.8 },
      { atS: 27.5, x: -1.1, y: 0.1, yaw: 4.1 },
      { atS: 28.5, x: -1.15, y: 0.0, yaw: 4.1 },
    ],
    gaze: [
      { atS: 0, target: [0.5, 0.1, 0.75] },
      { atS: 7, target: [0.65, 0.2, 0.75] },
      { atS: 12.5, target: [0.65, 0.25, 0.75] },
      { atS: 15.5, target: [0.1, 0.7, 0.7] },
      { atS: 18, target: [-0.65, 2.1, 0.85] },
      { atS: 21.2, target: [-0.7, 2.2, 0.85] },
      { atS: 24, target: [-2.4, 1.2, 0.6] },
      { atS: 26, target: [-2.0, -0.75, 0.5] },
      { atS: 28.5, target: [-1.9, -0.85, 0.45] },
    ],
  };
}
