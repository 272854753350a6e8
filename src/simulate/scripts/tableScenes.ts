/** Small scenes on one table for single questions: identical cups, a thing that is picked up and put down elsewhere. */
import { DEFAULT_DEPTH_SENSOR } from '../DepthSensor.js';
import { roomThings, table } from '../furniture.js';
import type { RobotScript } from '../RobotMotion.js';
import type { Room, Scene, Thing } from '../Scene.js';
import type { SimScript } from '../SimScript.js';
import { at, bottle, carton, mug } from '../things.js';
import type { SceneEvent } from '../World.js';

const TABLE_Z = 0.72;

/** Two cups that nothing but their place tells apart, 15 cm from each other; the view crosses from one side to the other. */
export function twoCups(seed: number): SimScript {
  const cups = [
    mug('cup_left', at(-0.075, 0, TABLE_Z), [200, 60, 50]),
    mug('cup_right', at(0.075, 0, TABLE_Z), [200, 60, 50]),
  ];
  const robot: RobotScript = {
    mast: [0, 0, 1.3],
    base: [-1.1, -0.55, 0, 0.55, 1.1].map((angle, index) => ({
      atS: 5 * index,
      x: 1.2 * Math.sin(angle),
      y: -1.2 * Math.cos(angle),
      yaw: angle + Math.PI / 2,
    })),
    gaze: [{ atS: 0, target: [0, 0, TABLE_Z + 0.05] }],
  };
  return tableScript('two_cups', seed, cups, robot, 20, []);
}

/** A cup is picked up in view, carried in front of the camera and put down at the other end of the table. */
export function pickAndPlace(seed: number): SimScript {
  const things = [
    mug('cup', at(-0.3, -0.1, TABLE_Z), [60, 110, 190]),
    bottle('bottle', at(0.05, 0.1, TABLE_Z), [60, 130, 80]),
    carton(
      'box',
      at(-0.5, 0.15, TABLE_Z, 0.3),
      [0.16, 0.08, 0.2],
      [
        [220, 180, 70],
        [150, 50, 40],
      ],
    ),
  ];
  const robot: RobotScript = {
    mast: [0, 0, 1.3],
    base: [
      { atS: 0, x: -0.3, y: -1.0, yaw: Math.PI / 2 },
      { atS: 6, x: -0.3, y: -1.0, yaw: Math.PI / 2 },
      { atS: 10, x: 0.35, y: -1.0, yaw: Math.PI / 2 },
      { atS: 16, x: 0.35, y: -1.0, yaw: Math.PI / 2 },
    ],
    gaze: [{ atS: 0, target: [0, 0, TABLE_Z] }],
    gripper: [
      { atS: 0, position: [0.4, 0.2, 0.9] },
      { atS: 4, position: [0.9, 0, TABLE_Z + 0.1] },
      { atS: 6, position: [0.8, 0, TABLE_Z + 0.3] },
      { atS: 10, position: [0.8, 0, TABLE_Z + 0.3] },
      { atS: 12, position: [0.9, 0, TABLE_Z + 0.1] },
      { atS: 14, position: [0.4, 0.2, 0.9] },
    ],
  };
  const events: SceneEvent[] = [
    { atS: 4, kind: 'pick', id: 'cup' },
    { atS: 12, kind: 'place', id: 'cup', pose: at(0.35, -0.1, TABLE_Z) },
  ];
  return tableScript('pick_and_place', seed, things, robot, 16, events);
}

function tableScript(
  name: string,
  seed: number,
  things: readonly Thing[],
  robot: RobotScript,
  durationS: number,
  events: readonly SceneEvent[],
): SimScript {
  return {
    name,
    seed,
    durationS,
    fps: 10,
    startStamp: 1_800_000_000_000_000_000n,
    scene: tableScene(things),
    events,
    robot,
    camera: { width: 640, height: 480, horizontalFov: 1.05, colorOffset: [0, 0.0175, 0] },
    sensor: DEFAULT_DEPTH_SENSOR,
  };
}

function tableScene(things: readonly Thing[]): Scene {
  const room: Room = { center: [0, 0], size: [4, 4, 2.7] };
  return {
    room,
    light: { position: [0.3, -0.2, 2.6], strength: 1 },
    things: [
      ...roomThings(room, { floor: { kind: 'wood', color: [150, 120, 96] }, wall: [206, 204, 196] }),
      table('table', at(0, 0, 0), [1.5, 0.8, TABLE_Z], { kind: 'wood', color: [190, 150, 110] }),
      ...things,
    ],
  };
}
