/**
 * Draws the README's pictures: `node --import tsx scripts/docs/pictures.ts REPLAY_DIR BAG` writes docs/frame.jpg (one
 * colour picture with the boxes and refs of what stands in it) and docs/plan.png (the graph from above).
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { projectPoint } from '../../src/camera/PinholeCamera.js';
import type { ColorView } from '../../src/camera/RgbdFrame.js';
import { boxCorners, footprint } from '../../src/math/box.js';
import { invertTransform, transformPoint } from '../../src/math/rigidTransform.js';
import type { Box, Vec3 } from '../../src/math/types.js';
import { createFrameAssembler } from '../../src/pipeline/FrameAssembler.js';
import { defaultParameters } from '../../src/pipeline/parameterSet.js';
import { openRecording } from '../../src/recordings/openRecording.js';
import { readInputMessages } from '../../src/recordings/readInputMessages.js';
import { resolveTopics } from '../../src/recordings/resolveTopics.js';
import { secondsFromDuration } from '../../src/time/Stamp.js';

interface DrawnEntity {
  readonly ref: string;
  readonly kind: string;
  readonly box: Box;
  readonly support: string | null;
}

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
/** Seconds after the recording's start: the demo's robot then sees the whole big table. */
const FRAME_AT_S = 6;
const FRAME_SCALE = 1.5;
const PX_PER_M = 190;
const RIM_M = 0.15;

const THING = '#1864ab';
const SUPPORT = '#e67700';

/** The bottom corners follow each other round, then the top ones in the same order. */
const EDGES = [0, 1, 2, 3].flatMap((k) => [
  [k, (k + 1) % 4] as const,
  [k + 4, ((k + 1) % 4) + 4] as const,
  [k, k + 4] as const,
]);

async function main([folder, bag]: readonly string[]): Promise<void> {
  if (folder === undefined || bag === undefined) throw new Error('usage: pictures.ts REPLAY_DIR BAG');
  const graph = JSON.parse(readFileSync(path.join(folder, 'graph.json'), 'utf8')) as {
    readonly entities: readonly DrawnEntity[];
  };
  const plan = sharp(Buffer.from(planSvg(graph.entities)));
  await plan.png({ palette: true }).toFile(path.join(DOCS, 'plan.png'));
  const color = await colorAt(bag, FRAME_AT_S);
  await drawFrame(path.join(DOCS, 'frame.jpg'), graph.entities, color);
}

/** The first colour picture at or after this moment. */
async function colorAt(bag: string, atS: number): Promise<ColorView> {
  const recording = await openRecording(bag);
  try {
    const assembler = createFrameAssembler(defaultParameters());
    const assignment = resolveTopics(recording.topics);
    for await (const { message } of readInputMessages(recording, assignment)) {
      assembler.push(message);
      for (const pending of assembler.takeReady()) {
        if (secondsFromDuration(pending.stamp - (recording.start ?? 0n)) < atS) continue;
        const decoded = await assembler.decode(pending);
        if (decoded.ok && decoded.value.color !== undefined) return decoded.value.color;
      }
    }
  } finally {
    await recording.close();
  }
  throw new Error(`the recording has no colour picture after ${atS} s`);
}

async function drawFrame(file: string, entities: readonly DrawnEntity[], color: ColorView): Promise<void> {
  const { width, height, data } = color.image;
  const [w, h] = [width * FRAME_SCALE, height * FRAME_SCALE];
  const color_T_map = invertTransform(color.map_T_color);
  const project = (point: Vec3): readonly [number, number] | undefined => {
    const pixel = projectPoint(color.camera, transformPoint(color_T_map, point));
    return pixel && [pixel[0] * FRAME_SCALE, pixel[1] * FRAME_SCALE];
  };
  const shown = entities.filter((entity) => isThing(entity) && entity.support !== 'floor_1');
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" font-family="sans-serif" font-size="15">`,
    ...shown.map(({ ref, box }) => boxInFrame(ref, boxCorners(box).map(project), w, h)),
    '</svg>',
  ].join('\n');
  const large = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize(w, h)
    .png()
    .toBuffer();
  await sharp(large)
    .composite([{ input: Buffer.from(svg) }])
    .jpeg({ quality: 82 })
    .toFile(file);
}

function boxInFrame(
  ref: string,
  corners: readonly (readonly [number, number] | undefined)[],
  w: number,
  h: number,
) {
  const seen = corners.filter((corner) => corner !== undefined);
  // A box partly out of the picture or behind the camera would be drawn askew.
  if (seen.length < 8 || seen.some(([u, v]) => u < 0 || v < 0 || u >= w || v >= h)) return '';
  const lines = EDGES.map(([i, j]) => `M${seen[i]?.map(px).join(' ')}L${seen[j]?.map(px).join(' ')}`).join(
    '',
  );
  const u = seen.reduce((sum, corner) => sum + corner[0], 0) / seen.length;
  const v = Math.min(...seen.map((corner) => corner[1])) - 6;
  return `<path d="${lines}" fill="none" stroke="#4dabf7" stroke-width="2"/>${label(u, v, ref, THING)}`;
}

/** Things that stand on something; what hangs on furniture without a support has no name worth a picture. */
function isThing({ kind, support }: DrawnEntity): boolean {
  return kind === 'object' && support !== null;
}

function planSvg(entities: readonly DrawnEntity[]): string {
  const inside = entities.filter(({ kind }) => kind === 'object' || kind === 'support');
  const corners = inside.flatMap(({ box }) => footprint(box));
  const [minX, maxX] = [
    Math.min(...corners.map(([x]) => x)) - RIM_M,
    Math.max(...corners.map(([x]) => x)) + RIM_M,
  ];
  const [minY, maxY] = [
    Math.min(...corners.map(([, y]) => y)) - RIM_M,
    Math.max(...corners.map(([, y]) => y)) + RIM_M,
  ];
  const at = ([x, y]: readonly [number, number]): [number, number] => [
    (x - minX) * PX_PER_M,
    (maxY - y) * PX_PER_M,
  ];
  const polygon = (box: Box, style: string): string =>
    `<polygon points="${footprint(box)
      .map((corner) => at(corner).map(px).join(','))
      .join(' ')}" ${style}/>`;
  const name = ({ ref, box }: DrawnEntity, color: string): string => {
    const [x, y] = at([box.center[0], box.center[1]]);
    return label(x, y + 4, ref, color);
  };
  const supports = inside.filter(({ kind }) => kind === 'support');
  const things = inside.filter(isThing);
  const others = inside.filter((entity) => entity.kind === 'object' && !isThing(entity));
  const [w, h] = [Math.round((maxX - minX) * PX_PER_M), Math.round((maxY - minY) * PX_PER_M)];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" font-family="sans-serif" font-size="11">`,
    '<rect width="100%" height="100%" fill="white"/>',
    ...supports.map(({ box }) => polygon(box, `fill="${SUPPORT}" fill-opacity="0.12" stroke="${SUPPORT}"`)),
    ...others.map(({ box }) => polygon(box, 'fill="none" stroke="#adb5bd"')),
    ...things.map(({ box }) =>
      polygon(box, 'fill="#4dabf7" fill-opacity="0.25" stroke="#1c7ed6" stroke-width="1.5"'),
    ),
    ...things.map((entity) => name(entity, THING)),
    '</svg>',
  ].join('\n');
}

/** A white rim below the letters keeps them readable on any ground. */
function label(x: number, y: number, text: string, color: string): string {
  const place = `x="${px(x)}" y="${px(y)}" text-anchor="middle"`;
  return `<text ${place} fill="white" stroke="white" stroke-width="3">${text}</text><text ${place} fill="${color}">${text}</text>`;
}

function px(value: number): string {
  return value.toFixed(1);
}

await main(process.argv.slice(2));
