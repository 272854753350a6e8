import type { RgbdFrame } from '../camera/RgbdFrame.js';
import { appearanceOf, ColorLookup } from './appearance.js';
import { cellPixels } from './cellPixels.js';
import type { CloudBuffers } from './CloudBuffers.js';
import { buildCloudGrid, type CloudGrid } from './CloudGrid.js';
import { findComponents, numberCells } from './components.js';
import { findLevelPlanes, type KnownLevel, type LevelPlane } from './horizontalPlanes.js';
import type { FrameObservation, ObjectObservation, StructureObservation } from './observations.js';
import { joinHollows } from './joinHollows.js';
import { ALIKE, likeness } from './likeness.js';
import { isFurniture } from './labels.js';
import { liftDetections, usableDetections } from './liftDetections.js';
import { nameThings, type NamedCells } from './nameThings.js';
import { isRipple } from './isRipple.js';
import { observePiece } from './observePiece.js';
import { pieceFrom } from './Piece.js';
import { probeVisibility, type Probe } from './probeVisibility.js';
import type { PerceiveParameters } from './parameters.js';
import { levelObservation, uprightObservation } from './structureObservations.js';
import { EVERYWHERE, findUprightPlanes, type KnownUpright, type UprightPlane } from './uprightPlanes.js';
import { measurableRegion } from './measurableRegion.js';

/**
 * One frame to what it shows, without any model: level and upright planes are taken out, what is left is parted into
 * connected pieces, each lifted to a box in the map. A pure function: what earlier frames taught about structure
 * comes in as `known`.
 */

/** What the graph already knows: structure, found again on less evidence, and things to look for. */
export interface KnownScene {
  readonly levels: readonly KnownLevel[];
  readonly uprights: readonly KnownUpright[];
  readonly probes?: readonly Probe[];
}

/** @param buffers memory for the cloud, when one is kept from frame to frame */
export function perceive(
  frame: RgbdFrame,
  known: KnownScene,
  parameters: PerceiveParameters,
  buffers?: CloudBuffers,
): FrameObservation {
  const grid = buildCloudGrid(
    frame.depth,
    frame.depthCamera,
    frame.map_T_depth,
    parameters.minRangeM,
    parameters.maxRangeM,
    buffers,
  );
  const { owner } = grid;
  const { planes: levels, strips } = findLevelPlanes(
    grid,
    1,
    levelsExpected(frame, known),
    parameters.levels,
  );
  const firstUpright = levels.length + 1;
  const uprights = findUprightPlanes(grid, firstUpright, known.uprights, parameters.uprights);
  const floorZ = floorHeight(frame, levels);
  return {
    stamp: frame.stamp,
    cameraName: frame.cameraName,
    map_T_camera: frame.map_T_depth,
    map_T_base: frame.map_T_base,
    map_T_grippers: frame.map_T_grippers,
    objects: observeObjects(frame, grid, owner, levels.length, uprights.walls, known, parameters),
    structures: observeStructures(
      grid,
      [...levels, ...strips],
      [...uprights.walls, ...uprights.strips],
      floorZ,
    ),
    ...(frame.detections === undefined ? {} : { isNamed: true }),
    visibility: probeVisibility(grid, frame.depthCamera, frame.map_T_depth, known.probes ?? []),
  };
}

/** Known levels, and the floor at the robot's feet, which is where it is even when little of it is seen. */
function levelsExpected(frame: RgbdFrame, known: KnownScene): KnownLevel[] {
  const base = frame.map_T_base?.translation;
  if (base === undefined) return [...known.levels];
  const reach = 10;
  const floor = {
    z: base[2],
    minX: base[0] - reach,
    maxX: base[0] + reach,
    minY: base[1] - reach,
    maxY: base[1] + reach,
  };
  return [...known.levels, floor];
}

/** The floor is the level plane at the base's feet; without a base, the lowest one well below the camera. */
function floorHeight(frame: RgbdFrame, levels: readonly LevelPlane[]): number | undefined {
  if (levels.length === 0) return undefined;
  const lowest = levels.reduce((low, plane) => (plane.z < low.z ? plane : low));
  const base = frame.map_T_base?.translation[2];
  if (base !== undefined) return Math.abs(lowest.z - base) < 0.25 ? lowest.z : undefined;
  return frame.map_T_depth.translation[2] - lowest.z > 0.5 && lowest.area > 0.5 ? lowest.z : undefined;
}

function observeObjects(
  frame: RgbdFrame,
  grid: CloudGrid,
  owner: Int16Array,
  levelCount: number,
  uprights: readonly UprightPlane[],
  known: KnownScene,
  parameters: PerceiveParameters,
): ObjectObservation[] {
  const region = measurableRegion(grid);
  const walls = [...uprights, ...known.uprights];
  const colors = frame.color === undefined ? undefined : new ColorLookup(frame.color);
  const out: ObjectObservation[] = [];
  const found = findComponents(grid, parameters.components).slice(0, parameters.maxPieces);
  const pieceOf = new Int32Array(owner.length);
  numberCells(found, pieceOf);
  const things = found
    .map((cells, k) => ({ cells, id: k + 1 }))
    .filter(({ cells }) => !isOnSomeWall(grid, cells, walls, parameters.wallShare))
    .map(({ cells, id }) => ({ piece: pieceFrom(grid, cells, pieceOf, id), id }))
    .filter(({ piece, id }) => !isRipple(grid, owner, levelCount, piece, pieceOf, id))
    .map(({ piece }) => piece);
  pieceOf.fill(0);
  numberCells(
    things.map(({ cells }) => cells),
    pieceOf,
  );
  const looks = things.map(({ cells }) => colors && appearanceOf(grid, cells, colors));
  const groups = joinHollows(grid, things, pieceOf, (a, b) => (likeness(looks[a], looks[b]) ?? 1) >= ALIKE);
  const whole = groups.map((group) =>
    group.length === 1 ? things[group[0]].cells : unionOf(group.map((k) => things[k].cells)),
  );
  const named = namesOf(frame, whole, grid, owner, parameters);
  pieceOf.fill(0);
  numberCells(
    named.map(({ cells }) => cells),
    pieceOf,
  );
  named.forEach(({ cells, label, score, piece }, k) => {
    const group = piece === undefined ? [] : groups[piece];
    const isOne = group.length === 1;
    const isAsParted = isOne && things[group[0]].cells === cells;
    const shape = isAsParted ? things[group[0]] : pieceFrom(grid, cells, pieceOf, k + 1);
    const observation = observePiece(grid, shape, pieceOf, k + 1, region, parameters);
    if (observation === undefined) return;
    const appearance = isOne ? looks[group[0]] : colors && appearanceOf(grid, cells, colors);
    out.push({
      ...observation,
      ...(appearance === undefined ? {} : { appearance }),
      ...(label === undefined ? {} : { label, labelScore: score }),
    });
  });
  return out;
}

/** The pieces as they are, or put together with what a detector names in the colour picture. */
function namesOf(
  { detections = [], color }: RgbdFrame,
  pieces: readonly Int32Array[],
  grid: CloudGrid,
  owner: Int16Array,
  { detections: numbers, components: { minCells } }: PerceiveParameters,
): NamedCells[] {
  const usable = usableDetections(detections, numbers).filter(
    ({ label }) => label === undefined || !isFurniture(label),
  );
  if (color === undefined || usable.length === 0) return pieces.map((cells, piece) => ({ cells, piece }));
  const pixels = cellPixels(grid, color);
  const lifted = liftDetections(usable, grid, owner, pixels);
  return nameThings(lifted, pieces, grid, owner, pixels, { ...numbers, minCells });
}

/** Cells of several pieces in picture order. */
function unionOf(pieces: readonly Int32Array[]): Int32Array {
  const cells = new Int32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let filled = 0;
  for (const piece of pieces) {
    cells.set(piece, filled);
    filled += piece.length;
  }
  return cells.sort();
}

/** Whether this share of a piece is within a hand's breadth of one wall: posters, sockets, and the wall's own bumps. */
function isOnSomeWall(
  { kernels }: CloudGrid,
  { byteOffset, length }: Int32Array,
  walls: readonly (UprightPlane | KnownUpright)[],
  share: number,
): boolean {
  return walls.some((wall) => {
    const { normalX, normalY, d } = wall;
    const { minAlong, maxAlong, minZ, maxZ } = 'minAlong' in wall ? wall : EVERYWHERE;
    return (
      kernels.isOnWall(byteOffset, length, share, normalX, normalY, d, minAlong, maxAlong, minZ, maxZ) !== 0
    );
  });
}

function observeStructures(
  grid: CloudGrid,
  levels: readonly LevelPlane[],
  uprights: readonly UprightPlane[],
  floorZ: number | undefined,
): StructureObservation[] {
  return [
    ...levels
      .filter((plane) => !plane.isRecalled)
      .map((plane) => levelObservation(grid, plane, isFloor(plane, floorZ) ? 'floor' : 'support')),
    ...uprights.map((plane) => uprightObservation(grid, plane)),
  ];
}

/** Furniture parts the floor in the picture; each part of it is floor. */
const FLOOR_GAP_M = 0.03;

function isFloor({ z }: LevelPlane, floorZ: number | undefined): boolean {
  return floorZ !== undefined && Math.abs(z - floorZ) < FLOOR_GAP_M;
}
