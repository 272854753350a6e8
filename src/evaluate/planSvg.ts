import { footprint } from '../math/box.js';
import type { DrawnBox, DrawnRole } from './pictureScene.js';
import { ROLE_COLORS, ROLE_TEXTS } from './pictureScene.js';

/** Longer side of the drawing in pixels, and the free rim around it. */
const SIDE_PX = 1600;
const RIM_PX = 40;
const LEGEND_PX = 22;

/** The scene from above as SVG: x to the right, y up, a grid line for each half metre. */
export function planSvg(boxes: readonly DrawnBox[], title: string): string {
  const frame = frameOf(boxes);
  const legend = [...new Set(boxes.map(({ role }) => role))];
  const height = frame.height + legend.length * LEGEND_PX + RIM_PX;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${frame.width}" height="${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="100%" height="100%" fill="white"/>`,
    ...grid(frame),
    ...boxes.map((box) => boxSvg(box, frame)),
    `<text x="${RIM_PX}" y="24" font-size="16">${escapeXml(title)}</text>`,
    ...legend.map((role, i) => legendSvg(role, frame.height + i * LEGEND_PX)),
    '</svg>',
  ].join('\n');
}

interface Frame {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
  readonly pxPerM: number;
  readonly width: number;
  readonly height: number;
}

/** Around everything but structure, whose extents (the floor) say little; a quarter of a metre of air. */
function frameOf(boxes: readonly DrawnBox[]): Frame {
  const shown = boxes.filter(({ role }) => role !== 'structure');
  const points = shown.flatMap(({ box }) => footprint(box));
  const bound = (axis: 0 | 1, pick: (...values: number[]) => number): number =>
    points.length === 0 ? 0 : pick(...points.map((point) => point[axis]));
  const [minX, maxX] = [bound(0, Math.min) - 0.25, bound(0, Math.max) + 0.25];
  const [minY, maxY] = [bound(1, Math.min) - 0.25, bound(1, Math.max) + 0.25];
  const pxPerM = (SIDE_PX - 2 * RIM_PX) / Math.max(maxX - minX, maxY - minY);
  const size = (extent: number): number => Math.round(extent * pxPerM + 2 * RIM_PX);
  return { minX, maxX, minY, maxY, pxPerM, width: size(maxX - minX), height: size(maxY - minY) };
}

function pixel({ minX, maxY, pxPerM }: Frame, [x, y]: readonly [number, number]): [number, number] {
  return [RIM_PX + (x - minX) * pxPerM, RIM_PX + (maxY - y) * pxPerM];
}

function grid(frame: Frame): string[] {
  const steps = (min: number, max: number): number[] => {
    const first = Math.ceil(min * 2);
    return Array.from({ length: Math.max(0, Math.floor(max * 2) - first + 1) }, (_, i) => (first + i) / 2);
  };
  const line = (a: readonly [number, number], b: readonly [number, number]): string => {
    const [[x1, y1], [x2, y2]] = [pixel(frame, a), pixel(frame, b)];
    return `<line x1="${px(x1)}" y1="${px(y1)}" x2="${px(x2)}" y2="${px(y2)}" stroke="#eee"/>`;
  };
  const label = (at: readonly [number, number], text: string): string => {
    const [x, y] = pixel(frame, at);
    return `<text x="${px(x + 2)}" y="${px(y - 2)}" fill="#999" font-size="11">${text}</text>`;
  };
  return [
    ...steps(frame.minX, frame.maxX).flatMap((x) => [
      line([x, frame.minY], [x, frame.maxY]),
      label([x, frame.minY], `x ${x} m`),
    ]),
    ...steps(frame.minY, frame.maxY).flatMap((y) => [
      line([frame.minX, y], [frame.maxX, y]),
      label([frame.minX, y], `y ${y} m`),
    ]),
  ];
}

function boxSvg({ role, box, text }: DrawnBox, frame: Frame): string {
  const color = ROLE_COLORS[role];
  const corners = footprint(box).map((corner) => pixel(frame, corner));
  const points = corners.map(([x, y]) => `${px(x)},${px(y)}`).join(' ');
  const fill = role === 'ignore' || role === 'missed' ? color : 'none';
  const [x, y] = pixel(frame, [box.center[0], box.center[1]]);
  // Names of the truth above the centre, of the graph below it: a match shows both.
  const isTruth = role === 'found' || role === 'missed';
  return (
    `<polygon points="${points}" fill="${fill}" fill-opacity="0.15" stroke="${color}" stroke-width="${isTruth ? 2.5 : 1.5}"/>` +
    `<text x="${px(x)}" y="${px(y + (isTruth ? -4 : 12))}" fill="${color}" text-anchor="middle">${escapeXml(text)}</text>`
  );
}

function legendSvg(role: DrawnRole, y: number): string {
  return (
    `<rect x="${RIM_PX}" y="${y}" width="14" height="14" fill="${ROLE_COLORS[role]}"/>` +
    `<text x="${RIM_PX + 22}" y="${y + 12}">${ROLE_TEXTS[role]}</text>`
  );
}

function px(value: number): string {
  return value.toFixed(1);
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
