import assert from 'node:assert/strict';
import { RobotMotion } from '../../src/simulate/RobotMotion.js';
import type { Scene } from '../../src/simulate/Scene.js';
import { at, can, mug } from '../../src/simulate/things.js';
import { World, type SceneEvent } from '../../src/simulate/World.js';

const cup = mug('cup', at(1, 0, 0.5), [200, 0, 0]);
const tin = can('tin', at(1, 0.3, 0.5), [0, 200, 0]);
const scene: Scene = {
  room: { center: [0, 0], size: [4, 4, 3] },
  light: { position: [0, 0, 2.5], strength: 1 },
  things: [cup, tin],
};
/** Drives from x = 0 to x = 1 in ten seconds; the gripper stays 0.9 m ahead and 0.55 m up. */
const motion = new RobotMotion({
  mast: [0, 0, 1],
  base: [
    { atS: 0, x: 0, y: 0, yaw: 0 },
    { atS: 10, x: 1, y: 0, yaw: 0 },
  ],
  gaze: [{ atS: 0, target: [2, 0, 0] }],
  gripper: [{ atS: 0, position: [0.9, 0, 0.55] }],
});
const worldOf = (...events: SceneEvent[]): World => new World(scene, events, motion);
const placeOf = (world: World, id: string, timeS: number): readonly number[] | undefined =>
  world.sceneAt(timeS).things.find((thing) => thing.id === id)?.pose.position;

describe('World', () => {
  it('hands out the same scene until something changes', () => {
    const world = worldOf({ atS: 5, kind: 'remove', id: 'tin' });
    assert.equal(world.sceneAt(0), world.sceneAt(4.99));
    assert.equal(world.sceneAt(5), world.sceneAt(9));
    assert.deepEqual(placeOf(world, 'tin', 4.99), [1, 0.3, 0.5]);
    assert.equal(placeOf(world, 'tin', 5), undefined);
  });

  it('gives a moved thing two rests and leaves the others one', () => {
    const rests = worldOf({ atS: 3, kind: 'move', id: 'cup', pose: at(1.2, 0.1, 0.5) }).rests();
    assert.deepEqual(
      rests.get('cup')!.map(({ fromS, toS, thing }) => [fromS, toS, thing.pose.position]),
      [
        [-Infinity, 3, [1, 0, 0.5]],
        [3, Infinity, [1.2, 0.1, 0.5]],
      ],
    );
    assert.deepEqual(
      rests.get('tin')!.map(({ fromS, toS }) => [fromS, toS]),
      [[-Infinity, Infinity]],
    );
  });

  // time   0     pick 2            place 8
  // cup    rest ──┤ in the gripper ├── rest elsewhere
  it('carries a picked thing with the gripper, at the offset it was grasped with', () => {
    const world = worldOf(
      { atS: 2, kind: 'pick', id: 'cup' },
      { atS: 8, kind: 'place', id: 'cup', pose: at(1.5, 0, 0.5) },
    );
    const grasped = placeOf(world, 'cup', 2)!;
    assert.ok(Math.hypot(grasped[0] - 1, grasped[1], grasped[2] - 0.5) < 1e-9);
    const driven = motion.map_T_base(6).translation[0] - motion.map_T_base(2).translation[0];
    assert.ok(driven > 0.3);
    assert.ok(Math.abs(placeOf(world, 'cup', 6)![0] - 1 - driven) < 1e-9);
    assert.deepEqual(world.heldAt(6), ['cup']);
    assert.deepEqual(world.heldAt(8), []);
    assert.deepEqual(placeOf(world, 'cup', 8), [1.5, 0, 0.5]);
    assert.deepEqual(
      world
        .rests()
        .get('cup')!
        .map(({ fromS, toS }) => [fromS, toS]),
      [
        [-Infinity, 2],
        [8, Infinity],
      ],
    );
  });

  it('takes into the gripper what was out of its reach', () => {
    const far = placeOf(worldOf({ atS: 0, kind: 'pick', id: 'tin' }), 'tin', 0)!;
    assert.ok(Math.hypot(far[0] - 0.9, far[1], far[2] - 0.5) < 1e-9, `${far.join(' ')}`);
  });

  it('adds a thing, and it may come back after it was removed', () => {
    const world = worldOf({ atS: 2, kind: 'remove', id: 'cup' }, { atS: 4, kind: 'add', thing: cup });
    assert.equal(placeOf(world, 'cup', 3), undefined);
    assert.deepEqual(placeOf(world, 'cup', 4), [1, 0, 0.5]);
  });

  it('refuses events that do not fit the world', () => {
    assert.throws(() => worldOf({ atS: 1, kind: 'remove', id: 'vase' }), /vase is not there/);
    assert.throws(() => worldOf({ atS: 1, kind: 'add', thing: cup }), RangeError);
    assert.throws(() => worldOf({ atS: 1, kind: 'place', id: 'cup', pose: at(0, 0, 0) }), /cup is not there/);
    assert.throws(
      () => worldOf({ atS: 1, kind: 'pick', id: 'cup' }, { atS: 2, kind: 'pick', id: 'cup' }),
      RangeError,
    );
  });
});
