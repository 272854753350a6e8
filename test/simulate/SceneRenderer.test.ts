import assert from 'node:assert/strict';
import { containsPoint } from '../../src/math/box.js';
import { quatFromAxisAngle } from '../../src/math/quaternion.js';
import { transformPoint } from '../../src/math/rigidTransform.js';
import type { RigidTransform } from '../../src/math/types.js';
import { roomThings } from '../../src/simulate/furniture.js';
import type { Room, Scene, Thing } from '../../src/simulate/Scene.js';
import { raycast } from '../../src/simulate/SceneRenderer.js';
import { pinhole } from '../../src/simulate/pinhole.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { simulateFrames } from '../../src/simulate/simulateFrames.js';
import { thingBox } from '../../src/simulate/thingBox.js';
import { at, ball, bottle, bowl, carton, mug, openBox, plant, vase } from '../../src/simulate/things.js';
import { metresOf } from '../../src/camera/metresOf.js';

const room: Room = { center: [0, 0], size: [6, 6, 3] };
const camera = pinhole(160, 120, 1);

function sceneOf(...things: Thing[]): Scene {
  const walls = roomThings(room, { floor: { kind: 'plain', color: [120, 120, 120] }, wall: [200, 200, 200] });
  return { room, light: { position: [0, 0, 2.5], strength: 1 }, things: [...walls, ...things] };
}

/** Looking along map x; pitched down by `down` rad. */
function lookingEast(x: number, y: number, z: number, down = 0): RigidTransform {
  // Optical axes at rest: z → map x, x → −map y, y → −map z.
  const level: RigidTransform = { translation: [x, y, z], rotation: [-0.5, 0.5, -0.5, 0.5] };
  const pitched = quatFromAxisAngle([0, 1, 0], down);
  const [px, py, pz, pw] = pitched;
  const [qx, qy, qz, qw] = level.rotation;
  return {
    translation: level.translation,
    rotation: [
      pw * qx + px * qw + py * qz - pz * qy,
      pw * qy - px * qz + py * qw + pz * qx,
      pw * qz + px * qy - py * qx + pz * qw,
      pw * qw - px * qx - py * qy - pz * qz,
    ],
  };
}

describe('raycast', () => {
  it('measures a wall head-on at its distance in every pixel: depth lies along the optical axis', () => {
    const { depthM, instances, ids, incidence } = raycast(sceneOf(), camera, lookingEast(1.5, 0, 1.5));
    const wall = ids.indexOf('wall_east') + 1;
    // 1.5 m away, 0.82 m to either side and 0.61 m up and down: nothing but the wall.
    assert.ok(instances.every((instance) => instance === wall));
    for (const z of depthM) assert.ok(Math.abs(z - 1.5) < 1e-6, `${z}`);
    assert.ok(Math.abs(incidence[60 * 160 + 80] - 1) < 1e-3);
  });

  it('measures a tilted plane by the closed formula h / (sin p + y cos p)', () => {
    const pitch = 0.8;
    const { depthM } = raycast(sceneOf(), camera, lookingEast(-1, 0, 1.2, pitch));
    for (let v = 0; v < 120; v += 7) {
      const y = (v - camera.cy) / camera.fy;
      const expected = 1.2 / (Math.sin(pitch) + y * Math.cos(pitch));
      if (-1 + expected * (Math.cos(pitch) - y * Math.sin(pitch)) > 2.9) continue;
      assert.ok(
        Math.abs(depthM[v * 160 + 80] - expected) < 1e-5,
        `row ${v}: ${depthM[v * 160 + 80]} ≠ ${expected}`,
      );
    }
  });

  it('tells which thing each pixel shows, and hides what stands behind', () => {
    const front = carton(
      'front',
      at(0, 0, 1),
      [0.1, 0.4, 0.4],
      [
        [200, 0, 0],
        [0, 0, 0],
      ],
    );
    const behind = carton(
      'behind',
      at(0.5, 0, 1.1),
      [0.1, 0.2, 0.2],
      [
        [0, 200, 0],
        [0, 0, 0],
      ],
    );
    const beside = carton(
      'beside',
      at(0.5, 0.5, 1),
      [0.1, 0.2, 0.4],
      [
        [0, 0, 200],
        [0, 0, 0],
      ],
    );
    const { instances, ids, depthM } = raycast(
      sceneOf(front, behind, beside),
      camera,
      lookingEast(-1.5, 0, 1.2),
    );
    const count = (id: string): number => instances.filter((instance) => ids[instance - 1] === id).length;
    assert.equal(count('behind'), 0);
    assert.ok(count('beside') > 100);
    const middle = 60 * 160 + 80;
    assert.equal(ids[instances[middle] - 1], 'front');
    assert.ok(Math.abs(depthM[middle] - 1.45) < 1e-5);
    // A face 1.45 m away, 0.4 m wide, covers (0.4 · f / 1.45)² pixels.
    const expected = ((0.4 * camera.fx) / 1.45) ** 2;
    assert.ok(Math.abs(count('front') - expected) < 0.05 * expected, `${count('front')} against ${expected}`);
  });

  it('keeps what the near plane cuts: a table top under the camera is seen to the edge of the picture', () => {
    const slab = carton(
      'slab',
      at(0, 0, 0.9),
      [5, 5, 0.1],
      [
        [90, 90, 90],
        [0, 0, 0],
      ],
    );
    const { instances, ids } = raycast(sceneOf(slab), camera, lookingEast(0, 0, 1.3, 0.9));
    for (const index of [119 * 160, 119 * 160 + 159, 119 * 160 + 80])
      assert.equal(ids[instances[index] - 1], 'slab');
  });

  it('shadows what a thing keeps from the lamp', () => {
    const shade = carton(
      'shade',
      at(0, 0, 1.5),
      [1, 1, 0.02],
      [
        [90, 90, 90],
        [0, 0, 0],
      ],
    );
    const view = lookingEast(-2, 0, 1.3, 0.5);
    const lit = raycast(sceneOf(), camera, view);
    const dark = raycast(sceneOf(shade), camera, view);
    // The floor at the room's middle: 2 m ahead, 1.3 m down.
    const v = Math.round(camera.cy + camera.fy * Math.tan(Math.atan2(1.3, 2) - 0.5));
    const index = 3 * (v * 160 + 80);
    assert.ok(dark.rgb[index] < 0.8 * lit.rgb[index], `${dark.rgb[index]} against ${lit.rgb[index]}`);
  });

  it('puts every seen point of every kind of thing into its box, and fills that box', () => {
    const makers = [
      mug('a', at(0, 0, 1, 0.7), [200, 0, 0]),
      bowl('b', at(0, 0, 1), [0, 200, 0]),
      bottle('c', at(0, 0, 1), [0, 0, 200]),
      vase('d', at(0, 0, 1), [0, 0, 200]),
      plant('e', at(0, 0, 1, 1.1)),
      ball('f', at(0, 0, 1), 'ball', [9, 9, 9], 0.08),
      openBox('g', at(0, 0, 1, -0.4), [0.2, 0.15, 0.1], { kind: 'plain', color: [9, 9, 9] }),
    ];
    for (const thing of makers) {
      const view = lookingEast(-0.6, 0, 1.35, 0.37);
      const points = pointsOf(sceneOf(thing), view, thing.id);
      const box = thingBox(thing);
      assert.ok(points.length > 300, `${thing.label}: ${points.length} points`);
      assert.ok(
        points.every((point) => containsPoint(box, point, 1e-4)),
        thing.label,
      );
      const top = Math.max(...points.map(([, , z]) => z));
      assert.ok(box.center[2] + box.size[2] / 2 - top < 0.006, `${thing.label}: top ${top}`);
    }
  });

  it('keeps all clouds of the demo in their boxes after its sensor, up to noise and mixed edges', () => {
    let inside = 0;
    let all = 0;
    for (const { frame, truth } of simulateFrames(scriptNamed('demo', { fps: 0.2, size: [160, 120] }))) {
      const { width } = frame.depth;
      const depthM = metresOf(frame.depth);
      truth.instances.forEach((instance, index) => {
        const z = depthM[index];
        const box = truth.boxes.get(truth.ids[instance - 1] ?? '');
        if (Number.isNaN(z) || z > 2.5 || box === undefined) return;
        all++;
        const { fx, fy, cx, cy } = frame.depthCamera;
        const point = [
          ((index % width) - cx) * (z / fx),
          (Math.floor(index / width) - cy) * (z / fy),
          z,
        ] as const;
        if (containsPoint(box, transformPoint(frame.map_T_depth, point), 0.03)) inside++;
      });
    }
    assert.ok(all > 20_000);
    assert.ok(inside / all > 0.97, `${inside} of ${all}`);
  });
});

function pointsOf(scene: Scene, view: RigidTransform, id: string): (readonly [number, number, number])[] {
  const { depthM, instances, ids } = raycast(scene, camera, view);
  const wanted = ids.indexOf(id) + 1;
  return [...instances].flatMap((instance, index) => {
    if (instance !== wanted) return [];
    const z = depthM[index];
    const x = ((index % 160) - camera.cx) * (z / camera.fx);
    const y = (Math.floor(index / 160) - camera.cy) * (z / camera.fy);
    return [transformPoint(view, [x, y, z])];
  });
}
