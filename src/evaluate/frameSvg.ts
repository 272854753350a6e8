import { boxCorners } from '../math/box.js';
import type { Vec3 } from '../math/types.js';
import type { DrawnBox } from './pictureScene.js';
import { ROLE_COLORS } from './pictureScene.js';
import { escapeXml } from './planSvg.js';

/** From the map to the picture; undefined for what is behind the camera or cannot be projected. */
export type Projection = (point: Vec3) => readonly [u: number, v: number] | undefined;

/** The bottom corners follow each other round, then the top ones in the same order. */
const EDGES: readonly (readonly [number, number])[] = [0, 1, 2, 3].flatMap((k) => [
  [k, (k + 1) % 4] as const,
  [k + 4, ((k + 1) % 4) + 4] as const,
  [k, k + 4] as const,
]);

/** Boxes as they stand in one picture, to be laid over it. Structure is left out: it would cover the rest. */
export function frameSvg(
  boxes: readonly DrawnBox[],
  project: Projection,
  size: { readonly width: number; readonly height: number },
): string {
  const shown = boxes.filter(({ role }) => role !== 'structure' && role !== 'ignore');
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" font-family="sans-serif" font-size="11">`,
    ...shown.map((box) => boxSvg(box, project, size)),
    '</svg>',
  ].join('\n');
}

function boxSvg(
  { role, box, text }: DrawnBox,
  project: Projection,
  size: { width: number; height: number },
): string {
  const color = ROLE_COLORS[role];
  const corners = boxCorners(box).map(project);
  const center = project(box.center);
  const isInside =
    center !== undefined &&
    center[0] >= 0 &&
    center[1] >= 0 &&
    center[0] < size.width &&
    center[1] < size.height;
  // A box partly behind the camera has no outline.
  if (!isInside || corners.some((corner) => corner === undefined)) return '';
  const lines = EDGES.map(([i, j]) => {
    const [a, b] = [corners[i], corners[j]];
    return a && b ? `M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${b[0].toFixed(1)} ${b[1].toFixed(1)}` : '';
  });
  const isTruth = role === 'found' || role === 'missed';
  const y = center[1] + (isTruth ? -3 : 10);
  const at = `x="${center[0].toFixed(1)}" y="${y.toFixed(1)}" text-anchor="middle"`;
  return (
    `<path d="${lines.join('')}" fill="none" stroke="${color}" stroke-width="${isTruth ? 1.8 : 1.1}"/>` +
    // A white rim below the letters keeps them readable on any picture.
    `<text ${at} fill="white" stroke="white" stroke-width="3">${escapeXml(text)}</text>` +
    `<text ${at} fill="${color}">${escapeXml(text)}</text>`
  );
}
