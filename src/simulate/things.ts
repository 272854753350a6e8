/** Makers of handheld things. Each stands with the middle of its foot at `pose.position`. */
import type { Part, Rgb, Shape, Texture, Thing, ThingPose } from './Scene.js';
import type { Vec3 } from '../math/types.js';

/** Shorthand for a pose: x, y, z of the foot and a turn about z. */
export function at(x: number, y: number, z: number, yaw = 0): ThingPose {
  return { position: [x, y, z], yaw };
}

const plain = (color: Rgb): Texture => ({ kind: 'plain', color });

const boxPart = (size: Vec3, position: Vec3, texture: Texture): Part => ({
  shape: { kind: 'box', size },
  position,
  texture,
});

const turned = (profile: readonly (readonly [number, number])[]): Shape => ({ kind: 'lathe', profile });

/** Hollow cup with a handle along the thing's +x. Height and radius in metres. */
export function mug(id: string, pose: ThingPose, color: Rgb, radius = 0.042, height = 0.095): Thing {
  const wall = 0.005;
  const inner = radius - wall;
  const profile = [
    [0, 0],
    [radius * 0.92, 0],
    [radius, 0.01],
    [radius, height],
    [inner, height],
    [inner, 0.012],
    [0, 0.01],
  ] as const;
  const handle = plain(color);
  return {
    id,
    label: 'cup',
    cocoLabel: 'cup',
    role: 'object',
    pose,
    hasFlatTop: false,
    interior: { bottom: [0, 0, 0.01], size: [1.4 * inner, 1.4 * inner, height - 0.01] },
    parts: [
      { shape: turned(profile), texture: plain(color) },
      boxPart([0.03, 0.012, 0.01], [radius + 0.012, 0, height * 0.8], handle),
      boxPart([0.03, 0.012, 0.01], [radius + 0.012, 0, height * 0.3], handle),
      boxPart([0.009, 0.012, height * 0.5 + 0.01], [radius + 0.025, 0, height * 0.55], handle),
    ],
  };
}

/** Open bowl, 4 mm thick. */
export function bowl(id: string, pose: ThingPose, color: Rgb, radius = 0.085, height = 0.065): Thing {
  const outer: [number, number][] = [
    [0, 0],
    [radius * 0.45, 0],
  ];
  const inner: [number, number][] = [];
  for (let step = 0; step <= 6; step++) {
    const angle = (step / 6) * (Math.PI / 2);
    const r = radius * (0.45 + 0.55 * Math.sin(angle));
    const z = 0.006 + (height - 0.006) * (1 - Math.cos(angle));
    outer.push([r, z]);
    inner.unshift([r - 0.004, Math.min(height, z + 0.003)]);
  }
  return {
    id,
    label: 'bowl',
    cocoLabel: 'bowl',
    role: 'object',
    pose,
    hasFlatTop: false,
    interior: { bottom: [0, 0, 0.009], size: [1.2 * radius, 1.2 * radius, height - 0.009] },
    parts: [{ shape: turned([...outer, ...inner, [0, 0.009]]), texture: plain(color) }],
  };
}

/** A lying book, `size` = width, depth, thickness; white pages show at three sides. */
export function book(id: string, pose: ThingPose, size: Vec3, color: Rgb, seed = 1): Thing {
  const [w, d, h] = size;
  const cover: Texture = { kind: 'print', colors: [color, [240, 232, 210]], sizeM: 0.022, seed };
  return {
    id,
    label: 'book',
    cocoLabel: 'book',
    role: 'object',
    pose,
    parts: [
      boxPart([w, d, 0.003], [0, 0, 0.0015], cover),
      boxPart([w - 0.008, d - 0.008, h - 0.006], [0.002, 0, h / 2], plain([226, 220, 205])),
      boxPart([w, d, 0.003], [0, 0, h - 0.0015], cover),
      boxPart([0.004, d, h], [-w / 2 + 0.002, 0, h / 2], plain(color)),
    ],
  };
}

/** A printed package. */
export function carton(
  id: string,
  pose: ThingPose,
  size: Vec3,
  colors: readonly [Rgb, Rgb],
  seed = 1,
): Thing {
  const texture: Texture = { kind: 'print', colors, sizeM: 0.03, seed };
  return { id, label: 'box', role: 'object', pose, parts: [boxPart(size, [0, 0, size[2] / 2], texture)] };
}

/** Bottle with a neck. */
export function bottle(id: string, pose: ThingPose, color: Rgb, radius = 0.036, height = 0.25): Thing {
  const profile = [
    [0, 0],
    [radius, 0],
    [radius, height * 0.62],
    [radius * 0.8, height * 0.72],
    [radius * 0.38, height * 0.82],
    [radius * 0.36, height * 0.94],
  ] as const;
  const cap = [
    [radius * 0.4, height * 0.94],
    [radius * 0.4, height],
    [0, height],
  ] as const;
  const label = [
    [radius * 1.01, height * 0.2],
    [radius * 1.01, height * 0.5],
  ] as const;
  return {
    id,
    label: 'bottle',
    cocoLabel: 'bottle',
    role: 'object',
    pose,
    hasFlatTop: false,
    parts: [
      { shape: turned(profile), texture: plain(color) },
      { shape: turned(cap), texture: plain([235, 235, 230]) },
      {
        shape: turned(label),
        texture: {
          kind: 'print',
          colors: [
            [238, 230, 205],
            [170, 40, 36],
          ],
          sizeM: 0.02,
          seed: 5,
        },
      },
    ],
  };
}

/** Tin can with a coloured band. */
export function can(id: string, pose: ThingPose, color: Rgb, radius = 0.037, height = 0.11): Thing {
  const band = [
    [radius * 1.005, height * 0.08],
    [radius * 1.005, height * 0.92],
  ] as const;
  return {
    id,
    label: 'can',
    role: 'object',
    pose,
    parts: [
      {
        shape: turned([
          [0, 0],
          [radius, 0],
          [radius, height],
          [0, height],
        ]),
        texture: plain([188, 190, 194]),
      },
      {
        shape: turned(band),
        texture: { kind: 'print', colors: [color, [245, 240, 230]], sizeM: 0.018, seed: 11 },
      },
    ],
  };
}

/** Fruit or ball. */
export function ball(
  id: string,
  pose: ThingPose,
  label: string,
  color: Rgb,
  radius: number,
  coco?: string,
): Thing {
  return {
    id,
    label,
    ...(coco === undefined ? {} : { cocoLabel: coco }),
    role: 'object',
    pose,
    hasFlatTop: false,
    parts: [{ shape: { kind: 'sphere', radius }, position: [0, 0, radius], texture: plain(color) }],
  };
}

/** Box without a lid, walls of `wall` metres; outer `size`. */
export function openBox(id: string, pose: ThingPose, size: Vec3, texture: Texture, wall = 0.012): Thing {
  const [w, d, h] = size;
  return {
    id,
    label: 'container',
    role: 'object',
    pose,
    hasFlatTop: false,
    interior: { bottom: [0, 0, wall], size: [w - 2 * wall, d - 2 * wall, h - wall] },
    parts: [
      boxPart([w, d, wall], [0, 0, wall / 2], texture),
      boxPart([wall, d, h], [-(w - wall) / 2, 0, h / 2], texture),
      boxPart([wall, d, h], [(w - wall) / 2, 0, h / 2], texture),
      boxPart([w - 2 * wall, wall, h], [0, -(d - wall) / 2, h / 2], texture),
      boxPart([w - 2 * wall, wall, h], [0, (d - wall) / 2, h / 2], texture),
    ],
  };
}

/** Vase: a belly and a narrower, open mouth. */
export function vase(id: string, pose: ThingPose, color: Rgb, radius = 0.06, height = 0.2): Thing {
  const outer: [number, number][] = [[0, 0]];
  const inner: [number, number][] = [];
  for (let step = 0; step <= 8; step++) {
    const share = step / 8;
    const r = radius * (0.62 + 0.38 * Math.sin(share * Math.PI * 1.15 + 0.1));
    outer.push([r, share * height]);
    if (step > 0) inner.unshift([r - 0.005, share * height]);
  }
  return {
    id,
    label: 'vase',
    cocoLabel: 'vase',
    role: 'object',
    pose,
    hasFlatTop: false,
    parts: [{ shape: turned([...outer, ...inner, [0, 0.012]]), texture: plain(color) }],
  };
}

/** Flower pot with a bush of balls. */
export function plant(id: string, pose: ThingPose, radius = 0.06): Thing {
  const h = radius * 1.7;
  const leaf = (x: number, y: number, z: number, r: number, color: Rgb): Part => ({
    shape: { kind: 'sphere', radius: r * radius },
    position: [x * radius, y * radius, z * radius],
    texture: {
      kind: 'checker',
      colors: [color, [color[0] * 0.8, color[1] * 0.85, color[2] * 0.8]],
      sizeM: 0.012,
    },
  });
  return {
    id,
    label: 'potted plant',
    cocoLabel: 'potted plant',
    role: 'object',
    pose,
    hasFlatTop: false,
    parts: [
      {
        shape: turned([
          [0, 0],
          [radius * 0.7, 0],
          [radius, h],
          [radius * 0.9, h],
          [radius * 0.85, h * 0.9],
          [0, h * 0.9],
        ]),
        texture: plain([176, 92, 58]),
      },
      leaf(0, 0, 2.5, 0.95, [64, 132, 58]),
      leaf(0.55, 0.2, 2.3, 0.6, [80, 150, 66]),
      leaf(-0.5, 0.35, 2.4, 0.62, [56, 120, 52]),
      leaf(0.05, -0.55, 2.35, 0.6, [92, 158, 72]),
      leaf(0, 0.1, 3.1, 0.6, [104, 170, 84]),
    ],
  };
}
