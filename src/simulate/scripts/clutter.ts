/** Random handheld things and random free places for them, for generated rooms. */
import { footprint } from '../../math/box.js';
import type { Vec3 } from '../../math/types.js';
import type { Rgb, Thing, ThingPose } from '../Scene.js';
import type { SeededRandom } from '../SeededRandom.js';
import { surfaceBox } from '../trueRelations.js';
import { thingBox } from '../thingBox.js';
import { at, ball, book, bottle, bowl, can, carton, mug, openBox, plant, vase } from '../things.js';

const TRIES = 40;

/** Any colour a household would own: neither black (no depth) nor a pure screen colour. */
export function randomColor(random: SeededRandom): Rgb {
  return [random.between(40, 230), random.between(40, 230), random.between(40, 230)];
}

/** Woods, greys and pastels. */
export function furnitureColor(random: SeededRandom): Rgb {
  const light = random.between(90, 225);
  const warmth = random.between(-8, 45);
  return [light + 0.5 * warmth, light, light - warmth];
}

/** A thing of a random kind, size and colour, standing at the origin. */
export function randomThing(id: string, random: SeededRandom, maxHeight = 0.35): Thing {
  const origin = at(0, 0, 0);
  const color = randomColor(random);
  const makers: (() => Thing)[] = [
    () => mug(id, origin, color, random.between(0.036, 0.048), random.between(0.08, 0.11)),
    () => bowl(id, origin, color, random.between(0.065, 0.11), random.between(0.05, 0.08)),
    () => book(id, origin, bookSize(random), color, random.below(1000)),
    () => carton(id, origin, cartonSize(random), [color, randomColor(random)], random.below(1000)),
    () => bottle(id, origin, color, random.between(0.03, 0.042), random.between(0.19, 0.3)),
    () => can(id, origin, color, random.between(0.033, 0.043), random.between(0.09, 0.13)),
    () => ball(id, origin, 'apple', color, random.between(0.033, 0.05), 'apple'),
    () => openBox(id, origin, openBoxSize(random), { kind: 'plain', color }, 0.008),
    () => vase(id, origin, color, random.between(0.045, 0.065), random.between(0.15, 0.24)),
    () => plant(id, origin, random.between(0.045, 0.06)),
  ];
  for (;;) {
    const thing = random.pick(makers)();
    if (thingBox(thing).size[2] <= maxHeight) return thing;
  }
}

function bookSize(random: SeededRandom): Vec3 {
  return [random.between(0.17, 0.26), random.between(0.12, 0.19), random.between(0.022, 0.05)];
}

function cartonSize(random: SeededRandom): Vec3 {
  return [random.between(0.08, 0.26), random.between(0.06, 0.18), random.between(0.05, 0.26)];
}

function openBoxSize(random: SeededRandom): Vec3 {
  return [random.between(0.16, 0.3), random.between(0.12, 0.22), random.between(0.07, 0.13)];
}

/**
 * A pose for `thing` on a surface of `owner` such that its foot is whole on it and at least `gapM` from every thing of
 * `others`; undefined when there seems to be none.
 */
export function findFreePlace(
  thing: Thing,
  owner: Thing,
  surfaceIndex: number,
  others: readonly Thing[],
  gapM: number,
  random: SeededRandom,
): ThingPose | undefined {
  const surface = surfaceBox(owner, owner.surfaces![surfaceIndex]);
  const radius = footRadius(thing);
  const reachX = surface.size[0] / 2 - radius - 0.02;
  const reachY = surface.size[1] / 2 - radius - 0.02;
  if (reachX < 0 || reachY < 0) return undefined;
  const c = Math.cos(surface.yaw);
  const s = Math.sin(surface.yaw);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const x = random.between(-reachX, reachX);
    const y = random.between(-reachY, reachY);
    const place: Vec3 = [
      surface.center[0] + c * x - s * y,
      surface.center[1] + s * x + c * y,
      surface.center[2],
    ];
    const isFree = others.every((other) => {
      const [ox, oy, oz] = other.pose.position;
      if (Math.abs(oz - place[2]) > 0.3) return true;
      return Math.hypot(ox - place[0], oy - place[1]) > radius + footRadius(other) + gapM;
    });
    if (isFree) return { position: place, yaw: random.between(-Math.PI, Math.PI) };
  }
  return undefined;
}

/** Radius about its own origin that its foot never leaves, whatever its turn. */
function footRadius(thing: Thing): number {
  const box = thingBox({ ...thing, pose: at(0, 0, 0) });
  return Math.max(...footprint(box).map(([x, y]) => Math.hypot(x, y)));
}
