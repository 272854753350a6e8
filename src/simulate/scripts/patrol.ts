/**
 * Round after round through one room, for as long as it takes to see what seldom happens: boards are put between the camera
 * and the table for some seconds, and now and then a thing is taken away for good or moved on the table.
 */
import type { Vec3 } from '../../math/types.js';
import type { Thing } from '../Scene.js';
import { SeededRandom } from '../SeededRandom.js';
import type { SimScript } from '../SimScript.js';
import type { SceneEvent } from '../World.js';
import { at } from '../things.js';
import { findFreePlace } from './clutter.js';
import { planRoom, randomSensor, ringDrive } from './randomRoom.js';
import type { Plan } from './randomRoom.js';

export interface PatrolOptions {
  readonly seed: number;
  readonly frames: number;
  readonly fps: number;
  readonly size: readonly [width: number, height: number];
}

const BOARD_EVERY_S = 23;
const BOARD_STAYS_S = 5;
/** Between changes: by times a thing is taken away and one moved. */
const CHANGE_EVERY_S = 60;
/** Things that stay, so that there always is something to lose. */
const STAYING = 5;

export function patrol({ seed, frames, fps, size: [width, height] }: PatrolOptions): SimScript {
  const random = new SeededRandom(seed);
  const plan = planRoom(random);
  const durationS = frames / fps;
  const rounds = Math.max(1, Math.round(durationS / 26));
  const robot = ringDrive(plan, rounds, random);
  return {
    name: `patrol_${seed}`,
    seed,
    durationS,
    fps,
    startStamp: 1_800_000_000_000_000_000n,
    scene: plan.scene,
    events: [...boards(plan, durationS, random), ...changes(plan, durationS, random)],
    robot,
    camera: { width, height, horizontalFov: 1.1, colorOffset: [0, 0.0175, 0] },
    sensor: randomSensor(random),
  };
}

/** A board at a random place beside the ring: whoever drives past sees nothing of what stands behind it. */
function boards({ ringRadius }: Plan, durationS: number, random: SeededRandom): SceneEvent[] {
  const events: SceneEvent[] = [];
  for (let timeS = 12; timeS + BOARD_STAYS_S < durationS; timeS += BOARD_EVERY_S) {
    const bearing = random.between(-Math.PI, Math.PI);
    const radius = ringRadius - 0.3;
    const thing: Thing = {
      id: `board_${events.length / 2}`,
      label: 'board',
      role: 'furniture',
      pose: at(radius * Math.cos(bearing), radius * Math.sin(bearing), 0, bearing),
      parts: [
        {
          shape: { kind: 'box', size: [0.04, 0.6, 1.6] as Vec3 },
          position: [0, 0, 0.8],
          texture: { kind: 'plain', color: [120, 110, 130] },
        },
      ],
    };
    events.push(
      { atS: timeS, kind: 'add', thing },
      { atS: timeS + BOARD_STAYS_S, kind: 'remove', id: thing.id },
    );
  }
  return events;
}

function changes({ scene, middle }: Plan, durationS: number, random: SeededRandom): SceneEvent[] {
  let things = random.shuffled(scene.things.filter(({ role }) => role === 'object'));
  const events: SceneEvent[] = [];
  for (let timeS = CHANGE_EVERY_S; timeS < durationS - 15; timeS += CHANGE_EVERY_S) {
    const [thing] = things;
    const isMove = events.length % 2 === 1;
    if (thing === undefined || (!isMove && things.length <= STAYING)) break;
    const pose = isMove ? findFreePlace(thing, middle, 0, things.slice(1), 0.05, random) : undefined;
    if (pose !== undefined) {
      events.push({ atS: timeS, kind: 'move', id: thing.id, pose });
      things = [...things.slice(1), { ...thing, pose }];
    } else if (things.length > STAYING) {
      events.push({ atS: timeS, kind: 'remove', id: thing.id });
      things = things.slice(1);
    }
  }
  return events;
}
