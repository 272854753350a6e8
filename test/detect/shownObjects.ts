import { projectPoint } from '../../src/camera/PinholeCamera.js';
import type { ColorView, RgbdFrame } from '../../src/camera/RgbdFrame.js';
import type { Detection } from '../../src/camera/Detection.js';
import { overlap } from '../../src/detect/suppressOverlaps.js';
import type { Truth, TruthObject } from '../../src/evaluate/truth.js';
import { invertTransform, transformPoint } from '../../src/math/rigidTransform.js';
import type { Vec3 } from '../../src/math/types.js';
import { metresOf } from '../../src/camera/metresOf.js';

/** An object of the truth that a frame shows well: where its box and its centre fall in the colour picture. */
export interface Shown {
  readonly object: TruthObject;
  readonly center: readonly [number, number];
  readonly box: Detection['box'];
}

/** As the truth counts: 60 % of the projected box in the picture, and the depth in its middle agrees. */
export function shownObjects(frame: RgbdFrame, truth: Truth): readonly Shown[] {
  const { color } = frame;
  if (color === undefined) return [];
  return truth.objects.flatMap((object) => {
    const shown = projectBox(object, color);
    return shown !== undefined && depthAgrees(frame, object) ? [shown] : [];
  });
}

/** A box of the right label holds the object's centre and overlaps its box by more than 0.1. */
export function isFound({ object, center: [u, v], box }: Shown, detections: readonly Detection[]): boolean {
  return detections.some(
    ({ label, box: found }) =>
      label === object.cocoLabel &&
      found[0] <= u &&
      u <= found[2] &&
      found[1] <= v &&
      v <= found[3] &&
      overlap(found, box) > 0.1,
  );
}

function projectBox(object: TruthObject, { camera, map_T_color }: ColorView): Shown | undefined {
  const [x, y, z] = object.center;
  const [a, b, c] = object.size.map((side) => side / 2);
  const corners = [-1, 1].flatMap((i) =>
    [-1, 1].flatMap((j) => [-1, 1].map((k): Vec3 => [x + i * a, y + j * b, z + k * c])),
  );
  const color_T_map = invertTransform(map_T_color);
  const pixels = [object.center, ...corners].map((p) => projectPoint(camera, transformPoint(color_T_map, p)));
  if (!pixels.every((pixel) => pixel !== undefined)) return undefined;
  const [center, ...around] = pixels;
  const us = around.map(([u]) => u);
  const vs = around.map(([, v]) => v);
  const [u0, v0, u1, v1] = [Math.min(...us), Math.min(...vs), Math.max(...us), Math.max(...vs)];
  const box = [
    Math.max(0, u0),
    Math.max(0, v0),
    Math.min(camera.width, u1),
    Math.min(camera.height, v1),
  ] as const;
  const inside = Math.max(0, box[2] - box[0]) * Math.max(0, box[3] - box[1]);
  if (inside < 0.6 * (u1 - u0) * (v1 - v0)) return undefined;
  return { object, center: [center[0], center[1]], box };
}

function depthAgrees({ depth, depthCamera, map_T_depth }: RgbdFrame, object: TruthObject): boolean {
  const point = transformPoint(invertTransform(map_T_depth), object.center);
  const [u, v] = (projectPoint(depthCamera, point) ?? [NaN, NaN]).map(Math.round);
  if (!(u >= 0 && v >= 0 && u < depth.width && v < depth.height)) return false;
  const measured = metresOf(depth)[v * depth.width + u];
  return Math.abs(measured - point[2]) < 0.1 + Math.max(...object.size) / 2;
}
