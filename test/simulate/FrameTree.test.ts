import assert from 'node:assert/strict';
import { angleBetween } from '../../src/math/quaternion.js';
import { invertTransform, transformPoint } from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import { FrameTree } from '../../src/simulate/FrameTree.js';
import { RobotMotion } from '../../src/simulate/RobotMotion.js';
import { scriptNamed, scriptNames } from '../../src/simulate/scriptNamed.js';
import type { SimScript } from '../../src/simulate/SimScript.js';
import { TransformBuffer } from '../../src/tf/TransformBuffer.js';

function treeOf(script: SimScript): FrameTree {
  return new FrameTree(script, new RobotMotion(script.robot));
}

/** A buffer that has heard everything the robot tells. */
function listen(tree: FrameTree): TransformBuffer {
  const buffer = new TransformBuffer(60_000_000_000n);
  const messages = [
    tree.staticMessage(),
    ...Array.from({ length: tree.tickCount() }, (_, k) => tree.tickMessages(k)).flat(),
  ];
  for (const message of messages)
    if (message.kind === 'tf' || message.kind === 'tf_static')
      for (const transform of message.transforms) {
        const inserted = buffer.insert(transform, message.kind === 'tf_static');
        assert.ok(inserted.ok, JSON.stringify(inserted));
      }
  return buffer;
}

function toldPose(buffer: TransformBuffer, tree: FrameTree, frame: string, timeS: number): RigidTransform {
  const found = buffer.lookup('map', frame, tree.stampAt(timeS));
  assert.ok(
    found.ok,
    JSON.stringify(found, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
  );
  return found.transform;
}

function assertSamePose(
  actual: RigidTransform,
  expected: RigidTransform,
  toleranceM: number,
  toleranceRad: number,
): void {
  const distance = Math.hypot(...actual.translation.map((value, axis) => value - expected.translation[axis]));
  assert.ok(distance < toleranceM, `${distance} m apart`);
  const angle = angleBetween(actual.rotation, expected.rotation);
  assert.ok(angle < toleranceRad, `${angle} rad apart`);
}

describe('FrameTree', () => {
  it('tells the exact pose of both cameras at every picture', () => {
    const demo = scriptNamed('demo');
    const script = {
      ...demo,
      camera: {
        ...demo.camera,
        depth: { offset: [0, -0.03, 0] as const, width: 320, height: 240, horizontalFov: 1 },
      },
    };
    const tree = treeOf(script);
    const buffer = listen(tree);
    for (let k = 0; k < script.durationS * script.fps; k += 13) {
      const timeS = k / script.fps;
      assertSamePose(
        toldPose(buffer, tree, 'camera_color_optical_frame', timeS),
        tree.map_T_color(timeS),
        1e-9,
        1e-7,
      );
      assertSamePose(
        toldPose(buffer, tree, 'camera_depth_optical_frame', timeS),
        tree.map_T_depth(timeS),
        1e-9,
        1e-7,
      );
    }
  });

  it('puts the depth camera where the script says, with the same axes', () => {
    const demo = scriptNamed('demo');
    const tree = treeOf({
      ...demo,
      camera: {
        ...demo.camera,
        colorOffset: [0, 0, 0],
        depth: { offset: [0, -0.03, 0], width: 320, height: 240, horizontalFov: 1 },
      },
    });
    // camera_link's −y is the optical frame's +x.
    const color_T_depth = transformPoint(
      invertTransform(tree.map_T_color(3)),
      tree.map_T_depth(3).translation,
    );
    color_T_depth.forEach((value, axis) => assert.ok(Math.abs(value - [0.03, 0, 0][axis]) < 1e-9));
  });

  it('interpolates to below a millimetre and a milliradian between ticks', () => {
    const tree = treeOf(scriptNamed('demo'));
    const buffer = listen(tree);
    for (let timeS = 0.05; timeS < 28; timeS += 0.61)
      assertSamePose(
        toldPose(buffer, tree, 'camera_color_optical_frame', timeS),
        tree.map_T_color(timeS),
        1e-3,
        1e-3,
      );
  });

  it('has a map > odom that is not the identity', () => {
    const [tf] = treeOf(scriptNamed('demo')).tickMessages(0);
    assert.ok(tf.kind === 'tf');
    assert.ok(Math.hypot(...tf.transforms[0].translation) > 0.5);
  });

  it('drifts between corrections and is right at each of them', () => {
    const script = { ...scriptNamed('demo'), drift: { scale: 0.03, yawPerM: 0.03, correctEveryS: 5 } };
    const tree = treeOf(script);
    const buffer = listen(tree);
    const error = (timeS: number): number => {
      const told = toldPose(buffer, tree, 'base_link', timeS).translation;
      const truth = tree.motion.map_T_base(timeS).translation;
      return Math.hypot(told[0] - truth[0], told[1] - truth[1]);
    };
    for (const timeS of [5, 10, 20]) assert.ok(error(timeS) < 1e-6, `${error(timeS)} at ${timeS} s`);
    assert.ok(error(9.9) > 0.02, `${error(9.9)}`);
  });
});

describe('RobotMotion', () => {
  for (const name of scriptNames())
    it(`turns slower than 0.6 rad/s and without a jerk in ${name}`, () => {
      const script = scriptNamed(name, { seed: 3 });
      const tree = treeOf(script);
      for (let timeS = 0; timeS < script.durationS; timeS += 0.05) {
        const turn =
          angleBetween(tree.map_T_color(timeS).rotation, tree.map_T_color(timeS + 0.05).rotation) / 0.05;
        assert.ok(turn < 0.6, `${turn} rad/s at ${timeS} s`);
      }
    });

  it('looks at the target once it had the time to', () => {
    const motion = new RobotMotion({
      mast: [0, 0, 1.2],
      base: [{ atS: 0, x: 0, y: 0, yaw: 0.4 }],
      gaze: [
        { atS: 0, target: [2, 0, 0.7] },
        { atS: 1, target: [0, 2, 0.2] },
      ],
    });
    const base = motion.map_T_base(9);
    const link = motion.base_T_cameraLink(9);
    const target = transformPoint(invertTransform(link), transformPoint(invertTransform(base), [0, 2, 0.2]));
    assert.ok(
      target[0] > 2 && Math.abs(target[1]) < 0.01 && Math.abs(target[2]) < 0.01,
      `${target.join(' ')}`,
    );
  });

  it('refuses keys out of order', () =>
    assert.throws(
      () =>
        new RobotMotion({
          mast: [0, 0, 1],
          base: [
            { atS: 1, x: 0, y: 0, yaw: 0 },
            { atS: 1, x: 1, y: 0, yaw: 0 },
          ],
          gaze: [{ atS: 0, target: [1, 0, 0] }],
        }),
      /rise in time/,
    ));
});
