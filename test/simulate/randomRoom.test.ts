import assert from 'node:assert/strict';
import { boxGap, containsPoint } from '../../src/math/box.js';
import { scriptNamed } from '../../src/simulate/scriptNamed.js';
import { thingBox } from '../../src/simulate/thingBox.js';
import { trueRelations } from '../../src/simulate/trueRelations.js';

const SEEDS = Array.from({ length: 50 }, (_, k) => k + 1);

describe('random rooms', () => {
  it('are the same for the same seed and differ between seeds', () => {
    assert.deepEqual(scriptNamed('random_room', { seed: 4 }), scriptNamed('random_room', { seed: 4 }));
    assert.notDeepEqual(
      scriptNamed('random_room', { seed: 4 }).scene,
      scriptNamed('random_room', { seed: 5 }).scene,
    );
  });

  it('are plain data', () => {
    const { scene, robot, camera } = scriptNamed('random_room', { seed: 8 });
    const data = { scene, robot, camera };
    assert.deepEqual(JSON.parse(JSON.stringify(data)), data);
  });

  it('let every thing rest on something, apart from its neighbours, inside the walls', () => {
    for (const seed of SEEDS) {
      const { scene } = scriptNamed('random_room', { seed });
      const objects = scene.things.filter(({ role }) => role === 'object');
      const boxes = objects.map(thingBox);
      const resting = new Set(
        trueRelations(scene).flatMap(({ relation, subject }) => (relation === 'on' ? [subject] : [])),
      );
      const [width, depth, height] = scene.room.size;
      const room = { center: [0, 0, height / 2] as const, size: [width, depth, height] as const, yaw: 0 };
      objects.forEach((thing, i) => {
        assert.ok(resting.has(thing.id), `seed ${seed}: ${thing.id} rests on nothing`);
        assert.ok(containsPoint(room, boxes[i].center), `seed ${seed}: ${thing.id} is outside`);
        boxes.slice(i + 1).forEach((box, k) => {
          const gap = boxGap(boxes[i], box);
          assert.ok(gap > 0.03, `seed ${seed}: ${thing.id} and ${objects[i + 1 + k].id} are ${gap} m apart`);
        });
      });
    }
  });

  it('differ in what matters: number of things, cameras, depth of its own', () => {
    const scripts = SEEDS.map((seed) => scriptNamed('random_room', { seed }));
    const counts = scripts.map(({ scene }) => scene.things.filter(({ role }) => role === 'object').length);
    assert.ok(Math.min(...counts) >= 3 && Math.max(...counts) >= 20, counts.join(' '));
    const apart = scripts.filter(({ camera }) => camera.depth !== undefined).length;
    assert.ok(apart >= 8 && apart <= 25, `${apart} of 50 have a depth camera of its own`);
  });
});
