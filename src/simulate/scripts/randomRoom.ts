/**
 * Rooms for tuning: a table in the middle, other furniture at the walls, clutter on all of it, a robot that drives
 * around the table and looks at each piece as it passes, a camera and a sensor of their own. Everything follows from the seed.
 */
import type { Vec3 } from '../../math/types.js';
import { DEFAULT_DEPTH_SENSOR, type DepthSensorParameters } from '../DepthSensor.js';
import { roomThings, shelf, table } from '../furniture.js';
import type { BaseKey, GazeKey, RobotScript } from '../RobotMotion.js';
import type { Room, Scene, Texture, Thing } from '../Scene.js';
import { SeededRandom } from '../SeededRandom.js';
import type { CameraSetup, SimScript } from '../SimScript.js';
import { at } from '../things.js';
import type { SceneEvent } from '../World.js';
import { findFreePlace, furnitureColor, randomThing } from './clutter.js';

/** Driving speed along the ring, m/s. */
const SPEED = 0.3;

interface WallPiece {
  readonly thing: Thing;
  /** Direction from the room's middle. */
  readonly bearing: number;
  readonly target: Vec3;
}

/** A room before anybody drives through it. */
export interface Plan {
  readonly scene: Scene;
  readonly pieces: readonly WallPiece[];
  readonly ringRadius: number;
  readonly middle: Thing;
}

/** One round through a room in which nothing changes. */
export function randomRoom(seed: number): SimScript {
  const random = new SeededRandom(seed);
  const plan = planRoom(random);
  return script('random_room', seed, plan, ringDrive(plan, 1, random), [], random);
}

/** Two rounds; about half way one thing is taken away and another moved on its own support. */
export function changedRoom(seed: number): SimScript {
  const random = new SeededRandom(seed);
  const plan = planRoom(random);
  const robot = ringDrive(plan, 2, random);
  const halfS = robot.base.at(-1)!.atS / 2;
  return script('changed_room', seed, plan, robot, twoChanges(plan, halfS, random), random);
}

/**
 * A short look at a room, as much as a few seconds show: a piece of furniture at a wall, then the table in passing. In each
 * second room a thing on the table is taken away and another moved while the camera looks. Small and slow pictures too.
 */
export function roomLook(seed: number): SimScript {
  const random = new SeededRandom(seed);
  const plan = planRoom(random);
  const robot = lookDrive(plan, random);
  const events = seed % 2 === 0 ? twoChanges(plan, CHANGE_S, random) : [];
  const look = script('room_look', seed, plan, robot, events, random);
  const scale = random.pick([1, 0.5, 0.5]);
  return { ...look, fps: random.pick([5, 7.5, 10]), camera: scaledCamera(look.camera, scale) };
}

function script(
  name: string,
  seed: number,
  plan: Plan,
  robot: RobotScript,
  events: readonly SceneEvent[],
  random: SeededRandom,
): SimScript {
  return {
    name: `${name}_${seed}`,
    seed,
    durationS: Math.floor(robot.base.at(-1)!.atS),
    fps: 10,
    startStamp: 1_800_000_000_000_000_000n,
    scene: plan.scene,
    events,
    robot,
    camera: randomCamera(random),
    sensor: randomSensor(random),
  };
}

export function planRoom(random: SeededRandom): Plan {
  const size: Vec3 = [random.between(0.8, 1.7), random.between(0.6, 0.95), random.between(0.45, 0.85)];
  const middle = table('table', at(0, 0, 0, random.between(-0.4, 0.4)), size, randomTop(random));
  const ringRadius = Math.hypot(size[0], size[1]) / 2 + random.between(0.45, 0.75);
  const half = (): number => ringRadius + random.between(0.95, 1.5);
  const room: Room = { center: [0, 0], size: [2 * half(), 2 * half(), 2.7] };
  const bearings = random.shuffled([0, 1, 2, 3]).slice(0, 1 + random.below(3));
  const pieces = bearings.map((quarter, index) => wallPiece(index, (quarter * Math.PI) / 2, room, random));
  const furniture = [middle, ...pieces.map(({ thing }) => thing)];
  const floor: Texture = random.pick<Texture>([
    { kind: 'wood', color: furnitureColor(random) },
    {
      kind: 'checker',
      colors: [
        [196, 192, 186],
        [150, 148, 144],
      ],
      sizeM: 0.3,
    },
    { kind: 'plain', color: furnitureColor(random) },
  ]);
  const light = {
    position: [random.between(-0.8, 0.8), random.between(-0.8, 0.8), 2.6] as Vec3,
    strength: random.between(0.8, 1.1),
  };
  const things = [
    ...roomThings(room, {
      floor,
      wall: [random.between(170, 225), random.between(175, 225), random.between(170, 220)],
    }),
    ...furniture,
    ...clutterOn(furniture, random),
  ];
  return { scene: { room, light, things }, pieces, ringRadius, middle };
}

function randomTop(random: SeededRandom): Texture {
  return random.uniform() < 0.6
    ? { kind: 'wood', color: furnitureColor(random) }
    : { kind: 'plain', color: furnitureColor(random) };
}

/** A shelf or a lower table with its back to a wall. */
function wallPiece(index: number, bearing: number, room: Room, random: SeededRandom): WallPiece {
  const isShelf = random.uniform() < 0.5;
  const depth = isShelf ? random.between(0.26, 0.36) : random.between(0.4, 0.6);
  const width = random.between(0.7, 1.3);
  const alongX = Math.abs(Math.cos(bearing)) > 0.5;
  const reach = (alongX ? room.size[0] : room.size[1]) / 2 - depth / 2 - 0.02;
  const pose = at(
    Math.round(Math.cos(bearing)) * reach,
    Math.round(Math.sin(bearing)) * reach,
    0,
    bearing - Math.PI / 2,
  );
  if (isShelf) {
    const boards = [random.between(0.3, 0.45), random.between(0.72, 0.85), random.between(1.08, 1.2)];
    const thing = shelf(`shelf_${index}`, pose, [width, depth, 1.5], boards, randomTop(random));
    return { thing, bearing, target: [pose.position[0], pose.position[1], 0.8] };
  }
  const height = random.between(0.4, 0.9);
  const thing = table(
    `side_table_${index}`,
    pose,
    [width, depth, height],
    randomTop(random),
    furnitureColor(random),
  );
  return { thing, bearing, target: [pose.position[0], pose.position[1], height] };
}

function clutterOn(furniture: readonly Thing[], random: SeededRandom): Thing[] {
  const placed: Thing[] = [];
  for (const owner of furniture) {
    owner.surfaces!.forEach((surface, surfaceIndex) => {
      const area = surface.size[0] * surface.size[1];
      const wanted = Math.min(10, 1 + random.below(3 + Math.round(9 * area)));
      for (let k = 0; k < wanted; k++) {
        const thing = randomThing(`thing_${placed.length}`, random, surface.kind === 'shelf' ? 0.24 : 0.35);
        const pose = findFreePlace(thing, owner, surfaceIndex, placed, random.between(0.04, 0.12), random);
        if (pose !== undefined) placed.push(named({ ...thing, pose }, placed.length));
      }
    });
  }
  return placed;
}

function named(thing: Thing, index: number): Thing {
  return { ...thing, id: `${thing.label.replace(' ', '_')}_${index}` };
}

/** Keys along a ring about the middle: mostly it looks at the table, at each wall piece when it comes past. */
export function ringDrive({ pieces, ringRadius }: Plan, rounds: number, random: SeededRandom): RobotScript {
  const direction = random.uniform() < 0.5 ? 1 : -1;
  const start = random.between(-Math.PI, Math.PI);
  const sweep = 2 * Math.PI * rounds;
  // Time to look from one thing to another, and to see each.
  const durationS = Math.max(22 * rounds, (sweep * ringRadius) / SPEED + 2 * pieces.length);
  const angleAt = (timeS: number): number => start + (direction * sweep * timeS) / durationS;
  const base: BaseKey[] = [];
  const gaze: GazeKey[] = [];
  for (let timeS = 0; timeS <= durationS; timeS += 1.5) {
    const angle = angleAt(timeS);
    const [x, y] = [ringRadius * Math.cos(angle), ringRadius * Math.sin(angle)];
    base.push({ atS: timeS, x, y, yaw: angle + (direction * Math.PI) / 2 });
    const passing = pieces.find(({ bearing }) => Math.cos(angle - bearing) > Math.cos(0.5));
    gaze.push({ atS: timeS, target: passing?.target ?? [0, 0, 0.6] });
  }
  return { base, gaze, mast: [random.between(0, 0.15), 0, random.between(1.1, 1.5)] };
}

/** Length of a look, and when things change in it: late enough to know them, early enough to notice. */
const LOOK_S = 10;
const CHANGE_S = 6;

/** Along a part of the ring beside the first wall piece: it is looked at for three seconds, then the table. */
function lookDrive({ pieces, ringRadius }: Plan, random: SeededRandom): RobotScript {
  const direction = random.uniform() < 0.5 ? 1 : -1;
  const [piece] = pieces;
  const start = piece.bearing + direction * random.between(0.9, 1.5);
  const base = Array.from({ length: LOOK_S + 1 }, (_, atS): BaseKey => {
    const angle = start + (direction * SPEED * atS) / ringRadius;
    return {
      atS,
      x: ringRadius * Math.cos(angle),
      y: ringRadius * Math.sin(angle),
      yaw: angle + (direction * Math.PI) / 2,
    };
  });
  const table: Vec3 = [random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(0.5, 0.7)];
  const gaze: GazeKey[] = [
    { atS: 0, target: piece.target },
    { atS: 2.5, target: piece.target },
    { atS: 4, target: table },
  ];
  return { base, gaze, mast: [random.between(0, 0.15), 0, random.between(1, 1.6)] };
}

/** The same camera with smaller pictures. */
function scaledCamera(camera: CameraSetup, scale: number): CameraSetup {
  const { depth, width, height } = camera;
  const size = { width: width * scale, height: height * scale };
  return { ...camera, ...size, ...(depth === undefined ? {} : { depth: { ...depth, ...size } }) };
}

function randomCamera(random: SeededRandom): CameraSetup {
  const [width, height] = random.pick([
    [640, 480],
    [640, 480],
    [640, 360],
  ] as const);
  const horizontalFov = random.between(0.95, 1.25);
  const colorOffset: Vec3 = [0, random.between(-0.02, 0.02), 0];
  if (random.uniform() < 0.7) return { width, height, horizontalFov, colorOffset };
  const offset: Vec3 = [0, colorOffset[1] + random.between(0.015, 0.05), 0];
  return {
    width,
    height,
    horizontalFov,
    colorOffset,
    depth: { offset, width, height, horizontalFov: horizontalFov + 0.05 },
  };
}

export function randomSensor(random: SeededRandom): DepthSensorParameters {
  const sensor = {
    ...DEFAULT_DEPTH_SENSOR,
    noiseScale: random.between(0.6, 1.4),
    edgeHoleShare: random.between(0.1, 0.5),
    edgeFlyingShare: random.between(0.1, 0.4),
    blobsPerFrame: random.between(0, 5),
  };
  return random.uniform() < 0.5 ? sensor : { ...sensor, disparity: { focalBaseline: 43, stepsPerPx: 8 } };
}

function twoChanges({ scene, middle }: Plan, halfS: number, random: SeededRandom): SceneEvent[] {
  const objects = random.shuffled(scene.things.filter(({ role }) => role === 'object'));
  const onTable = objects.filter(({ pose }) => pose.position[2] === middle.surfaces![0].center[2]);
  const [gone, ...others] = objects;
  const events: SceneEvent[] = gone === undefined ? [] : [{ atS: halfS, kind: 'remove', id: gone.id }];
  const moved = onTable.find((thing) => others.includes(thing));
  const rest = objects.filter((thing) => thing !== moved);
  const pose = moved && findFreePlace(moved, middle, 0, rest, 0.05, random);
  if (moved !== undefined && pose !== undefined)
    events.push({ atS: halfS + 2, kind: 'move', id: moved.id, pose });
  return events;
}
